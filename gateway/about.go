package gateway

import (
	"net/http"
	"reflect"
	"strings"

	"steno/gateway/admission"
	"steno/gateway/describe"
	"steno/gateway/live"
	"steno/messages"
)

// What the descriptions say of the operations, beside the table of routes.

// old marks the operations that are there for clients of before.
func old(d describe.Details) describe.Details {
	d.Deprecated = true
	d.Notes += " Use the same below /v2/live or /v2/pre-recorded."
	d.Notes = strings.TrimSpace(d.Notes)
	return d
}

// upgradable is a list that is also the address of the sessions' WebSockets.
func upgradable(d describe.Details) describe.Details {
	d.Notes += " As a WebSocket, with a token instead of the key, this is the address of a session: see /asyncapi.json."
	return d
}

// ignored is the header that names what of a request is not done.
var ignored = describe.Header{Name: admission.IgnoredHeader, Note: "Fields, and parameters of the query, that are ignored; not there where none are"}

func aboutCreateLive() describe.Details {
	return describe.Details{
		Notes: "The url of the answer is the address of the session's WebSocket; its token is all that the socket needs. Every field may be missing, and null is as good as missing. What is not known, or not done, is ignored: the warnings of the answer and of the record name it, and strict has it refused. Of several languages those served are taken.",
		Takes: describe.Body(describe.JSON[describe.LiveRequest]().Like(describe.ExampleLive())),
		Gives: describe.With(describe.Answers(http.StatusCreated, describe.JSON[live.Opened]()), ignored),
		Refuses: []int{
			http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity,
			http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInsufficientStorage,
		},
	}
}

// aboutList is about a list whose pages are a P.
func aboutList[P any](query reflect.Type) describe.Details {
	return describe.Details{
		Notes: "Newest first. Following next lists all. A page holds fewer jobs than limit where they are large, at most 16 MiB or one job: its next begins behind the last of them.",
		Query: query,
		Gives: describe.Answers(http.StatusOK, describe.JSON[P]()), Refuses: []int{http.StatusBadRequest, http.StatusServiceUnavailable},
	}
}

// aboutGet is about a job that is a J.
func aboutGet[J any]() describe.Details {
	return describe.Details{
		Gives: describe.Answers(http.StatusOK, describe.JSON[J]()), Refuses: []int{http.StatusNotFound},
	}
}

func aboutPatch() describe.Details {
	return describe.Details{
		Notes:   "The object is merged into post_session_metadata.",
		Takes:   describe.Body(describe.JSON[messages.Object]()),
		Gives:   describe.Answers(http.StatusNoContent),
		Refuses: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge},
	}
}

func aboutDelete() describe.Details {
	return describe.Details{
		Notes: "Audio, transcript and messages are gone after that. A job that is not finished is refused, unless cancel is true: then work on it stops within a second, nothing of it is kept, and no callback tells of that. The socket of a live session is closed with 4410.",
		Query: describe.Deletion(),
		Gives: describe.Answers(http.StatusAccepted), Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound},
	}
}

func aboutFile(media string) describe.Details {
	return describe.Details{
		Notes: "Ranges are supported.",
		Gives: []describe.Answer{
			{Status: http.StatusOK, Content: describe.Body(describe.Bytes(media, "The audio"))},
			{Status: http.StatusPartialContent, Content: describe.Body(describe.Bytes(media, "A part of the audio"))},
		},
		Refuses: []int{http.StatusNotFound, http.StatusRequestedRangeNotSatisfiable},
	}
}
