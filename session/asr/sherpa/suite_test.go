package sherpa

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/schedule"
	"steno/session/asr/sherpa/internal/fakemodels"
)

func TestSuite(t *testing.T) {
	first, _ := fakemodels.English().Speak("alpha", "bravo", "no", "hotel")
	second, _ := fakemodels.English().Speak("golf", "golf", "delta")
	for name, models := range map[string][]string{
		"streaming CTC": {streamCTC}, "streaming transducer": {streamTransducer},
		"CTC": {wholeCTC}, "transducer": {wholeTransducer}, "two passes": {streamCTC, wholeTransducer},
	} {
		t.Run(name, func(t *testing.T) {
			asrtest.Run(t, func(t *testing.T) asr.Recognizer { return serve(t, Config{}, models...) }, first, second)
		})
	}
}

// TestWordsAndTimes holds each kind of model to what was said and when.
func TestWordsAndTimes(t *testing.T) {
	said := []string{"alpha", "bravo", "no", "hotel", "no", "golf", "bravotel", "echo"}
	samples, pieces := fakemodels.English().Speak(said...)
	var starts, ends []int
	for _, p := range pieces {
		if strings.HasPrefix(p.Text, fakemodels.Start) {
			starts = append(starts, p.Start)
			ends = append(ends, p.End)
		}
		ends[len(ends)-1] = p.End
	}
	for _, models := range [][]string{{streamCTC}, {streamTransducer}, {wholeCTC}, {wholeTransducer},
		{streamTransducer, wholeCTC}} {
		r := serve(t, Config{}, models...)
		_, final := decode(t, r, asr.Params{Partials: true}, samples)
		last := models[len(models)-1]
		if got := texts(final.Words); !slices.Equal(got, said) || !final.Timed || final.Engine != "sherpa/"+last ||
			final.Language != "en" {
			t.Errorf("%v: %q, timed %v, of %s in %q", models, got, final.Timed, final.Engine, final.Language)
			continue
		}
		const near = asr.Rate * 8 / 100
		for i, w := range final.Words {
			if w.Start < starts[i]-near || w.Start > starts[i]+near || w.End <= w.Start || w.End > ends[i]+3*near {
				t.Errorf("%v: %q from %d to %d, said from %d to %d", models, w.Text, w.Start, w.End, starts[i], ends[i])
			}
			if sure := w.Confidence > 0; sure != strings.Contains(last, "transducer") {
				t.Errorf("%v: confidence %v of %q", models, w.Confidence, w.Text)
			}
		}
	}
}

// TestPartials expects partials to grow while an utterance is spoken.
func TestPartials(t *testing.T) {
	samples, _ := fakemodels.English().Speak("alpha", "bravo", "hotel", "echo")
	samples = append(samples, make([]int16, asr.Rate)...)
	for name, models := range map[string][]string{"streaming": {streamTransducer}, "two passes": {streamCTC, wholeCTC},
		"whole": {wholeCTC}} {
		r := serve(t, Config{}, models...)
		u, err := r.Open(t.Context(), asr.Params{Partials: true})
		if err != nil {
			t.Fatal(err)
		}
		for block := range slices.Chunk(samples, asr.Rate/2) {
			if err := u.Write(block); err != nil {
				t.Fatal(err)
			}
			soon(t, "decoded", func() bool {
				f := r.Figures().Models[0]
				return f.Running == 0 && f.Waiting[schedule.FirstPartial]+f.Waiting[schedule.Partial] == 0
			})
		}
		for n := 0; n < 4; {
			partial, err := u.Recv()
			if err != nil || partial.Final || len(partial.Words) < n || partial.Engine != "sherpa/"+models[0] {
				t.Fatalf("%s: partial %+v after %d words, %v", name, partial, n, err)
			}
			n = len(partial.Words)
		}
		if err := u.End(); err != nil {
			t.Fatal(err)
		}
		if final := finalOf(t, u); len(final.Words) != 4 {
			t.Errorf("%s: final %+v", name, final)
		}
	}
}

// TestCompany expects the same finals from an utterance alone and among many in one decode call.
func TestCompany(t *testing.T) {
	words := []string{"alpha", "bravo", "delta", "echo", "golf", "hotel", "no"}
	for _, models := range [][]string{{streamCTC}, {streamTransducer}, {wholeCTC}} {
		r := serve(t, Config{Slots: 1, Batch: 8}, models...)
		var audio [][]int16
		var want []asr.Result
		for i := range 5 {
			samples, _ := fakemodels.English().Speak(append(slices.Clone(words[i%7:]), words[:i%5]...)...)
			audio = append(audio, samples)
			_, final := decode(t, r, asr.Params{}, samples)
			want = append(want, final)
		}
		open := make([]asr.Stream, len(audio))
		for i := range audio {
			u, err := r.Open(t.Context(), asr.Params{Partials: i%2 == 0})
			if err != nil {
				t.Fatal(err)
			}
			open[i] = u
		}
		for i, u := range open {
			if err := u.Write(audio[i]); err != nil {
				t.Fatal(err)
			}
		}
		for i, u := range open {
			if err := u.End(); err != nil {
				t.Fatal(err)
			}
			if final := finalOf(t, u); !reflect.DeepEqual(final, want[i]) {
				t.Errorf("%v: among others %+v, alone %+v", models, final, want[i])
			}
		}
		if f := r.Figures().Models[0]; models[0] != wholeCTC && f.LargestBatch < 2 {
			t.Errorf("%v: nothing was decoded in company: %+v", models, f)
		}
	}
}

func finalOf(t testing.TB, u asr.Stream) asr.Result {
	t.Helper()
	for {
		result, err := u.Recv()
		if err != nil {
			t.Fatal(err)
		}
		result.Queued = 0 // independent of the text
		if result.Final {
			return result
		}
	}
}

// TestVocabulary has a transducer recognize a word of the vocabulary in place of another.
func TestVocabulary(t *testing.T) {
	var s fakemodels.Speech
	s.Pause(200e6)
	s.Mumble(fakemodels.English(), "alpha", "alta")
	s.Pause(200e6)
	term := []asr.Term{{Text: "Alta", Intensity: 0.5}}
	for _, name := range []string{streamTransducer, wholeTransducer, "without scores of pieces"} {
		var r *Recognizer
		if name == "without scores of pieces" {
			name = streamTransducer
			dir := t.TempDir()
			install(t, dir, name)
			if err := os.Remove(filepath.Join(dir, name, "bpe.vocab")); err != nil {
				t.Fatal(err)
			}
			r = open(t, Config{Dir: dir})
		} else {
			r = serve(t, Config{}, name)
		}
		for _, test := range []struct {
			vocabulary []asr.Term
			want       string
		}{
			{nil, "alpha"}, {term, "alta"}, {[]asr.Term{{Text: "zorblax/ :x"}, {Text: "ice-cream"}, {Text: ":"},
				{Text: "#1"}, {Text: "<blk>"}, {}, {Text: "alta/:"}}, "alpha"}, {nil, "alpha"},
		} {
			_, final := decode(t, r, asr.Params{Vocabulary: test.vocabulary}, s.Samples)
			if got := strings.Join(texts(final.Words), " "); got != test.want {
				t.Errorf("%s: with %v %q, want %q", name, test.vocabulary, got, test.want)
			}
		}
		greedy := serve(t, Config{Greedy: true}, name)
		if _, final := decode(t, greedy, asr.Params{Vocabulary: term}, s.Samples); strings.Join(texts(final.Words),
			" ") != "alpha" {
			t.Errorf("%s: greedy: %+v", name, final)
		}
	}
}

// TestLanguages serves each language with a model of its own.
func TestLanguages(t *testing.T) {
	r := serve(t, Config{}, wholeCTC, wholeFrench, streamCTC)
	french, _ := fakemodels.French().Speak("bonjour", "café", "été")
	_, final := decode(t, r, asr.Params{Language: "fr", Partials: true}, french)
	if got := strings.Join(texts(final.Words), " "); got != "bonjour café été" || final.Language != "fr" ||
		final.Engine != "sherpa/"+wholeFrench {
		t.Errorf("%q in %q by %s", got, final.Language, final.Engine)
	}
	models, err := r.Models(t.Context())
	if err != nil || len(models) != 3 || models[0].Name != streamCTC || !models[0].Partials ||
		models[2].Languages[0] != "fr" {
		t.Errorf("models %+v, %v", models, err)
	}
}
