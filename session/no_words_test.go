package session

import (
	"context"
	"testing"

	"steno/session/asr"
	"steno/session/asr/scripted"
)

// wordlessRecognizer is a recognizer that finds no words in anything.
type wordlessRecognizer struct{ asr.Recognizer }

func (d wordlessRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := d.Recognizer.Open(ctx, p)
	return wordlessStream{u}, err
}

type wordlessStream struct{ asr.Stream }

func (w wordlessStream) Recv() (asr.Result, error) {
	r, err := w.Stream.Recv()
	r.Words, r.Dropped = nil, "noise"
	return r, err
}

// Noise that is detected as speech but has no words starts and ends speech, and yields neither
// final nor utterance.
func TestSoundsWithoutWordsLeaveNothing(t *testing.T) {
	var m Memory
	s := openWith(t, &m, `{"endpointing":0.05}`, asr.Live, wordlessRecognizer{scripted.New(scripted.Config{})})
	for i := range uint64(3) {
		write(t, s, interleave(append(whiteNoise(1, -80, i), voice(1, i)...)))
	}
	write(t, s, interleave(whiteNoise(1, -80, 9)))
	stopAndWait(t, s)
	events := scoreEvents(t, &m)
	for _, e := range events {
		if e.kind != "speech_start" && e.kind != "speech_end" {
			t.Errorf("event %v", e)
		}
	}
	if n := len(m.Outcome().Result.Transcription.Utterances); n > 0 {
		t.Errorf("%d utterances without words", n)
	}
	if len(events) == 0 {
		t.Error("nothing was taken for speech: the test says nothing")
	}
}
