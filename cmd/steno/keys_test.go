package main

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"steno/gateway"
)

func TestEnvironmentKeys(t *testing.T) {
	long := strings.Repeat("x", longestKey)
	for _, c := range []struct {
		text  string
		short bool
		want  []gateway.Key
		fault string // empty: none
	}{
		{text: ""},
		{text: "sixteen-letters1", want: []gateway.Key{{Account: "default", Text: "sixteen-letters1"}}},
		{text: "fifteen-letters", fault: "entry 1 has 15 characters, at least 16"},
		{text: "fifteen-letters", short: true, want: []gateway.Key{{Account: "default", Text: "fifteen-letters"}}},
		{
			text: "acme:the-key-of-acme-1, sixteen-letters1,acme:with:colons:in:it,", want: []gateway.Key{
				{Account: "acme", Text: "the-key-of-acme-1"}, {Account: "default", Text: "sixteen-letters1"},
				{Account: "acme", Text: "with:colons:in:it"},
			},
		},
		{text: "sixteen-letters1,long-account-name:short", fault: "entry 2 has 5 characters"},
		{text: ":the-key-of-nobody", fault: "account's name"},
		{text: "a b:the-key-of-nobody", fault: "account's name"},
		{text: strings.Repeat("a", 65) + ":the-key-of-nobody", fault: "account's name"},
		{text: "acme:", short: true, fault: "has 0 characters"},
		{text: long, want: []gateway.Key{{Account: "default", Text: long}}},
		{text: long + "x", fault: "has 513 characters"},
	} {
		got, err := environmentKeys([]string{"STENO_API_KEYS=" + c.text}, c.short)
		if c.fault == "" {
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q: %+v, %v", c.text, got, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q: error is %v, want %q", c.text, err, c.fault)
			continue
		}
		for _, key := range []string{"fifteen", "short", "nobody", "xxx"} {
			if strings.Contains(err.Error(), key+"-") || strings.Contains(err.Error(), "xxx") {
				t.Errorf("%q: the error holds the key: %v", c.text, err)
			}
		}
	}
}

// A gateway does not start with a key that could be guessed.
func TestServeRefusesShortKeys(t *testing.T) {
	p := process{stdout: io.Discard, stderr: io.Discard, environ: []string{"STENO_API_KEYS=secret"}}
	err := run(t.Context(), []string{"serve", "--data", t.TempDir(), "--engine", "scripted"}, p)
	if err == nil || !strings.Contains(err.Error(), "STENO_API_KEYS") || strings.Contains(err.Error(), "secret") {
		t.Errorf("error is %v", err)
	}
}

// Commands that have others below them say which, and lists of nothing say so.
func TestCommandsAlonePrintTheirHelp(t *testing.T) {
	for _, args := range [][]string{{"keys"}, {"callbacks"}, {"callbacks", "secret"}, {}} {
		said, err := steno(t, args...)
		if err != nil || !strings.Contains(said, "Commands:") || !strings.Contains(said, "Usage: steno") {
			t.Errorf("steno %v: %v\n%s", args, err, said)
		}
	}
	if said, err := steno(t, "keys", "nonsense"); err == nil {
		t.Errorf("steno keys nonsense: %s", said)
	}
	if said, err := steno(t, "keys", "list", "--data", t.TempDir()); err != nil || said != "none\n" {
		t.Errorf("no keys: %q, %v", said, err)
	}
}
