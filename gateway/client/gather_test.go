package client

import (
	"testing"
	"time"

	"steno/audio/audiotest"
	"steno/messages"
	"steno/session"
	"steno/session/asr/scripted"
)

// sessionThatHeard returns a session that has the audio, 16 kHz of 16 bits.
func sessionThatHeard(t *testing.T, audio []byte) *session.Session {
	t.Helper()
	request, fault := messages.ParseLive([]byte(`{}`))
	if fault != nil {
		t.Fatal(fault)
	}
	s, err := session.Open(t.Context(), session.Config{
		ID: "S", Request: request, Recognizer: scripted.New(scripted.Config{}), Ledger: &session.Memory{},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Abandon)
	if err := s.Write(t.Context(), audio); err != nil {
		t.Fatal(err)
	}
	return s
}

// Messages of speaking clients accumulate only if that saves work that the gateway has no time for.
func TestGatherTime(t *testing.T) {
	speech := audiotest.Speech(2, 1)[:40_000] // up to the middle of a phrase
	silent, speaking := sessionThatHeard(t, make([]byte, len(speech))), sessionThatHeard(t, speech)
	const processors = 2
	for _, c := range []struct {
		sockets        int64 // for each processor
		busy           bool
		silent, speaks time.Duration
	}{
		{manySockets - 1, true, 0, 0},
		{manySockets, false, gatherSilence, 0},
		{manySockets, true, gatherSilence, 0},
		{mostSockets - 1, true, gatherSilence, 0},
		{mostSockets, false, gatherSilence, 0},
		{mostSockets, true, gatherSilence, gatherSpeech},
		{crowdedSockets - 1, false, gatherSilence, 0},
		{crowdedSockets - 1, true, gatherSilence, gatherSpeech},
		{crowdedSockets, false, gatherSilence, gatherSilence},
		{crowdedSockets, true, gatherSilence, gatherSilence},
	} {
		s := &Clients{processors: processors}
		s.served.Store(processors*c.sockets + 1)
		s.busy.Store(c.busy)
		for open, want := range map[*session.Session]time.Duration{silent: c.silent, speaking: c.speaks} {
			in := intake{client: &Client{all: s}, session: open, taken: 20 * time.Millisecond, count: 1}
			if got := in.gather(); got != want {
				t.Errorf("%d sockets, busy %t, quiet %t: messages gather for %v, want %v", c.sockets, c.busy,
					open.Quiet(), got, want)
			}
		}
		long := intake{client: &Client{all: s}, session: silent, taken: 100 * time.Millisecond, count: 1}
		if got := long.gather(); got != 0 {
			t.Errorf("%d sockets: messages of 100 ms gather for %v", c.sockets, got)
		}
	}
}
