package scripted_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/scripted"
)

func final(t *testing.T, r *scripted.Recognizer, samples []int16) asr.Result {
	t.Helper()
	return finalAfter(t, r, nil, samples)
}

// finalAfter is the final of an utterance with a context.
func finalAfter(t *testing.T, r *scripted.Recognizer, context, samples []int16) asr.Result {
	t.Helper()
	u, err := r.Open(t.Context(), asr.Params{Context: context})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(u.Write(samples), u.End()); err != nil {
		t.Fatal(err)
	}
	result, err := u.Recv()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestWordsFollowPieces(t *testing.T) {
	r := scripted.New(scripted.Config{})
	audio := asrtest.Ramp(2*scripted.PieceSamples+scripted.MinSamples, 1)
	words := final(t, r, audio).Words
	if len(words) != 3 || words[2].Start != 2*scripted.PieceSamples || words[2].End != len(audio) {
		t.Fatalf("words %v", words)
	}
	again := final(t, r, audio[scripted.PieceSamples:]).Words
	if again[0].Text != words[1].Text || again[0].Confidence != words[1].Confidence {
		t.Errorf("the same piece gave %v and %v", words[1], again[0])
	}
	if n := len(final(t, r, audio[:len(audio)-1]).Words); n != 2 {
		t.Errorf("%d words with a rest too short for one, want 2", n)
	}
}

func TestSilenceHasNoWords(t *testing.T) {
	audio := append(make([]int16, scripted.PieceSamples), asrtest.Ramp(scripted.PieceSamples, 5)...)
	words := final(t, scripted.New(scripted.Config{}), audio).Words
	if len(words) != 1 || words[0].Start != scripted.PieceSamples {
		t.Errorf("words %v", words)
	}
}

// TestVocabularyIsUsed guards against a hash that always picks the same few words.
func TestVocabularyIsUsed(t *testing.T) {
	seen := map[string]bool{}
	var low, high int
	for _, w := range final(t, scripted.New(scripted.Config{}), asrtest.Ramp(asr.MaxSamples, 3)).Words {
		seen[w.Text] = true
		if w.Confidence <= 0 || w.Confidence > 1 {
			t.Fatalf("confidence %v", w.Confidence)
		}
		if w.Confidence < 0.5 {
			low++
		} else {
			high++
		}
	}
	if len(seen) < 40 || min(low, high) < 50 {
		t.Errorf("%d different words, %d low and %d high confidences among 203", len(seen), low, high)
	}
}

func TestPartialsFollowTheAudio(t *testing.T) {
	r := scripted.New(scripted.Config{})
	u, err := r.Open(t.Context(), asr.Params{Partials: true})
	if err != nil {
		t.Fatal(err)
	}
	audio := asrtest.Ramp(scripted.PieceSamples, 9)
	for i := range 3 {
		if err := u.Write(audio[i*scripted.MinSamples : (i+1)*scripted.MinSamples]); err != nil {
			t.Fatal(err)
		}
		p, err := u.Recv()
		if err != nil || p.Final || len(p.Words) != 1 || p.Words[0].Confidence != 0 ||
			p.Words[0].End != (i+1)*scripted.MinSamples {
			t.Fatalf("partial %d: %v, %v", i, p, err)
		}
	}
}

func TestCostDelaysOnlyTheFinal(t *testing.T) {
	audio := asrtest.Ramp(2*asr.Rate, 11)
	want := final(t, scripted.New(scripted.Config{}), audio)
	synctest.Test(t, func(t *testing.T) {
		r := scripted.New(scripted.Config{Delay: time.Second, Factor: 0.5, Slots: 1})
		begin := time.Now()
		took := make(chan time.Duration, 2)
		for range 2 {
			go func() {
				if got := final(t, r, audio); !reflect.DeepEqual(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
				took <- time.Since(begin)
			}()
		}
		if first, second := <-took, <-took; first != 2*time.Second || second != 4*time.Second {
			t.Errorf("finals after %v and %v, want 2 s and 4 s with one slot", first, second)
		}
	})
}

func TestCancelledWhileDecoding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scripted.New(scripted.Config{Delay: time.Hour, Slots: 1})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		u, err := r.Open(ctx, asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		if err := u.End(); err != nil {
			t.Fatal(err)
		}
		if _, err := u.Recv(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

func TestLanguages(t *testing.T) {
	r := scripted.New(scripted.Config{Languages: []string{"fr", "de"}})
	if _, err := r.Open(t.Context(), asr.Params{Language: "en"}); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("error %v", err)
	}
	if got := final(t, r, nil); got.Language != "fr" {
		t.Errorf("default language %q", got.Language)
	}
}
