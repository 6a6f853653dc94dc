package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"

	"steno/cmd/steno/config"
	"steno/messages"
)

// TestWhoReadsWhatIsHidden: a language model reads what is to be redacted only where the
// configuration allows it.
func TestWhoReadsWhatIsHidden(t *testing.T) {
	const model = "addons:\n  translation: {apertium: false}\n  llm: {url: 'http://127.0.0.1:1/v1', model: small, use: [named_entity_recognition]"
	for text, want := range map[string]bool{"{}\n": false, model + "}\n": false, model + ", redaction: true}\n": true} {
		path := filepath.Join(t.TempDir(), "steno.yml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(path, nil)
		if err == nil {
			err = c.Check()
		}
		if err != nil {
			t.Fatal(err)
		}
		table, closers, err := newAddons(t.Context(), c.Addons, nil, nil, zerolog.Nop())
		if err != nil {
			t.Fatal(err)
		}
		for _, closer := range closers {
			if err := closer.Close(); err != nil {
				t.Error(err)
			}
		}
		q := messages.PreRecordedRequest{PIIRedaction: true,
			PIIRedactionConfig: messages.PIIRedactionConfig{EntityTypes: []string{"EVENT"}}}
		if _, err := table.Check(&q, nil); (err == nil) != want {
			t.Errorf("%q: a model finds what to hide: %v", text, err)
		}
	}
}
