package addon

import (
	"testing"

	"steno/messages"
)

func TestWhoIsWaitedFor(t *testing.T) {
	n := newNamer()
	c := n.serves(t)
	model := Embedded().WithModel(c, []string{"summarization"})
	for name, tc := range map[string]struct {
		w     Ways
		q     messages.PreRecordedRequest
		waits bool
	}{
		"nobody":           {model, messages.PreRecordedRequest{Diarization: true, PIIRedaction: true, SentimentAnalysis: true}, false},
		"embedded":         {Embedded(), messages.PreRecordedRequest{Summarization: true, NamedEntityRecognition: true}, false},
		"chapters":         {Embedded(), messages.PreRecordedRequest{Chapterization: true}, false},
		"model's chapters": {Embedded().WithModel(c, []string{"chapterization"}), messages.PreRecordedRequest{Chapterization: true}, true},
		"a model":          {model, messages.PreRecordedRequest{Summarization: true}, true},
		"a trusted model":  {Embedded().WithConfidant(c), messages.PreRecordedRequest{PIIRedaction: true}, true},
		"a translator":     {Embedded(), messages.PreRecordedRequest{Translation: true}, true},
		"a model's answer": {model, messages.PreRecordedRequest{AudioToLLM: true}, true},
	} {
		if got := tc.w.Waits(&tc.q); got != tc.waits {
			t.Errorf("%s: %v", name, got)
		}
	}
}
