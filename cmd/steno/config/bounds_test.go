package config

import (
	"strings"
	"testing"
)

// TestBounds tries the values at the bounds and beyond them.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		variable string
		fault    string // in the error; empty: none
	}{
		{"STENO_CALLBACKS_CONCURRENCY=1", ""},
		{"STENO_CALLBACKS_CONCURRENCY=1000", ""},
		{"STENO_CALLBACKS_CONCURRENCY=0", "callbacks.concurrency must be 1 to 1000, not 0"},
		{"STENO_CALLBACKS_CONCURRENCY=1001", "callbacks.concurrency"},
		{"STENO_CALLBACKS_TIMEOUT=31s", "callbacks.timeout must be 1s to 30s, not 31s"},
		{"STENO_CALLBACKS_LONGEST_RETRY=1ms", "callbacks.longest_retry"},
		{"STENO_VALKEY_REWRITE=0s", ""},
		{"STENO_VALKEY_REWRITE=30s", "valkey.rewrite must be 0 or at least 1m, not 30s"},
		{"STENO_VALKEY_DURABILITY=none", `valkey.durability: "none" is none of process, disk, replica`},
		{"STENO_ADDONS_LLM_USE=translation, poetry", `addons.llm.use: "poetry"`},
		{"STENO_RECORDINGS_SANDBOX=jail", "recordings.sandbox"},
		{"STENO_LIMITS_PACE=-1", "limits.pace must be at least 0, not -1"},
		{"STENO_LIMITS_TEXT_MESSAGE_BYTES=99999999999", "limits.text_message_bytes"},
		{"STENO_ENGINES_SPHINX_SLOTS=33", "engines.sphinx.slots must be 0 to 32, not 33"},
	} {
		cfg, err := Load("", []string{c.variable})
		if err == nil {
			err = cfg.Check()
		}
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: %v", c.variable, err)
		}
	}
}

// TestBoundsOfTables wants the fields of named engines checked under their names.
func TestBoundsOfTables(t *testing.T) {
	cfg, err := Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Engines.More = map[string]NamedEngine{"slow": {Sphinx: &Sphinx{Slots: 40}, Weight: -1}}
	err = cfg.Check()
	for _, want := range []string{"engines.more.slow.sphinx.slots", "engines.more.slow.weight"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v says nothing of %s", err, want)
		}
	}
}
