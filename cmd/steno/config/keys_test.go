package config

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"steno/gateway"
	"steno/gateway/web"
	"steno/session/store"
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
		{text: "fifteen-letters", fault: "entry 1: the key has 15 characters, at least 16"},
		{text: "fifteen-letters", short: true, want: []gateway.Key{{Account: "default", Text: "fifteen-letters"}}},
		{
			text: "acme:the-key-of-acme-1, sixteen-letters1,acme:with:colons:in:it,", want: []gateway.Key{
				{Account: "acme", Text: "the-key-of-acme-1"}, {Account: "default", Text: "sixteen-letters1"},
				{Account: "acme", Text: "with:colons:in:it"},
			},
		},
		{text: "sixteen-letters1,long-account-name:short", fault: "entry 2: the key has 5 characters"},
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

func TestConfiguredKeys(t *testing.T) {
	load := func(text string) ([]gateway.Key, error) {
		var c Config
		if err := decodeStrict([]byte(text), &c); err != nil {
			return nil, err
		}
		return c.configuredKeys([]string{"OFFICE=the-key-of-the-office"})
	}
	got,
		err := load("keys:\n  office: {key_env: OFFICE, account: acme, scopes: [live, read], expires: 2030-01-02T03:04:05Z}\n" +
		"  lab: {hash: " + strings.Repeat("ab", 32) + "}\n")
	want := []gateway.Key{
		{Hash: web.KeyHash(bytes.Repeat([]byte{0xab}, 32))},
		{
			Account: "acme", Text: "the-key-of-the-office", Scopes: store.ScopeLive | store.ScopeRead,
			Expires: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC),
		},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{
		"{}", "{key: short}", "{key_env: NONE}", "{hash: abc}", "{key: the-key-of-the-lab, hash: abc}",
		"{key: the-key-of-the-lab, scopes: [all]}", "{key: the-key-of-the-lab, account: a b}",
	} {
		if _, err := load("keys: {lab: " + bad + "}"); err == nil || !strings.Contains(err.Error(), "keys.lab") ||
			strings.Contains(err.Error(), "the-key") {
			t.Errorf("%s: error is %v", bad, err)
		}
	}
}
