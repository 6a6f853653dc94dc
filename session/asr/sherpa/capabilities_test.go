package sherpa

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
	"steno/session/asr/sherpa/internal/fakemodels"
)

// put writes a model to the folder name of dir atomically.
func put(t testing.TB, dir, name string, write func(string) error) {
	t.Helper()
	unfinished := filepath.Join(dir, "."+name)
	err := errors.Join(os.MkdirAll(unfinished, 0o755), write(unfinished),
		os.Rename(unfinished, filepath.Join(dir, name)))
	if err != nil {
		t.Fatal(err)
	}
}

// whisper writes a model that distinguishes English and French. As a recognizer it returns no text.
func whisper(dir string) error {
	return errors.Join(fakemodels.WriteIdentifier(dir, fakemodels.English(), fakemodels.French()),
		os.WriteFile(filepath.Join(dir, "tiny-tokens.txt"), []byte("IQ== 0\nIg== 1\n"), 0o644))
}

func TestNoAbilities(t *testing.T) {
	r := serve(t, Config{}, wholeCTC)
	_, identify := r.Identify(t.Context(), make([]int16, asr.Rate), nil)
	_, punctuate := r.Punctuate(t.Context(), "en", "how are you")
	_, diarize := r.Diarize(t.Context(), make([]int16, asr.Rate), asr.Speakers{})
	_, denoise := r.Denoise(t.Context())
	for _, err := range []error{identify, punctuate, diarize, denoise} {
		if !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("%v, want ErrUnavailable", err)
		}
	}
}

// TestAbilities has models for what is not recognition come while it runs, each tried first.
func TestAbilities(t *testing.T) {
	dir := t.TempDir()
	var tried []string
	r := open(t, Config{Dir: dir, Rescan: 2 * time.Millisecond, Probe: func(ctx context.Context, dirs ...string) error {
		tried = append(tried, strings.Join(dirs, " "))
		return Probe(ctx, dirs...)
	}})
	put(t, dir, "punct-en", func(dir string) error {
		return fakemodels.WritePunctuator(dir, map[string]string{"hello": fakemodels.Comma, "you": fakemodels.Question})
	})
	soon(t, "punctuating", func() bool { _, err := r.Punctuate(t.Context(), "en", "hello"); return err == nil })
	if got, err := r.Punctuate(t.Context(), "en", "hello how are you"); got != "Hello, how are you?" || err != nil {
		t.Errorf("punctuated %q, %v", got, err)
	}
	if _, err := r.Punctuate(t.Context(), "fr", "bonjour"); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("a language that is not there: %v", err)
	}

	put(t, dir, "voices", func(dir string) error {
		return fakemodels.WriteEmbedder(dir, fakemodels.English(), fakemodels.French())
	})
	put(t, dir, "turns", func(dir string) error {
		return fakemodels.WriteSegmenter(dir, fakemodels.English(), fakemodels.French())
	})
	english, _ := fakemodels.English().Speak("alpha", "bravo", "hotel", "echo")
	french, _ := fakemodels.French().Speak("bonjour", "café", "maison", "été")
	var turns []asr.Turn
	soon(t, "diarizing", func() (ok bool) {
		var err error
		turns, err = r.Diarize(t.Context(), slices.Concat(english, french), asr.Speakers{Exactly: 2})
		return err == nil
	})
	if len(turns) < 2 || turns[0].Speaker == turns[len(turns)-1].Speaker {
		t.Errorf("turns %+v", turns)
	}

	put(t, dir, "denoise", fakemodels.WriteDenoiser)
	soon(t, "denoising", func() bool {
		d, err := r.Denoise(t.Context())
		if err != nil {
			return false
		}
		first, err := d.Write(english)
		rest, closing := d.Close()
		if err != nil || closing != nil || len(first)+len(rest) != len(english) {
			t.Errorf("denoised %d and %d of %d samples, %v, %v", len(first), len(rest), len(english), err, closing)
		}
		return true
	})

	put(t, dir, "tiny-whisper", whisper)
	soon(t, "identifying", func() bool { _, err := r.Identify(t.Context(), english, nil); return err == nil })
	for want, samples := range map[string][]int16{"en": english, "fr": french} {
		if got, err := r.Identify(t.Context(), samples, []string{"en", "fr"}); got != want || err != nil {
			t.Errorf("identified %q, %v; want %q", got, err, want)
		}
	}

	uninstall(t, dir, "voices")
	soon(t, "without speakers", func() bool {
		_, err := r.Diarize(t.Context(), english, asr.Speakers{})
		return errors.Is(err, asr.ErrUnavailable)
	})
	if err := r.Close(); err != nil { // tried is the keeper's until now
		t.Error(err)
	}
	if want := filepath.Join(dir, "turns") + " " + filepath.Join(dir, "voices"); !slices.Contains(tried, want) ||
		len(tried) != 4 {
		t.Errorf("tried %q", tried)
	}
}

// TestIdentifierIsLoadedWhenUsed asks for what needs no model first.
func TestIdentifierIsLoadedWhenUsed(t *testing.T) {
	dir := t.TempDir()
	if err := whisper(dir); err != nil {
		t.Fatal(err)
	}
	spec, err := folder.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	i := &identifier{spec: spec, threads: 1}
	english, _ := fakemodels.English().Speak("alpha", "bravo")
	if got, err := i.Identify(t.Context(), english, []string{"fr"}); got != "fr" || err != nil {
		t.Errorf("of one language: %q, %v", got, err)
	}
	if _, err := i.Identify(t.Context(), english, []string{"xx"}); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("of one that it does not know: %v", err)
	}
	if i.loaded != nil {
		t.Error("loaded for what needs no model")
	}
	if got, err := i.Identify(t.Context(), english, []string{"fr", "en"}); got != "en" || err != nil || i.loaded ==
		nil {
		t.Errorf("of two: %q, %v", got, err)
	}
	if err := i.Close(); err != nil {
		t.Error(err)
	}
	if _, err := i.Identify(t.Context(), english, []string{"fr"}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("closed: %v", err)
	}
}

// TestBadCapability expects a bad model to be reported once, and the others to work.
func TestBadCapability(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "denoise", fakemodels.WriteDenoiser)
	install(t, dir, wholeCTC)
	problems := make(chan error, 100)
	errBad := errors.New("bad")
	r := open(t, Config{
		Dir: dir, Rescan: 2 * time.Millisecond, OnProblem: func(_ string, err error) { problems <- err },
		Probe: func(_ context.Context, dirs ...string) error {
			if filepath.Base(dirs[0]) == "denoise" {
				return errBad
			}
			return nil
		},
	})
	if err := <-problems; !errors.Is(err, errBad) {
		t.Errorf("problem %v", err)
	}
	install(t, dir, wholeFrench)
	soon(t, "taken in", func() bool { return names(t, r) == wholeCTC+" "+wholeFrench })
	if len(problems) > 0 {
		t.Errorf("told again: %v", <-problems)
	}
	if _, err := r.Denoise(t.Context()); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("denoised with a bad model: %v", err)
	}
}

func TestCombine(t *testing.T) {
	make := func(kinds ...folder.Kind) (parts []part) {
		for i, kind := range kinds {
			parts = append(parts, part{name: string(rune('a' + i)), spec: folder.Model{Kind: kind}})
		}
		return parts
	}
	for _, test := range []struct {
		kinds []folder.Kind
		want  string
	}{
		{nil, ""},
		{[]folder.Kind{folder.Embedding, folder.Segmentation, folder.Segmentation}, "b+a"},
		{[]folder.Kind{folder.Embedding, folder.Embedding}, ""},
		{[]folder.Kind{folder.Embedding, folder.Diarization, folder.Segmentation}, "b"},
		{[]folder.Kind{folder.Punctuation, folder.Denoiser, folder.OnlinePunctuation, folder.Denoiser}, "a c b"},
	} {
		var got []string
		for _, parts := range combine(make(test.kinds...)) {
			var names []string
			for _, p := range parts {
				names = append(names, p.name)
			}
			got = append(got, strings.Join(names, "+"))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: %q, want %q", test.kinds, got, test.want)
		}
	}
}

// TestDetection has a model detect the language of utterances without one.
func TestDetection(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "whisper", whisper)
	r := open(t, Config{Dir: dir})
	english, _ := fakemodels.English().Speak("alpha", "bravo")
	french, _ := fakemodels.French().Speak("bonjour", "café")
	for _, test := range []struct {
		samples []int16
		params  asr.Params
		want    string
	}{
		{english, asr.Params{}, "en"}, {french, asr.Params{}, "fr"},
		{french, asr.Params{Languages: []string{"en", "fr"}}, "fr"},
		{french, asr.Params{Languages: []string{"en", "de"}}, "en"}, // only wanted languages are reported
		{french, asr.Params{Language: "en"}, "en"},
		{slices.Concat(french, make([]int16, 40*asr.Rate)), asr.Params{}, "fr"}, // in two parts
		{nil, asr.Params{}, "en"},
	} {
		if _, final := decode(t, r, test.params, test.samples); final.Language != test.want {
			t.Errorf("%+v: %q, want %q", test.params, final.Language, test.want)
		}
	}
}
