package config

import (
	"slices"
	"strings"
	"testing"
)

func TestHosts(t *testing.T) {
	c, err := Load("", []string{"STENO_HOSTS=stt.example.org, *.example.net,*", "STENO_LISTEN=stt.local:80"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	known := c.KnownHosts()
	for _, want := range []string{"stt.example.org", "*.example.net", "*", "stt.local"} {
		if !slices.Contains(known, want) {
			t.Errorf("%s is not among %q", want, known)
		}
	}
	for _, bad := range []string{"https://stt.example.org", "stt.example.org:80", "a/b", "", "*.", "*x", "a b",
		"*.*.org"} {
		c.Hosts = []string{bad}
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), "hosts: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
