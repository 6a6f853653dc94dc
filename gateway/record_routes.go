package gateway

import (
	"context"
	"net/http"

	"steno/gateway/callbacks"
	"steno/gateway/openapi"
	"steno/gateway/overview"
	"steno/gateway/transcripts"
	"steno/gateway/waveform"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// views serve the pages about records and sessions.
type views struct {
	waveform    *waveform.Service
	transcripts *transcripts.Service
	overview    *overview.Service
	callbackLog *callbacks.Log
}

func (s *Server) newViews() {
	d := s.deps
	waves := waveform.New(waveform.Deps{
		Store: d.Store, Records: s.records, Media: d.Media, CheckMedia: s.uploads.CheckMedia, Limits: s.cfg.Limits,
	})
	s.views = views{
		waveform: waves,
		transcripts: transcripts.New(transcripts.Deps{
			Store: d.Store, Records: s.records, Addresses: s.addresses, Limits: s.cfg.Limits, Heard: s.jobs.Heard,
		}),
		overview: overview.New(overview.Deps{
			Store: d.Store, Live: s.live, Capacity: s.admission, Level: waves.Level, KeyName: keyNames{d.Store}.of,
			Find: s.records.Find,
		}),
		callbackLog: &callbacks.Log{Store: d.Store, GiveUp: s.cfg.Callbacks.GiveUp, Find: s.records.Find},
	}
}

// keyNames are the owners' names for the keys of a store.
type keyNames struct{ keys store.Keys }

// of returns the name of a key; empty if it has none.
func (n keyNames) of(ctx context.Context, k web.KeyHash) string {
	key, err := n.keys.Key(ctx, k[:])
	if err != nil {
		return "" // of the configuration, or removed
	}
	return key.Name
}

// table returns the operations that pages read.
func (v *views) table() []route {
	read := access{scopes: store.ScopeRead}
	return append([]route{
		{"GET", "/v2/records", "record.list", v.transcripts.Search, read, "Search records", docSearch()},
		{"GET", "/v2/sessions", "session.list", v.overview.Sessions, read, "List running sessions", docSessions()},
		{"GET", "/v2/live/{id}/delays", unaudited, v.overview.Delays, read, "Get the delays of a session", docDelays()},
		{"GET", "/v2/capacity", unaudited, v.overview.GetCapacity, read, "Get what the server carries", docCapacity()},
	}, append(
		v.tableOf("/v2/live/{id}", messages.JobLive, store.ScopeLive, openapi.ExampleLiveJob()),
		v.tableOf("/v2/pre-recorded/{id}", messages.JobPreRecorded, store.ScopeJobs,
			openapi.ExamplePreRecordedJob())...,
	)...)
}

// tableOf returns the operations for reading a job of a kind at a path. changes is the scope that
// permits to change such jobs, of which example is one.
func (v *views) tableOf(path string, kind messages.JobKind, changes store.Scopes, example any) []route {
	read, words := access{scopes: store.ScopeRead}, access{scopes: store.ScopeRead, share: shareWords}
	audio := access{scopes: store.ScopeRead, share: shareAudio}
	change := access{scopes: changes, changes: true}
	return []route{
		{"GET", path + "/outline", "record.read", v.transcripts.Outline(kind), words, "Get a job without its words",
			docOutline(example)},
		{"GET", path + "/utterances", "record.read", v.transcripts.Utterances(kind), words, "List utterances",
			docUtterances()},
		{"GET", path + "/transcript", "record.read", v.transcripts.File(kind), words, "Get the transcript as a file",
			docTranscript()},
		{"GET", path + "/peaks", "audio.read", v.waveform.Get(kind), audio, "Get the waveform", docPeaks()},
		{"GET", path + "/callbacks", "callback.list", v.callbackLog.List(kind), read, "List a job's callbacks",
			docCallbacks()},
		{"POST", path + "/callbacks/{delivery}/redeliver", "callback.send", v.callbackLog.Redeliver(kind), change,
			"Send a callback at once", docRedeliver()},
	}
}

func docSearch() openapi.Details {
	return openapi.Details{
		Notes: "Newest first, in short: the words are not in it. With text or language, records are read one after " +
			"the other: an answer ends where the page is full, or after some seconds with what was found until " +
			"then, and next goes on from there.",
		Query: openapi.SearchFor(), Gives: openapi.Answers(http.StatusOK,
			openapi.JSON[transcripts.FoundRecords]().Like(exampleSearch())),
		Refuses: []int{http.StatusBadRequest, http.StatusServiceUnavailable},
	}
}

func docSessions() openapi.Details {
	return openapi.Details{
		Notes: "Those of the account that are not finished, with their level and last words, for pages that ask " +
			"every second. Of sessions on other nodes the last words are known, but not how they are connected. To " +
			"follow one, use its events.",
		Gives:   openapi.Answers(http.StatusOK, openapi.JSON[overview.RunningSessions]().Like(exampleSessions())),
		Refuses: []int{http.StatusServiceUnavailable},
	}
}

func docDelays() openapi.Details {
	return openapi.Details{
		Notes: "Where the time went between the end of an utterance and its final: of the newest 40 finals. Only " +
			"the node that has the session knows.",
		Gives:   openapi.Answers(http.StatusOK, openapi.JSON[overview.SessionDelays]().Like(exampleDelays())),
		Refuses: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}
}

func docCapacity() openapi.Details {
	return openapi.Details{
		Notes: "Of the node that answers. A key with the scope admin sees who speaks, how many more can, and which " +
			"sessions were refused in the last hour; others see the refusals of their account alone.",
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[overview.Capacity]().Like(exampleCapacity())),
	}
}

// docOutline describes the outline of a job like the example.
func docOutline(job any) openapi.Details {
	return openapi.Details{
		Notes:   "What was found in it, and when everything was said. The words are in its utterances.",
		Gives:   openapi.Answers(http.StatusOK, openapi.JSON[transcripts.Outline]().Like(exampleOutline(job))),
		Refuses: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}
}

func docUtterances() openapi.Details {
	return openapi.Details{
		Notes: "In the order of the transcript, with the entities, sentiments and translations of each. There are " +
			"none before the job is finished.",
		Query: openapi.UtterancesOf(), Gives: openapi.Answers(http.StatusOK,
			openapi.JSON[transcripts.UtterancePage]().Like(exampleUtterances())),
		Refuses: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusServiceUnavailable},
	}
}

func docTranscript() openapi.Details {
	return openapi.Details{
		Query: openapi.TranscriptFile(),
		Gives: openapi.Answers(http.StatusOK,
			openapi.Bytes("text/plain", "Paragraphs by speaker").Like(exampleText),
			openapi.Bytes("application/x-subrip", "Subtitles").Like(exampleSubRip),
			openapi.Bytes("text/vtt", "Subtitles").Like(exampleVideoText)),
		Refuses: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusServiceUnavailable},
	}
}

func docPeaks() openapi.Details {
	return openapi.Details{
		Notes: "The lowest and the highest sample of each stretch, as the JSON of audiowaveform has them, which " +
			"players read. A point stands for 20 ms or more. Of a live session, what there is so far.",
		Query: openapi.Peaks(), Gives: openapi.Answers(http.StatusOK,
			openapi.JSON[waveform.Peaks]().Like(examplePeaks())),
		Refuses: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity,
			http.StatusNotImplemented, http.StatusServiceUnavailable},
	}
}

func docCallbacks() openapi.Details {
	return openapi.Details{
		Notes: "At most 1000, newest first. They are sent in their order: each waits until the one before it has " +
			"arrived or was given up. Those that have arrived are forgotten after a while.",
		Gives:   openapi.Answers(http.StatusOK, openapi.JSON[callbacks.DeliveryList]().Like(exampleCallbacks())),
		Refuses: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}
}

func docRedeliver() openapi.Details {
	return openapi.Details{
		Notes: "One that was given up goes out again, before those after it, and keeps its id. One that waits is " +
			"due at once; where it waits for another, that other is.",
		Gives: openapi.Answers(http.StatusAccepted), Refuses: []int{http.StatusNotFound, http.StatusConflict,
			http.StatusServiceUnavailable},
	}
}
