package config

import (
	"testing"
)

func TestRedactionNeedsAModel(t *testing.T) {
	var told []string
	Addons{Realtime: 1e9, PostProcessing: 1e9, LLM: LLM{Redaction: true}}.check(func(format string,
		_ ...any) {
		told = append(told, format)
	})
	if len(told) != 1 || told[0] != "addons.llm.redaction needs addons.llm.url" {
		t.Errorf("told %q", told)
	}
}
