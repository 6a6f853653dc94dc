package session_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"steno/messages"
	"steno/session"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

func TestReplayFails(t *testing.T) {
	request, problem := messages.ParseLive([]byte(`{}`))
	if problem != nil {
		t.Fatal(problem)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		ctx  context.Context
		from io.Reader
		want error
	}{
		"broken": {t.Context(), io.MultiReader(strings.NewReader(strings.Repeat("\x00", 1<<20)),
			iotest.ErrReader(broken)), broken},
		"cancelled": {gone, strings.NewReader("audio"), context.Canceled},
	} {
		_, err := session.Replay(c.ctx, session.Config{
			ID: "x", Request: request, Recognizer: scripted.New(scripted.Config{}), Priority: asr.Replay,
		}, c.from)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
