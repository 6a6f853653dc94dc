package main

import (
	"slices"
	"strings"
	"testing"
)

// TestNoticeIsCurrent holds NOTICE against the modules that the programs of go.mod's graph link,
// and against the licences that lie beside their sources.
func TestNoticeIsCurrent(t *testing.T) {
	want, err := notice(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	if readFile(t, "../../NOTICE") != want {
		t.Error("NOTICE is not that of the sources: go generate ./cmd/dist")
	}
	modules := readFile(t, "../../go.mod")
	for _, name := range []string{"google.golang.org/grpc", "modernc.org/sqlite", "github.com/coder/websocket"} {
		if !strings.Contains(modules, name+" v") || !strings.Contains(want, "  "+name+" ") {
			t.Errorf("%s is linked, and not in NOTICE", name)
		}
	}
	for _, name := range []string{"pgregory.net/rapid", "go.uber.org/goleak"} {
		if strings.Contains(want, name) {
			t.Errorf("%s is for tests, and in NOTICE", name)
		}
	}
}

func TestAllLicencesOfAText(t *testing.T) {
	three := "Redistribution and use in source and binary forms, in binary form must reproduce, endorse or promote"
	for text, want := range map[string][]string{
		"mine":                     nil,
		mit:                        {"MIT"},
		three:                      {"BSD-3-Clause"},
		"// " + three + "\n" + mit: {"MIT", "BSD-3-Clause"},
	} {
		if got := (component{text: text}).licences(); !slices.Equal(got, want) {
			t.Errorf("%.40q: %v, want %v", text, got, want)
		}
	}
}
