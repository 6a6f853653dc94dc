//go:build linux && cgo && (amd64 || arm64 || arm)

package capabilities

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"steno/session/asr"
	"steno/session/asr/riva/wire"
	"steno/session/asr/sherpa/folder"
)

func TestIdentifyHearsLanguages(t *testing.T) {
	i, err := NewIdentifier(whisper(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	for _, c := range []struct {
		name    string
		samples []int16
		among   []string
		want    string
		err     error
	}{
		{"low", tone(low, 3*asr.Rate), nil, "en", nil},
		{"high", tone(high, 3*asr.Rate), nil, "de", nil},
		{"one sample", silence(1), nil, "yi", nil},
		{"short", tone(high, 1000), nil, "de", nil},
		{"beyond what is listened to", join(tone(low, 30*asr.Rate), tone(high, asr.Rate)), nil, "en", nil},
		{"among", tone(low, asr.Rate), []string{"de", "en"}, "en", nil},
		{"among one", tone(low, asr.Rate), []string{"de"}, "de", nil},
		{"among one known", tone(low, asr.Rate), []string{"fr", "de"}, "de", nil},
		{"in a part", join(tone(low, 3*asr.Rate/2), tone(high, asr.Rate/2), silence(4*asr.Rate)), []string{"yi", "en"},
			"en", nil},
		{"none of them", tone(low, 4*asr.Rate), []string{"de", "yi"}, "", asr.ErrLanguage},
		{"unknown", tone(low, asr.Rate), []string{"fr"}, "", asr.ErrLanguage},
		{"empty", nil, nil, "", asr.ErrUnavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := i.Identify(t.Context(), c.samples, c.among)
			if got != c.want || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v, want %q, %v", got, err, c.want, c.err)
			}
		})
	}
}

func TestIdentifyFromManyGoroutines(t *testing.T) {
	i, err := NewIdentifier(whisper(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for n := range maxWaiting {
		calls.Go(func() {
			hertz, want := low, "en"
			if n%2 == 0 {
				hertz, want = high, "de"
			}
			if got, err := i.Identify(context.Background(), tone(hertz, asr.Rate), nil); got != want || err != nil {
				t.Errorf("got %q, %v, want %s", got, err, want)
			}
		})
	}
	calls.Wait()
	for range 2 {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := i.Identify(t.Context(), tone(low, asr.Rate), nil); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("after Close: %v", err)
	}
}

func TestPunctuateOffline(t *testing.T) {
	p, err := NewPunctuator(ctTransformer(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for text, want := range map[string]string{
		"hello world":             "Hello, world.",
		"Hello  how are you well": "Hello,  how are you? Well.",
		"你好世界":                    "你好，世界。",
		"你好 hello world":          "你好， hello, world.",
		"":                        "",
		" \n":                     " \n",
		"a\x00b":                  "a\x00b",
		"a\xffb":                  "a\xffb",
		"hello, world":            "Hello, world.",
		"it's 3.5 hello":          "It's 3.5 hello.",
	} {
		got, err := p.Punctuate(t.Context(), "en", text)
		if got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
	if _, err := p.Punctuate(t.Context(), "fr", "bonjour"); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("another language: %v", err)
	}
}

// TestPunctuateLongText has every length around those at which the library cuts text.
func TestPunctuateLongText(t *testing.T) {
	p, err := NewPunctuator(ctTransformer(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	words := []string{"Hello,"}
	text := "hello"
	for range 250 {
		words = append(words, "world")
		text += " world"
		got, err := p.Punctuate(t.Context(), "", text)
		if want := strings.Join(words, " ") + "."; got != want || err != nil {
			t.Fatalf("%d words: got %q, %v", len(words), got, err)
		}
	}
	if _, err := p.Punctuate(t.Context(), "", string(make([]byte, wire.MaxText+1))); !errors.Is(err,
		asr.ErrUnavailable) {
		t.Errorf("too long a text: %v", err)
	}
}

func TestPunctuateOnline(t *testing.T) {
	p, err := NewPunctuator(cnnBiLSTM(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for text, want := range map[string]string{
		"hello nasa":       "Hello, NASA.",
		"oo hello  nasa o": "oo Hello,  NASA. o",
		"unknown hello":    "unknown Hello,",
		"":                 "",
	} {
		got, err := p.Punctuate(t.Context(), "en", text)
		if got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
}

func diarizer(t *testing.T) *Diarizer {
	t.Helper()
	dir := named(t, "both")
	segmentation(t, dir, "segmentation.onnx")
	embedding(t, dir, "voices.onnx")
	m := read(t, dir)
	d, err := NewDiarizer(m, m, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// said makes turns of start, end and speaker.
func said(all ...[3]int) []asr.Turn {
	var made []asr.Turn
	for _, t := range all {
		made = append(made, asr.Turn{Start: t[0], End: t[1], Speaker: t[2]})
	}
	return made
}

// near reports whether turns are those wanted, to a tenth of a second.
func near(got, want []asr.Turn) bool {
	return slices.EqualFunc(got, want, func(a, b asr.Turn) bool {
		return max(a.Start-b.Start, b.Start-a.Start, a.End-b.End, b.End-a.End) < asr.Rate/10 && a.Speaker == b.Speaker
	})
}

func TestDiarize(t *testing.T) {
	d := diarizer(t)
	const s = asr.Rate
	for _, c := range []struct {
		name    string
		samples []int16
		exactly int
		want    []asr.Turn
	}{
		{"nothing", nil, 0, nil},
		{"one sample", silence(1), 0, nil},
		{"silence", silence(5 * s), 2, nil},
		{"the high one first", join(tone(high, 2*s), silence(s), tone(low, 2*s)), 0, said([3]int{0, 2 * s, 0},
			[3]int{3 * s, 5 * s, 1})},
		{
			"one comes back", join(tone(low, 2*s), silence(s), tone(high, 2*s), silence(s), tone(low, 2*s)), 2,
			said([3]int{0, 2 * s, 0}, [3]int{3 * s, 5 * s, 1}, [3]int{6 * s, 8 * s, 0}),
		},
		{"exactly one", join(tone(low, 2*s), silence(s), tone(high, 2*s)), 1, said([3]int{0, 2 * s, 0},
			[3]int{3 * s, 5 * s, 0})},
		{
			"within one window", join(tone(low, s/2), silence(3*s/4), tone(high, s/2)), 1,
			said([3]int{0, s / 2, 0}, [3]int{5 * s / 4, 7 * s / 4, 0}),
		},
		{"two within one window", join(tone(low, s/2), silence(s/2), tone(high, s/2)), 2, said([3]int{0, s / 2, 0},
			[3]int{s, 3 * s / 2, 1})},
		{"speech up to the end", tone(low, 7*s/2+1), 0, said([3]int{0, 7*s/2 + 1, 0})},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := d.Diarize(t.Context(), c.samples, asr.Speakers{Exactly: c.exactly})
			if err != nil || !near(got, c.want) {
				t.Errorf("got %v, %v, want %v", got, err, c.want)
			}
		})
	}
	if _, err := d.Diarize(t.Context(), silence(s), asr.Speakers{Exactly: -1}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("less than no speaker: %v", err)
	}
}

// TestDiarizeMoreThanThereAre asks for more speakers than there are stretches of speech.
func TestDiarizeMoreThanThereAre(t *testing.T) {
	d := diarizer(t)
	const s = asr.Rate
	got, err := d.Diarize(t.Context(), join(tone(low, s/2), silence(s/2), tone(high, s/2)), asr.Speakers{Exactly: 40})
	if err != nil || !near(got, said([3]int{0, s / 2, 0}, [3]int{s, 3 * s / 2, 1})) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestDiarizerOfTwoFolders(t *testing.T) {
	a, b := named(t, "a"), named(t, "b")
	segmentation(t, a, "model.onnx")
	embedding(t, b, "model.onnx")
	d, err := NewDiarizer(read(t, a), read(t, b), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := d.Diarize(t.Context(), silence(9), asr.Speakers{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := NewDiarizer(read(t, b), read(t, a), 1); err == nil {
		t.Error("segmentation and embedding exchanged: no error")
	}
}

func TestConstructorsRefuseOtherKinds(t *testing.T) {
	wrong := folder.Model{Name: "m", Kind: folder.OfflineParaformer}
	_, identifier := NewIdentifier(wrong, 1)
	_, english := NewIdentifier(folder.Model{Name: "m", Kind: folder.OfflineWhisper}, 1)
	_, punctuator := NewPunctuator(wrong, 1)
	_, segments := NewDiarizer(wrong, wrong, 1)
	_, denoiser := NewDenoiser(wrong, 1)
	_, rate := NewDenoiser(folder.Model{Name: "m", Kind: folder.Denoiser, Rate: 48000}, 1)
	for name, err := range map[string]error{
		"identifier": identifier, "identifier of English": english, "punctuator": punctuator, "diarizer": segments,
		"denoiser": denoiser, "denoiser of another rate": rate,
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
