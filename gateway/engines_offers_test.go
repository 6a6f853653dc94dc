package gateway

import (
	"encoding/json"
	"slices"
	"testing"

	"steno/messages"
)

// offered returns the add-ons offered to clients, by name.
func (r *testServer) offered() map[string]messages.Addon {
	r.t.Helper()
	var got messages.Models
	if a := r.do("GET", "/v2/models", ""); a.status != 200 || json.Unmarshal(a.body, &got) != nil {
		r.t.Fatalf("models: %d %s", a.status, a.body)
	}
	all := map[string]messages.Addon{}
	for _, a := range got.Addons {
		all[a.Name] = a
	}
	return all
}

// Clients can read which add-ons are available, for which kind of job and from which provider.
func TestAddonsAreOffered(t *testing.T) {
	r := recordedServer(t, nil, func(r *testServer) {
		r.diarizer, r.providers = &halvesDiarizer{}, services()
		r.providers.Diarization = true
	})
	got := r.offered()
	if a := got["diarization"]; !slices.Equal(a.By, []string{"engine", "embedded"}) ||
		!slices.Equal(a.Modes, []string{"live", "pre-recorded"}) {
		t.Errorf("diarization %+v", a)
	}
	if a := got["audio_to_llm"]; !a.Available || !slices.Equal(a.Modes, []string{"pre-recorded"}) {
		t.Errorf("audio_to_llm %+v", a)
	}
	r.media, r.diarizer, r.providers.Ask, r.providers.Diarization = nil, nil, nil, false
	r.restart()
	got = r.offered()
	for name, a := range got {
		if slices.Contains(a.Modes, "pre-recorded") || a.Available && len(a.Modes) == 0 {
			t.Errorf("without a decoder: %s %+v", name, a)
		}
	}
	if a := got["diarization"]; !a.Available || !slices.Equal(a.By, []string{"embedded"}) {
		t.Errorf("diarization %+v", a)
	}
	if a := got["audio_to_llm"]; a.Available {
		t.Errorf("audio_to_llm %+v", a)
	}
}
