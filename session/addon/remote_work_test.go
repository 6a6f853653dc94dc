package addon_test

import (
	"testing"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/registry"
)

func TestRemoteWork(t *testing.T) {
	n := newNamer()
	c := n.serves(t)
	model := registry.New(registry.Services{LLM: c, LLMUses: []string{"summarization"}}, addon.Runner{})
	for name, tc := range map[string]struct {
		table *addon.Table
		q     messages.PreRecordedRequest
		waits bool
	}{
		"nobody": {model, messages.PreRecordedRequest{Diarization: true, PIIRedaction: true,
			SentimentAnalysis: true}, false},
		"embedded": {embedded(), messages.PreRecordedRequest{Summarization: true,
			NamedEntityRecognition: true}, false},
		"chapters": {embedded(), messages.PreRecordedRequest{Chapterization: true}, false},
		"model's chapters": {registry.New(registry.Services{LLM: c, LLMUses: []string{"chapterization"}},
			addon.Runner{}), messages.PreRecordedRequest{Chapterization: true}, true},
		"a model": {model, messages.PreRecordedRequest{Summarization: true}, true},
		"a trusted model": {registry.New(registry.Services{RedactionLLM: c}, addon.Runner{}),
			messages.PreRecordedRequest{PIIRedaction: true}, true},
		"a translator":     {embedded(), messages.PreRecordedRequest{Translation: true}, true},
		"a model's answer": {model, messages.PreRecordedRequest{AudioToLLM: true}, true},
	} {
		if got := tc.table.Remote(&tc.q); got != tc.waits {
			t.Errorf("%s: %v", name, got)
		}
	}
}
