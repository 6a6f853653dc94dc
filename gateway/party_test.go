package gateway

import (
	"context"
	"slices"
	"sync"
	"testing"

	"steno/session/asr"
	"steno/session/asr/scripted"
)

// partyRecorder is a recognizer that records whose speech it is given.
type partyRecorder struct {
	asr.Recognizer
	mu  sync.Mutex
	all []string
}

func (n *partyRecorder) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	n.mu.Lock()
	n.all = append(n.all, p.Party)
	n.mu.Unlock()
	return n.Recognizer.Open(ctx, p)
}

// parties returns them since the last call, each once.
func (n *partyRecorder) parties() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := n.all
	n.all = nil
	slices.Sort(all)
	return slices.Compact(all)
}

// Engines know whose live speech and recordings they are given, so that accounts share them.
func TestEnginesKnowTheAccount(t *testing.T) {
	heard := &partyRecorder{Recognizer: scripted.New(scripted.Config{})}
	r := recordedServer(t, func(c *Config) { c.Keys = []Key{{Text: testKey, Account: "acme"}} }, func(r *testServer) {
		r.engines.asr = heard
	})
	sound := speech(4, 5)
	id, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	if err := stream(c, sound); err != nil {
		t.Fatal(err)
	}
	finish(t, r, c, id)
	if got := heard.parties(); !slices.Equal(got, []string{"acme"}) {
		t.Errorf("live speech is that of %q", got)
	}
	file := r.uploadFile("a.wav", wavOf(sound, 16000, 1)).AudioURL
	r.awaitResult(r.createJob(`{"audio_url":"` + file + `"}`))
	if got := heard.parties(); !slices.Equal(got, []string{"acme"}) {
		t.Errorf("a recording is that of %q", got)
	}
}
