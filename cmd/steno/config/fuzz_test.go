package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzConfiguration checks that any file and any variable are either taken, and checked, or refused
// in a sentence that can be printed.
func FuzzConfiguration(f *testing.F) {
	f.Add(Defaults, "STENO_LIMITS_IDLE=7s")
	f.Add([]byte("limits: {idle: -1s}\nretention: {audio: 1e400h}\n"), "STENO_KEY_HEADERS=a,,b")
	f.Add([]byte("a: &a [*a]\n"), "STENO_ENGINES_SPHINX_DECODERS=99999999999999999999")
	f.Add([]byte("accounts: {acme: {quota: {sessions: 3}}}\nengines: {remote: [{name: x}]}\n"), "STENO_NOTHING=1")
	path := filepath.Join(f.TempDir(), "steno.yml")
	f.Fuzz(func(t *testing.T, text []byte, variable string) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(path, []string{variable})
		if err == nil {
			err = c.Check()
		}
		if err == nil {
			return
		}
		if s := err.Error(); strings.TrimSpace(s) == "" || !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			t.Errorf("%q", s)
		}
	})
}
