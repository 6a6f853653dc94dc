package clean_test

import (
	"context"
	"io"
	"maps"
	"math"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/clean"
	"steno/session/asr/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSuite(t *testing.T) {
	open := func(*testing.T) asr.Recognizer {
		return clean.New(scripted.New(scripted.Config{Languages: []string{"en"}}), new(clean.Counts))
	}
	asrtest.Run(t, open, asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77))
}

// answers is a recognizer that answers each utterance with a result.
type answers struct{ asr.Result }

func (a answers) Open(context.Context, asr.Params) (asr.Stream, error) {
	return &answer{results: []asr.Result{a.Result}}, nil
}

type answer struct{ results []asr.Result }

func (a *answer) Write([]int16) error { return nil }
func (a *answer) Pause() error        { return nil }
func (a *answer) End() error          { return nil }

func (a *answer) Recv() (asr.Result, error) {
	if len(a.results) == 0 {
		return asr.Result{}, io.EOF
	}
	r := a.results[0]
	a.results = a.results[1:]
	return r, nil
}

// heard returns a recognizer's final for samples.
func heard(t interface{ Fatal(...any) }, r asr.Recognizer, samples []int16) asr.Result {
	s, err := r.Open(context.Background(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(samples); err != nil {
		t.Fatal(err)
	}
	_ = s.End()
	result, err := s.Recv()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func text(words []asr.Word) string {
	var texts []string
	for _, w := range words {
		texts = append(texts, w.Text)
	}
	return strings.Join(texts, " ")
}

// said are words of half a second each.
func said(text string) (words []asr.Word) {
	for _, field := range strings.Fields(text) {
		n := len(words) * asr.Rate / 2
		words = append(words, asr.Word{Text: field, Start: n, End: n + asr.Rate/3, Confidence: 0.9})
	}
	return words
}

func loud(n int) []int16 {
	samples := make([]int16, n)
	for i := range samples {
		samples[i] = int16(4000 * (1 - i%2*2))
	}
	return samples
}

// TestAnswers has engines return text that nobody spoke, and spoken text that resembles it.
func TestAnswers(t *testing.T) {
	twenty := strings.Repeat("I will be there on Friday. ", 20)
	for _, c := range []struct {
		in, want, dropped string
		quiet             bool
	}{
		{in: "[BLANK_AUDIO]", dropped: "annotation"},
		{in: "(dramatic music)", dropped: "annotation"},
		{in: "<|fr|> bonjour <|endoftext|>", want: "bonjour", dropped: "token token"},
		{in: "♪ ♪", dropped: "annotation annotation"},
		{in: twenty, want: "I will be there on Friday.", dropped: "loop"},
		{in: "Thanks for watching!", quiet: true, dropped: "credit"},
		{in: "Thanks for watching!", want: "Thanks for watching!"},
		{in: "you", quiet: true, dropped: "filler"},
		{in: "Amara.org", dropped: "credit"},
		{in: "Sous-titrage Société Radio-Canada", dropped: "credit"},
		{in: "Редактор субтитров А.Семкин Корректор А.Егорова", dropped: "credit"},
		{in: "Napisy stworzone przez społeczność Amara.org", dropped: "credit"},
		{in: "Altyazı M.K.", dropped: "credit"},
		{in: "İzlediğiniz için teşekkür ederim.", quiet: true, dropped: "credit"},
		{in: "チャンネル登録をお願いします。", quiet: true, dropped: "credit"},
		{in: "시청해 주셔서 감사합니다.", quiet: true, dropped: "credit"},
		{in: "[Müzik]", dropped: "annotation"},
		{in: "[Nhạc]", dropped: "annotation"},
		{in: "Спасибо за внимание", want: "Спасибо за внимание"},
		{in: "coloca a legenda por favor", want: "coloca a legenda por favor"},
		{in: "die Untertitelung der Oper ist gut", want: "die Untertitelung der Oper ist gut"},
		{in: "the captions by the museum are short", want: "the captions by the museum are short"},
		{in: "no no no no it is (almost) done", want: "no no no no it is (almost) done"},
		{in: "good night", quiet: true, want: "good night"},
	} {
		counts := new(clean.Counts)
		samples := loud(61 * asr.Rate)
		if c.quiet {
			samples = make([]int16, asr.Rate*5)
		}
		r := heard(t, clean.New(answers{asr.Result{Final: true, Timed: true, Words: said(c.in)}}, counts), samples)
		want := map[string]int64{}
		for reason := range strings.FieldsSeq(c.dropped) {
			want[reason]++
		}
		if got := text(r.Words); got != c.want || !maps.Equal(counts.All(), want) || (got == "") != (r.Dropped != "") {
			t.Errorf("%.40q: %q for the reason %q, dropped %v; want %q, %v", c.in, got, r.Dropped, counts.All(),
				c.want, want)
		}
	}
}

// TestDoubted drops a credit that the engine itself does not trust, over any audio.
func TestDoubted(t *testing.T) {
	words := said("Thank you for watching.")
	for i := range words {
		words[i].Confidence = 0.3
	}
	if r := heard(t, clean.New(answers{asr.Result{Final: true, Words: words}}, new(clean.Counts)),
		loud(asr.Rate)); len(r.Words) != 0 || r.Dropped != "credit" {
		t.Errorf("%+v", r)
	}
}

// TestTimes mends times of all kinds: they are in order, within the audio, and each word takes 10
// ms at least; those that may be stay as they are.
func TestTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 20*asr.Rate).Draw(t, "samples")
		time := rapid.OneOf(rapid.IntRange(0, 20*asr.Rate), rapid.IntRange(-100*asr.Rate, 1<<40), rapid.Just(0),
			rapid.Just(n))
		var words []asr.Word
		for i := range rapid.IntRange(1, 12).Draw(t, "words") {
			w := asr.Word{Text: strings.Repeat("a", 1+i%5), Start: time.Draw(t, "start")}
			w.End = rapid.OneOf(time, rapid.Just(w.Start)).Draw(t, "end")
			w.Confidence = rapid.SampledFrom([]float64{0, 0.5, 1, 7, -3, math.NaN(), math.Inf(1)}).Draw(t, "confidence")
			words = append(words, w)
		}
		r := heard(t, clean.New(answers{asr.Result{Final: true, Timed: true, Words: words}}, new(clean.Counts)),
			loud(n))
		at := 0
		for i, w := range r.Words {
			long := w.End-w.Start >= asr.Rate/100 || n < len(words)*asr.Rate/100
			if w.Start < at || w.End < w.Start || w.End > n || !long || !(w.Confidence >= 0 && w.Confidence <= 1) {
				t.Fatalf("word %d of %d is %+v, the one before ends at %d", i, n, w, at)
			}
			at = w.End
		}
	})
	for _, words := range [][]asr.Word{said("fine as it is"), said("one")} {
		r := heard(t, clean.New(answers{asr.Result{Final: true, Timed: true, Words: append([]asr.Word(nil),
			words...)}}, new(clean.Counts)), loud(5*asr.Rate))
		for i, w := range r.Words {
			if w != words[i] {
				t.Errorf("%+v became %+v", words[i], w)
			}
		}
	}
}

// TestNoTime has words that an engine puts at the end of others: they get time where there is some.
func TestNoTime(t *testing.T) {
	words := said("the old grey cat slept")
	words[2].Start, words[2].End = words[1].End, words[1].End // as after a vote on a word of an engine without times
	counts := new(clean.Counts)
	r := heard(t, clean.New(answers{asr.Result{Final: true, Timed: true, Words: words}}, counts), loud(5*asr.Rate))
	if grey := r.Words[2]; grey.End-grey.Start < asr.Rate/10 || grey.Start < r.Words[1].End ||
		grey.End > r.Words[3].Start || counts.All()["times"] != 0 {
		t.Errorf("%+v, %v", r.Words, counts.All())
	}
}
