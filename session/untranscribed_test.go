package session

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// pickyEngine loses, with its own error, each utterance with more than a number of samples.
type pickyEngine struct {
	asr.Recognizer
	most  int
	cause error
}

func (e pickyEngine) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := e.Recognizer.Open(ctx, p)
	return &pickyStream{Stream: u, engine: e}, err
}

type pickyStream struct {
	asr.Stream
	engine  pickyEngine
	written int
}

func (s *pickyStream) Write(samples []int16) error {
	s.written += len(samples)
	return s.Stream.Write(samples)
}

func (s *pickyStream) Recv() (asr.Result, error) {
	r, err := s.Stream.Recv()
	if err == nil && r.Final && s.written > s.engine.most {
		return asr.Result{}, s.engine.cause
	}
	return r, err
}

// An utterance that every engine loses is marked, and all others are transcribed, whatever the
// error of the engines.
func TestAnUtteranceThatEnginesLoseIsMarked(t *testing.T) {
	var pcm []float64
	for _, seconds := range []float64{1, 4, 1, 1} {
		pcm = append(append(pcm, whiteNoise(1, -80, 1)...), voice(seconds, 1)...)
	}
	for name, cause := range map[string]error{
		"dropped":      io.EOF,
		"lost":         fmt.Errorf("stream: %w", asr.ErrUnavailable),
		"tried":        fmt.Errorf("stream: %w", asr.ErrTried),
		"of no use":    fmt.Errorf("stream: %w", asr.ErrLanguage),
		"unknown":      fmt.Errorf("out of memory"),
		"busy":         asr.ErrBusy,
		"out of order": io.ErrUnexpectedEOF,
	} {
		for _, priority := range []asr.Priority{asr.Live, asr.Replay} {
			synctest.Test(t, func(t *testing.T) {
				var m Memory
				r := routed(t, pickyEngine{scripted.New(scripted.Config{}), 3 * asr.Rate, cause})
				s := openWith(t, &m, `{"endpointing":0.3,"language_config":{"languages":["en"]}}`, priority, r)
				write(t, s, interleave(pcm))
				stopAndWait(t, s)
				o := m.Outcome()
				if o.Failure != nil || len(o.Result.Transcription.Utterances) != 3 {
					t.Errorf("%s: failed by %v, utterances %s", name, o.Failure, utterancesText(t, &m))
				}
				checkMarked(t, name, &m, 3, 7)
			})
		}
	}
}

// checkMarked checks that one error event and one warning state where an utterance has no words, in
// seconds.
func checkMarked(t *testing.T, name string, m *Memory, from, to float64) {
	t.Helper()
	var told []string
	for _, e := range m.events {
		if e.Kind == messages.KindError {
			told = append(told, e.Message.(messages.Failure).Message)
		}
	}
	warnings := m.Outcome().Result.Warnings
	if len(told) != 1 || len(warnings) != 1 || warnings[0].Message != told[0] {
		t.Fatalf("%s: events %q, warnings %v", name, told, warnings)
	}
	var a, b float64
	_, where, _ := strings.Cut(told[0], "from ")
	if _, err := fmt.Sscanf(where, "%f s to %f s,", &a, &b); err != nil || a < from-0.3 || a > from+0.3 ||
		b < to-0.3 || b > to+0.3 {
		t.Errorf("%s: %q, want from %v s to %v s", name, told[0], from, to)
	}
}
