package gateway

import (
	"net/http"
	"reflect"
	"strings"
	"time"

	"steno/gateway/admission"
	"steno/gateway/dialect/gladia"
	"steno/gateway/openapi"
	"steno/gateway/tokens"
	"steno/messages"
)

// The functions below return the descriptions of the operations in the table of routes.

// deprecated marks an operation that exists for old clients.
func deprecated(d openapi.Details) openapi.Details {
	d.Deprecated = true
	d.Notes += " Use the same below /v2/live or /v2/pre-recorded."
	d.Notes = strings.TrimSpace(d.Notes)
	return d
}

// upgradable adds that the address of a list is also that of the sessions' WebSockets.
func upgradable(d openapi.Details) openapi.Details {
	d.Notes += " As a WebSocket, with a token instead of the key, this is the address of a session: see /asyncapi.json."
	return d
}

// ignored is the header that names what is ignored of a request.
var ignored = openapi.Header{Name: admission.IgnoredHeader,
	Note: "Fields, and parameters of the query, that are ignored; not there where none are"}

func docCreateLive() openapi.Details {
	return openapi.Details{
		Notes: "The url of the answer is the address of the session's WebSocket; its token is all that the socket " +
			"needs. Every field may be missing, and null is as good as missing. What is not known, or not done, is " +
			"ignored: the warnings of the answer and of the record name it, and strict has it refused. Of several " +
			"languages those served are taken. 429 says that a limit of the key is reached, 503 that there is no " +
			"capacity for another session now: the message says which, and Retry-After when it is worth trying again.",
		Takes: openapi.Body(openapi.JSON[openapi.LiveRequest]().Like(openapi.ExampleLive())),
		Gives: openapi.With(openapi.Answers(http.StatusCreated,
			openapi.JSON[gladia.Opened]().Like(gladia.Opened{ID: openapi.ExampleID(), CreatedAt: openapi.ExampleTime(),
				URL: "ws://127.0.0.1:8080/v2/live?token=zq0fTnDm4Jc1"})), ignored),
		Refuses: []int{
			http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity,
			http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInsufficientStorage,
		},
	}
}

// docList describes a list with pages of type P, like the example.
func docList[P any](query reflect.Type, example any) openapi.Details {
	return openapi.Details{
		Notes: "Newest first. Following next lists all. A page holds fewer jobs than limit where they are large, " +
			"at most 16 MiB or one job: its next begins behind the last of them.",
		Query: query,
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[P]().Like(example)), Refuses: []int{http.StatusBadRequest,
			http.StatusServiceUnavailable},
	}
}

// docGet describes a job of type J, like the example.
func docGet[J any](example any) openapi.Details {
	return openapi.Details{
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[J]().Like(example)), Refuses: []int{http.StatusNotFound},
	}
}

func docPatch() openapi.Details {
	return openapi.Details{
		Notes:   "The object is merged into post_session_metadata.",
		Takes:   openapi.Body(openapi.JSON[messages.Object]().Like(openapi.ExampleMetadata())),
		Gives:   openapi.Answers(http.StatusNoContent),
		Refuses: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge},
	}
}

func docDelete() openapi.Details {
	return openapi.Details{
		Notes: "Audio, transcript and messages are gone after that. A job that is not finished is refused, unless " +
			"cancel is true: then work on it stops within a second, nothing of it is kept, and no callback tells " +
			"of that. The socket of a live session is closed with 4410.",
		Query: openapi.Deletion(),
		Gives: openapi.Answers(http.StatusAccepted), Refuses: []int{http.StatusBadRequest, http.StatusForbidden,
			http.StatusNotFound},
	}
}

func docFile(media string) openapi.Details {
	return openapi.Details{
		Notes: "Ranges are supported.",
		Gives: []openapi.Answer{
			{Status: http.StatusOK, Content: openapi.Body(openapi.Bytes(media, "The audio"))},
			{Status: http.StatusPartialContent, Content: openapi.Body(
				openapi.Bytes(media, "A part of the audio"), openapi.Bytes("multipart/byteranges",
					"Several parts of it"),
			)},
			{Status: http.StatusNotModified},
		},
		Refuses: []int{http.StatusNotFound, http.StatusRequestedRangeNotSatisfiable},
	}
}

func docUpload() openapi.Details {
	return openapi.Details{
		Notes: "The audio_url of the answer is what POST /v2/pre-recorded takes.",
		Takes: openapi.Body(openapi.Form[openapi.Uploaded]().Like(openapi.ExampleUploadForm()),
			openapi.JSON[messages.UploadRequest]()),
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[messages.Upload]().Like(openapi.ExampleUpload())),
		Refuses: []int{
			http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType,
			http.StatusUnprocessableEntity, http.StatusNotImplemented, http.StatusBadGateway,
			http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusInsufficientStorage,
		},
	}
}

func docCreateRecorded() openapi.Details {
	return openapi.Details{
		Notes: "The job is queued: ask the result_url of the answer for it, or have a callback sent. A config is " +
			"used only where its switch is true, and null is as good as missing. What is not known, or not done, " +
			"is ignored: the warnings of the answer and of the record name it, and strict has it refused. Of " +
			"several languages those served are taken.",
		Takes: openapi.Body(openapi.JSON[openapi.PreRecordedRequest]().Like(openapi.ExamplePreRecorded())),
		Gives: openapi.With(openapi.Answers(http.StatusCreated,
			openapi.JSON[messages.Created]().Like(openapi.ExampleCreated())), ignored),
		Refuses: []int{
			http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity,
			http.StatusTooManyRequests, http.StatusNotImplemented,
		},
	}
}

func docBot() openapi.Details {
	return openapi.Details{
		Notes: "Waits for the transcript. An answer with status 200 may tell of a failure; fields that are not " +
			"known are a bot's own.",
		Failure: reflect.TypeFor[messages.BotErrorBody](),
		Takes:   openapi.Body(openapi.Form[openapi.BotForm]().Like(openapi.ExampleBotForm())),
		Gives: openapi.With(openapi.Answers(http.StatusOK,
			openapi.JSON[messages.BotAnswer]().Like(openapi.ExampleBotAnswer())), ignored),
		Refuses: []int{
			http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType,
			http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusNotImplemented,
			http.StatusServiceUnavailable, http.StatusInsufficientStorage,
		},
	}
}

func docModels() openapi.Details {
	return openapi.Details{
		Notes: "What requests may ask for now: it changes when models are installed and when engines come and go. " +
			"An add-on that is not available may be asked for: it fails alone, with 501.",
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[messages.Models]().Like(exampleModels())),
	}
}

const docStream = " With Upgrade it is a WebSocket, whose messages are those of the session's own socket; else " +
	"server-sent events, whose data are the same and whose ids are taken up again by Last-Event-ID. A reader that " +
	"is too slow is sent subscription_lag and misses partials only. Of the flags that are not given, a token's " +
	"count, else those of the session without acknowledgments."

func docFollowSession() openapi.Details {
	return openapi.Details{
		Notes: "All logged messages from the first on, or from where from says, then those that follow, until the " +
			"session ends; partials as they come." + docStream,
		Query: openapi.Events(),
		Gives: append(openapi.Answers(http.StatusOK, openapi.Bytes("text/event-stream",
			"The events").Like(openapi.ExampleEvents())),
			openapi.Answer{Status: http.StatusNoContent}),
		Refuses: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusServiceUnavailable},
	}
}

func docFollowAccount() openapi.Details {
	return openapi.Details{
		Notes: "start_session, end_session and finals of all sessions of the account in one order; or with " +
			"session, all messages of those sessions, each in its order from its first message on, until they have " +
			"ended." + docStream,
		Query: openapi.AccountEvents(),
		Gives: openapi.Answers(http.StatusOK, openapi.Bytes("text/event-stream",
			"The events").Like(openapi.ExampleEvents())),
		Refuses: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusServiceUnavailable},
	}
}

func docNodes() openapi.Details {
	return openapi.Details{
		Notes: "And how much of the limits on sessions and subscribers is used. Needs a key with the scope admin.",
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[nodes]().Like(nodes{
			Items: messages.List[node]{{Name: "gateway-1",
				Until: messages.Stamp(openapi.ExampleTime().Add(15 * time.Second))}},
			Sessions: usage{Here: 3, Elsewhere: 4, Limit: 1000}, Subscribers: usage{Here: 2, Limit: 10000},
		})),
		Refuses: []int{http.StatusServiceUnavailable},
	}
}

const docTokens = " It goes into the header Authorization: Bearer, or into the header of the API key; never into a URL."

// exampleToken returns a token for the events at an address.
func exampleToken(events string) tokens.TokenCreated {
	return tokens.TokenCreated{
		ID: "2b0e4f0a-3f0b-4b6e-8f43-0c6a6c9d1f11", Token: "tok_Vb3xR8pLq2", URL: events,
		ExpiresAt: messages.Stamp(openapi.ExampleTime().Add(time.Hour)),
	}
}

func docCreateToken() openapi.Details {
	return openapi.Details{
		Notes: "For clients that must not have the API key. A token allows no more than its key, and ends with it. " +
			"One with the scope live opens sessions; it changes and deletes only those that it is for by " +
			"name." + docTokens + " Its text is shown only now. The flags say what the token shows of sessions; " +
			"without any it is all. One that may only read sessions it is for by name shows what was said and the " +
			"events: not who asked for the session and how, and the audio only with audio. It is gone when its " +
			"last session is deleted.",
		Takes: openapi.Body(openapi.JSON[messages.TokenRequest]().Like(openapi.ExampleToken())),
		Gives: openapi.Answers(http.StatusCreated,
			openapi.JSON[tokens.TokenCreated]().Like(exampleToken(openapi.SampleAddress+"/v2/events"))),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound,
			http.StatusRequestEntityTooLarge},
	}
}

func docCreateSubscriber() openapi.Details {
	return openapi.Details{
		Notes: "The token shows what is said in this session and its events, and nothing else of it or of others: " +
			"not how the session was asked for, no metadata, and the audio only with audio. It is gone when the " +
			"session is deleted." + docTokens + " The url of the answer is that of the session's events.",
		Takes: openapi.Body(openapi.JSON[messages.SubscriberRequest]().Like(openapi.ExampleSubscriber())),
		Gives: openapi.Answers(http.StatusCreated,
			openapi.JSON[tokens.TokenCreated]().Like(exampleToken(openapi.SampleAddress+"/v2/live/"+
				openapi.ExampleID()+"/events"))),
		Refuses: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge},
	}
}

func docListTokens() openapi.Details {
	return openapi.Details{
		Notes: "Those that have not expired and were made with this API key; with the scope admin, all of the " +
			"account. Oldest first, without their texts.",
		Gives: openapi.Answers(http.StatusOK,
			openapi.JSON[tokens.TokenList]().Like(tokens.TokenList{Items: messages.List[tokens.Token]{{
				ID: "2b0e4f0a-3f0b-4b6e-8f43-0c6a6c9d1f11", Name: "captions", Scopes: messages.List[string]{"read"},
				Sessions:  messages.List[string]{openapi.ExampleID()},
				CreatedAt: openapi.ExampleTime(), ExpiresAt: messages.Stamp(openapi.ExampleTime().Add(time.Hour)),
			}}})),
		Refuses: []int{http.StatusForbidden},
	}
}

func docDeleteToken() openapi.Details {
	return openapi.Details{
		Notes: "Streams of events that are open end within two seconds. A live session that was opened with the " +
			"token goes on: it belongs to the key.",
		Gives:   openapi.Answers(http.StatusNoContent),
		Refuses: []int{http.StatusForbidden, http.StatusNotFound},
	}
}

func docCreateTicket() openapi.Details {
	return openapi.Details{
		Notes: "A ticket stands for the key or token of this request in the parameter ticket of a stream of " +
			"events, once and for 60 seconds: browsers send no header with a WebSocket or an EventSource. What is " +
			"opened with it ends when the key or token does.",
		Gives: openapi.Answers(http.StatusCreated,
			openapi.JSON[tokens.Ticket]().Like(tokens.Ticket{Ticket: "tkt_9mWc4Ys1",
				ExpiresAt: messages.Stamp(openapi.ExampleTime().Add(time.Minute))})),
	}
}
