package sphinx

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestConfigDefaultsAndBounds(t *testing.T) {
	var c Config
	if err := c.fill(); err != nil {
		t.Fatal(err)
	}
	if c.Slots < 2 || c.Decoders < c.Slots || c.FinalDecoders < c.Slots || c.Language != "en" || c.Name != "sphinx" {
		t.Errorf("defaults %+v", c)
	}
	accurate := Config{Accurate: true}
	if err := accurate.fill(); err != nil || accurate.Name == c.Name {
		t.Errorf("other results under the name of %q: %v", accurate.Name, err)
	}
	for _, bad := range []Config{
		{Slots: -1}, {Slots: 33}, {Decoders: 65}, {Decoders: -1}, {Decoders: 2, FinalDecoders: 3}, {FinalDecoders: -1},
		{Utterances: -1}, {Utterances: 5000}, {PartialEvery: time.Millisecond}, {PartialEvery: time.Minute},
	} {
		if r, err := New(context.Background(), bad); err == nil {
			t.Errorf("%+v accepted", bad)
			r.Close()
		}
	}
}

func TestMissingModelNamesItsPackage(t *testing.T) {
	for _, c := range []Config{{Model: t.TempDir()}, {LM: "/nonexistent/lm"}, {Dict: "/nonexistent/dict"}} {
		_, err := New(context.Background(), c)
		if err == nil || !strings.Contains(err.Error(), "pocketsphinx") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestDamagedModelIsRefused(t *testing.T) {
	if _, err := os.Stat(DefaultDict); err != nil {
		t.Skipf("Debian package pocketsphinx-en-us: %v", err)
	}
	bad := filepath.Join(t.TempDir(), "lm")
	if err := os.WriteFile(bad, []byte("not a language model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(context.Background(), Config{LM: bad}); err == nil {
		t.Error("accepted")
	}
	if _, err := New(cancelledContext(), Config{}); err == nil {
		t.Error("loaded although cancelled")
	}
}

func cancelledContext() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
