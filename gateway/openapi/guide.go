package openapi

import (
	"embed"
	"maps"
	"slices"
	"strings"
)

//go:embed guide
var guideFiles embed.FS

// chapter is a task of the guide at the head of the page, with a sample in each language.
type chapter struct {
	ID, Title, About string
	Samples          []Sample
}

// newGuide returns the tasks that most callers begin with. The samples are the files of the folder
// guide.
func newGuide() ([]chapter, error) {
	all := []chapter{
		{
			ID: "guide-live", Title: "Transcribe while somebody speaks",
			About: "A session is opened by a request; audio goes over its WebSocket, and partials and finals come " +
				"back. The JavaScript library is npm's @gladiaio/sdk, which sends again what a lost connection " +
				"took. The command line sends each line of JSON as a message; websocat is one program that does. " +
				"talk.wav has 16 kHz, 16 bits, one channel: what a request assumes unless it says otherwise.",
		},
		{
			ID: "guide-recorded", Title: "Transcribe a recording",
			About: "A file is uploaded, a job is made of it, and its address is asked until it is done. Files of " +
				"every usual format will do; a callback instead of asking is told of under Recorded files.",
		},
		{
			ID: "guide-follow", Title: "Follow a session from elsewhere",
			About: "Everything that a session has said so far, then what follows, as server-sent events. ID is the " +
				"session's id. With Upgrade the same address is a WebSocket.",
		},
	}
	for i := range all {
		for _, language := range []string{"sh", "js", "py"} {
			text, err := guideFiles.ReadFile("guide/" + strings.TrimPrefix(all[i].ID, "guide-") + "." + language)
			if err != nil {
				return nil, err
			}
			all[i].Samples = append(all[i].Samples, Sample{language, strings.TrimSpace(string(text))})
		}
	}
	return all, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
