package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// heard is a sink that records the events for dialects.
type heard struct{ lines []string }

func (*heard) Wants() messages.Filter {
	return messages.FilterOf(messages.KindSpeech, messages.KindMarked, messages.KindFinal, messages.KindPartial)
}

func (h *heard) Send(e messages.Event) {
	switch m := e.Message.(type) {
	case messages.Speech:
		stage := []string{"", "began", "early", "resumed", "ended", "settled"}[m.Stage]
		line := fmt.Sprintf("%s %d", stage, m.Number)
		if m.Stage == messages.SpeechEnded {
			line += fmt.Sprintf(" by %d", m.By)
		}
		h.lines = append(h.lines, line)
	case messages.Marked:
		h.lines = append(h.lines, fmt.Sprintf("marked %s at %g", m.Mark.ID, m.Time))
	case messages.Transcript:
		if m.IsFinal {
			h.lines = append(h.lines, fmt.Sprintf("final %d by %d", number(e), m.By))
		}
	}
}

func number(e messages.Event) int64 {
	_, n, _ := messages.ParseUtteranceID(e.Subject)
	return n
}

func mark(t *testing.T, s *Session, m messages.Mark) {
	t.Helper()
	if err := s.Mark(context.Background(), m); err != nil {
		t.Fatal(err)
	}
}

func update(t *testing.T, s *Session, u messages.Update) {
	t.Helper()
	if err := s.Update(context.Background(), u); err != nil {
		t.Fatal(err)
	}
}

// listens checks the lines recorded since the last call, and removes them.
func (h *heard) listens(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	if !slices.Equal(h.lines, want) {
		t.Errorf("heard %q\nwant  %q", h.lines, want)
	}
	h.lines = nil
}

// Marks end or discard a running utterance, and are always answered, after all events before them.
func TestMarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		var h heard
		s := open(t, &m, `{"endpointing":0.1,"maximum_duration_without_endpointing":60}`, asr.Live, &h)
		phrase, pause := interleave(voice(1.5, 3)), interleave(whiteNoise(1, -80, 1))
		mark(t, s, messages.Mark{ID: "nothing"})
		h.listens(t, "marked nothing at 0")
		never := float64(messages.NeverEnds)
		update(t, s, messages.Update{Endpointing: &never})
		write(t, s, slices.Concat(pause, phrase, pause, phrase, pause))
		h.listens(t, "began 0")
		mark(t, s, messages.Mark{ID: "a"})
		mark(t, s, messages.Mark{ID: "b"})
		h.listens(t, "ended 0 by 2", "final 0 by 2", "settled 0", "marked a at 6", "marked b at 6")
		write(t, s, phrase)
		mark(t, s, messages.Mark{ID: "c", Discard: true})
		h.listens(t, "began 1", "ended 1 by 5", "settled 1", "marked c at 7.5")
		short := 0.1
		update(t, s, messages.Update{Endpointing: &short})
		write(t, s, slices.Concat(pause, phrase, pause))
		h.listens(t, "began 2", "ended 2 by 1", "final 2 by 1", "settled 2")
		write(t, s, phrase)
		stopAndWait(t, s)
		h.listens(t, "began 3", "ended 3 by 4", "final 3 by 4", "settled 3")
		if n := len(m.Outcome().Result.Transcription.Utterances); n != 3 {
			t.Errorf("%d utterances", n)
		}
		if err := s.Mark(context.Background(), messages.Mark{}); !errors.Is(err, ErrStopped) {
			t.Errorf("a mark after the end: %v", err)
		}
	})
}

// An early end is reported once for each silence, and withdrawn if speech continues before the
// utterance has ended.
func TestEarlyEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		var h heard
		s := open(t, &m, `{"endpointing":1}`, asr.Live, &h)
		phrase := interleave(voice(1, 3))
		early := 0.2
		update(t, s, messages.Update{Early: &early})
		hush := func(seconds float64) []byte { return interleave(whiteNoise(seconds, -80, 1)) }
		write(t, s, slices.Concat(hush(1), phrase, hush(0.7), phrase, hush(2)))
		h.listens(t, "began 0", "early 0", "resumed 0", "early 0", "ended 0 by 1", "final 0 by 1", "settled 0")
		stopAndWait(t, s)
	})
}

// asked is a client's request at a place.
type asked struct {
	at     int
	mark   *messages.Mark
	update *messages.Update
	hush   bool
}

// playAsked writes chunks, makes the requests at their places, and abandons the session at the
// cuts.
func playAsked(t *testing.T, m *Memory, request string, audio []byte, all []asked, cuts []int, chunk int) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, m, request, asr.Live)
		stops := slices.Clone(cuts)
		for _, a := range all {
			stops = append(stops, a.at)
		}
		slices.Sort(stops)
		for at := 0; at < len(audio); {
			n := min(chunk, len(audio)-at)
			if i := slices.IndexFunc(stops, func(x int) bool { return x > at }); i >= 0 {
				n = min(n, stops[i]-at)
			}
			write(t, s, audio[at:at+n])
			at += n
			for _, a := range all {
				if a.at == at {
					a.ask(t, s)
				}
			}
			if slices.Contains(cuts, at) {
				s.Abandon()
				s = open(t, m, request, asr.Live)
			}
			time.Sleep(time.Duration(n) * time.Second / 64000) // the audio's, at double pace
		}
		stopAndWait(t, s)
	})
}

func (a asked) ask(t *testing.T, s *Session) {
	switch {
	case a.mark != nil:
		mark(t, s, *a.mark)
	case a.update != nil:
		update(t, s, *a.update)
	case a.hush:
		hush(t, s)
	}
}

// The events are the same however the audio was cut and wherever the session was resumed: marks and
// updates are kept at their bytes.
func TestNotesAreAtBytes(t *testing.T) {
	var sound []float64
	for i := range uint64(3) {
		sound = slices.Concat(sound, whiteNoise(0.4, -80, i), voice(1.5, i+1))
		sound = slices.Concat(sound, whiteNoise(0.3, -80, i+9), voice(1, i+20))
	}
	audio := interleave(sound)
	requests := []string{`{"endpointing":0.1}`, `{"endpointing":0.5,"pre_processing":{"audio_enhancer":true}}`,
		`{"channels":2,"sample_rate":8000,"endpointing":0.05}`}
	rapid.Check(t, func(r *rapid.T) {
		request := rapid.SampledFrom(requests).Draw(r, "request")
		place := rapid.IntRange(1, len(audio)/2-1)
		var all []asked
		for range rapid.IntRange(1, 8).Draw(r, "asked") {
			a := asked{at: 2 * place.Draw(r, "at")}
			switch rapid.IntRange(0, 4).Draw(r, "what") {
			case 0, 1:
				a.mark = &messages.Mark{ID: "x", Discard: rapid.Bool().Draw(r, "discard")}
			case 2:
				seconds := rapid.SampledFrom([]float64{0.05, 0.4, messages.NeverEnds}).Draw(r, "endpointing")
				a.update = &messages.Update{Endpointing: &seconds}
			case 3:
				threshold := rapid.SampledFrom([]float64{0.3, 0.8}).Draw(r, "threshold")
				a.update = &messages.Update{Threshold: &threshold}
			case 4:
				a.hush = true
			}
			all = append(all, a)
		}
		var once, other Memory
		playAsked(t, &once, request, audio, all, nil, 3200)
		cuts := []int{2 * place.Draw(r, "cut"), 2 * place.Draw(r, "cut")}
		chunk := rapid.SampledFrom([]int{1, 7, 320, 4001, 50_000}).Draw(r, "chunk") * 2
		playAsked(t, &other, request, audio, all, cuts, max(chunk, 200))
		if got, want := utterancesText(t, &other), utterancesText(t, &once); got != want {
			r.Fatalf("asked %+v, cut at %d, chunks of %d:\n%s\nwant %s", all, cuts, chunk, got, want)
		}
	})
}

// Recognizers get the terms of an update for the utterances that start after it. Too many terms are
// refused.
func TestTermsAreUpdated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		r := &register{Recognizer: scripted.New(scripted.Config{})}
		s := openWith(t, &m, `{"endpointing":0.1,"language_config":{"languages":["en"]}}`, asr.Live, r)
		pause := interleave(whiteNoise(1, -80, 1))
		phrase := slices.Concat(pause, interleave(voice(1, 3)), pause)
		write(t, s, phrase)
		update(t, s, messages.Update{Vocabulary: &messages.List[messages.VocabularyEntry]{{Value: "Ada"}}})
		write(t, s, phrase)
		synctest.Wait()
		if len(r.told) != 2 || len(r.told[0].Vocabulary) != 0 || len(r.told[1].Vocabulary) != 1 {
			t.Errorf("told %+v", r.told)
		}
		err := s.Update(context.Background(), messages.Update{Vocabulary: &messages.List[messages.VocabularyEntry]{
			{Value: strings.Repeat("x", MaxNote)},
		}})
		if !errors.Is(err, ErrNotes) {
			t.Errorf("a note beyond the bound: %v", err)
		}
		stopAndWait(t, s)
	})
}
