package stores

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"steno/cmd/steno/config"
	"steno/session/store/seal"
)

// A store that is encrypted is opened with its master key alone, and whoever has another one, or
// none, learns why it is not.
func TestEncryptedStore(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one := file("one", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	two := file("two", "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY=")
	short := file("short", "c2hvcnQ=")
	open := func(e config.Encryption) error {
		s, err := Open(ctx, config.Config{Data: filepath.Join(dir, "data"), Encryption: e}, zerolog.Nop())
		if err != nil {
			return err
		}
		if sealed, ok := s.(*seal.Store); ok {
			_, err = sealed.Ring().Seal(ctx, "acme", "test", []byte("text"))
		}
		return errors.Join(err, s.Close())
	}
	for _, c := range []struct {
		with config.Encryption
		want string // in the error; empty: none
	}{
		{config.Encryption{}, ""},
		{config.Encryption{MasterKeyFile: one}, ""},
		{config.Encryption{}, "the store is encrypted"},
		{config.Encryption{MasterKeyFile: two}, "another master key"},
		{config.Encryption{MasterKeyFile: short}, "Base64 of 32 bytes"},
		{config.Encryption{MasterKeyFile: one + "not there"}, "read the master key"},
		{config.Encryption{MasterKeyEnv: "NOT_THERE"}, "NOT_THERE"},
		{config.Encryption{MasterKeyFile: two, Previous: []string{"file:" + one}}, ""},
	} {
		err := open(c.with)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("with %+v: %v, want %q", c.with, err, c.want)
		}
	}
}
