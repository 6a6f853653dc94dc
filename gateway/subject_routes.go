package gateway

import (
	"net/http"

	"steno/gateway/openapi"
	"steno/gateway/records"
	"steno/messages"
	"steno/session/store"
)

// subjectTable returns the operations on all that is kept of a person or a thing.
func subjectTable(s *Server) []route {
	const path = "/v2/subjects"
	erase := access{scopes: store.ScopeLive | store.ScopeJobs, changes: true}
	return []route{
		{"GET", path, "subject.export", s.records.ExportSubject, access{scopes: store.ScopeRead},
			"Export what is kept of a subject", docExport()},
		{"DELETE", path, "subject.erase", s.records.EraseSubject, erase, "Erase what is kept of a subject", docErase()},
	}
}

func docExport() openapi.Details {
	return openapi.Details{
		Notes: "The jobs of both kinds whose custom_metadata hold what is asked for, as an archive that is made " +
			"while it is sent. Each has a folder of its id: record.json, as its operation answers; " +
			"transcript.txt; of a live session messages.jsonl, with a logged message a line, and audio.wav; of a " +
			"recorded file the file as it came. What is not kept is not there. The last file, export.json, lists " +
			"the jobs and their files, with more and next_offset where there are further jobs; an archive without " +
			"it was cut off.",
		Query:   openapi.Export(),
		Gives:   openapi.Answers(http.StatusOK, openapi.Bytes("application/zip", "The archive")),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusServiceUnavailable},
	}
}

func docErase() openapi.Details {
	return openapi.Details{
		Notes: "Deletes the jobs of both kinds whose custom_metadata hold what is asked for, newest first, each " +
			"as its own operation does: with audio, transcript, messages and callbacks, and with its uploaded " +
			"file unless another job uses that. A job that is not finished is refused, unless cancel is true. " +
			"One request looks at 100 jobs and takes some seconds: as long as more is true, ask again with " +
			"next_offset. What was erased is gone even where a request fails on the way; asking again erases " +
			"what is left.",
		Query:   openapi.Erasure(),
		Gives:   openapi.Answers(http.StatusOK, openapi.JSON[records.Erasure]().Like(exampleErasure())),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusServiceUnavailable},
	}
}

func exampleErasure() records.Erasure {
	return records.Erasure{
		Erased: messages.List[records.ErasedJob]{{ID: openapi.ExampleID(), Kind: messages.JobLive,
			Status: messages.StatusDone}},
		Shared: messages.List[string]{}, Refused: messages.List[records.ErasedJob]{},
	}
}
