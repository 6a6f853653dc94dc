package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// apiLanguages are the codes of the public API.
const apiLanguages = "af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr " +
	"ht hu hy id is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru " +
	"sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh"

func TestEveryLanguageGoesThereAndBack(t *testing.T) {
	seen := map[string]bool{}
	for _, code := range strings.Fields(apiLanguages) {
		tag := wire.Tag(code)
		if tag == "" || seen[tag] || wire.Code(tag) != code {
			t.Errorf("%s -> %q -> %q", code, tag, wire.Code(tag))
		}
		seen[tag] = true
	}
	for tag, code := range map[string]string{
		"en": "en", "EN-gb": "en", "zh-Hant-TW": "zh", "pt_BR": "pt", "cmn-CN": "zh", "nb": "no", "nn": "nn",
		"iw-IL": "he", "fil": "tl",
		"tlh": "", "": "", "multi": "", "-US": "",
	} {
		if got := wire.Code(tag); got != code {
			t.Errorf("%q -> %q, want %q", tag, got, code)
		}
	}
	if tag := wire.Tag("tlh"); tag != "" {
		t.Errorf("tag %q for a code that does not exist", tag)
	}
}

func TestResultsGoThereAndBack(t *testing.T) {
	const samples = 32000
	for name, r := range map[string]asr.Result{
		"timed": {Timed: true, Words: []asr.Word{
			{Text: "New York", Start: 160, End: 1600, Confidence: 0.123}, {Text: "ha", Start: 1600, End: 32000,
				Confidence: 1}}},
		"confidences only": {Words: []asr.Word{{Text: "a b", Confidence: 0.5}, {Text: "c"}}},
		"texts only":       {Words: []asr.Word{{Text: "a"}, {Text: "b"}}},
		"nothing":          {},
	} {
		words, timed := wire.Words(wire.Alternative(r, true), 0, samples)
		if timed != r.Timed || !slices.Equal(words, r.Words) {
			t.Errorf("%s: %+v timed %v, want %+v", name, words, timed, r)
		}
	}
}

func TestErrorsGoThereAndBack(t *testing.T) {
	for _, want := range []error{asr.ErrTooLong, asr.ErrLanguage, asr.ErrUnavailable, asr.ErrBusy} {
		wrapped := errors.Join(errors.New("while decoding"), want)
		if got := wire.Cause(wire.Status(wrapped)); !errors.Is(got, want) {
			t.Errorf("%v became %v", want, got)
		}
	}
	for err, code := range map[error]codes.Code{
		nil: codes.OK, context.Canceled: codes.Canceled, context.DeadlineExceeded: codes.DeadlineExceeded,
		errors.New("x"): codes.Internal, status.Error(codes.NotFound, "y"): codes.NotFound,
		errors.New(strings.Repeat("é", 4000)): codes.Internal,
	} {
		s := status.Convert(wire.Status(err))
		if s.Code() != code || len(s.Message()) > 1024 {
			t.Errorf("%v became %v", err, s)
		}
	}
	if err := wire.Cause(status.Error(codes.ResourceExhausted, "busy")); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("a busy server: %v", err)
	}
}

func TestVocabularyIsBounded(t *testing.T) {
	long := strings.Repeat("x", wire.MaxPhraseBytes+1)
	spoken := func(list ...string) string {
		b, err := json.Marshal(map[string][]string{"x": list})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for name, test := range map[string]struct {
		context *rivapb.SpeechContext
		spoken  string
	}{
		"many":               {context: &rivapb.SpeechContext{Phrases: make([]string, wire.MaxPhrases+1)}},
		"long":               {context: &rivapb.SpeechContext{Phrases: []string{long}}},
		"not a number":       {context: &rivapb.SpeechContext{Phrases: []string{"x"}, Boost: float32(math.NaN())}},
		"many spoken":        {spoken: spoken(make([]string, wire.MaxPronunciations+1)...)},
		"long pronunciation": {spoken: spoken(long)},
		"no list":            {spoken: `{"x": "y"}`},
	} {
		c := wire.Config(asr.Params{}, "").Config
		if test.context != nil {
			c.SpeechContexts = []*rivapb.SpeechContext{test.context}
		}
		c.CustomConfiguration = map[string]string{"steno_pronunciations": test.spoken}
		if p, err := wire.Params(c, false, "", ""); err == nil {
			t.Errorf("%s: taken as %d terms", name, len(p.Vocabulary))
		}
	}
	if _, err := wire.Params(wire.Config(asr.Params{}, "").Config, false, "soon", ""); err == nil {
		t.Error("an unknown priority was taken")
	}
}

// Of a vocabulary that a server would refuse, what it takes is sent.
func TestVocabularyIsCut(t *testing.T) {
	long := strings.Repeat("x", wire.MaxPhraseBytes+1)
	var sounds []string
	for i := range wire.MaxPronunciations + 1 {
		sounds = append(sounds, strconv.Itoa(i))
	}
	var terms []asr.Term
	for i := range wire.MaxPhrases + 1 {
		terms = append(terms, asr.Term{Text: strconv.Itoa(i)})
	}
	for name, test := range map[string]struct{ given, want []asr.Term }{
		"long": {[]asr.Term{{Text: "a"}, {Text: long}, {Text: "b"}},
			[]asr.Term{{Text: "a"}, {Text: "b"}}},
		"many": {terms, terms[:wire.MaxPhrases]},
		"long pronunciation": {[]asr.Term{{Text: "a", Pronunciations: []string{long, "b"}}},
			[]asr.Term{{Text: "a", Pronunciations: []string{"b"}}}},
		"many spoken": {[]asr.Term{{Text: "a", Pronunciations: sounds}},
			[]asr.Term{{Text: "a", Pronunciations: sounds[:wire.MaxPronunciations]}}},
		"many spoken of the same term twice": {[]asr.Term{{Text: "a", Pronunciations: sounds[:20]},
			{Text: "a", Pronunciations: sounds[20:]}},
			slices.Repeat([]asr.Term{{Text: "a", Pronunciations: sounds[:wire.MaxPronunciations]}}, 2)},
	} {
		p := asr.Params{Vocabulary: test.given}
		c := wire.Config(p, "").Config
		if err := wire.Extend(c, p); err != nil {
			t.Fatal(err)
		}
		if got, err := wire.Params(c, false, "", ""); err != nil || !reflect.DeepEqual(got.Vocabulary, test.want) {
			t.Errorf("%s: %d terms, %v; want %d", name, len(got.Vocabulary), err, len(test.want))
		}
	}
}

func TestLanguagesGoThereAndBack(t *testing.T) {
	for _, want := range [][]string{nil, {"en"}, {"haw", "en", "jw"}, strings.Fields(apiLanguages)} {
		c := wire.Config(asr.Params{}, "").Config
		if err := wire.Extend(c, asr.Params{Languages: want}); err != nil {
			t.Fatal(err)
		}
		if p, err := wire.Params(c, false, "", ""); err != nil || !slices.Equal(p.Languages, want) {
			t.Errorf("got %v, %v; want %v", p.Languages, err, want)
		}
	}
	if err := wire.Extend(&rivapb.RecognitionConfig{}, asr.Params{Languages: []string{"en", "tlh"}}); !errors.Is(err,
		asr.ErrLanguage) {
		t.Errorf("sent an unknown language: %v", err)
	}
	for text, want := range map[string]error{
		"tlh": asr.ErrLanguage, "en,": asr.ErrLanguage, "en, de": asr.ErrLanguage, "en-US": asr.ErrLanguage,
		strings.Repeat("en,", wire.MaxLanguages) + "en": nil,
	} {
		c := wire.Config(asr.Params{}, "").Config
		c.CustomConfiguration = map[string]string{"steno_languages": text}
		if p, err := wire.Params(c, false, "", ""); err == nil || errors.Is(err, asr.ErrLanguage) != (want != nil) {
			t.Errorf("%.20q: taken as %v, %v", text, p.Languages, err)
		}
	}
}

// FuzzParams reads requests from anyone.
func FuzzParams(f *testing.F) {
	terms := []asr.Term{{Text: "Zorblax", Intensity: 0.5, Pronunciations: []string{"zor blacks"}}, {Text: "x"}}
	config := wire.Config(asr.Params{Vocabulary: terms}, "en-US").Config
	if err := wire.Extend(config, asr.Params{Vocabulary: terms, Languages: []string{"en", "haw"}}); err != nil {
		f.Fatal(err)
	}
	seed, err := proto.Marshal(config)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed, "replay")
	f.Fuzz(func(t *testing.T, b []byte, priority string) {
		var c rivapb.RecognitionConfig
		if proto.Unmarshal(b, &c) != nil {
			return
		}
		p, err := wire.Params(&c, true, priority, "")
		if err != nil {
			return
		}
		if len(p.Vocabulary) > wire.MaxPhrases || len(p.Languages) > wire.MaxLanguages {
			t.Errorf("%d terms, %d languages", len(p.Vocabulary), len(p.Languages))
		}
		for _, term := range p.Vocabulary {
			if !(term.Intensity >= 0 && term.Intensity <= 1) || len(term.Text) > wire.MaxPhraseBytes {
				t.Errorf("term %+v", term)
			}
		}
	})
}

// FuzzWords reads results from any server.
func FuzzWords(f *testing.F) {
	seed, err := proto.Marshal(wire.Alternative(asr.Result{Timed: true,
		Words: []asr.Word{{Text: "a", Start: 16, End: 32}}}, true))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed, 16000)
	f.Fuzz(func(t *testing.T, b []byte, samples int) {
		var a rivapb.SpeechRecognitionAlternative
		if samples < 0 || proto.Unmarshal(b, &a) != nil {
			return
		}
		words, timed := wire.Words(&a, 0, samples)
		before := 0
		for _, w := range words {
			if w.Text == "" || strings.TrimSpace(w.Text) != w.Text || w.Start < before || w.End < w.Start ||
				w.End > samples ||
				!(w.Confidence >= 0 && w.Confidence <= 1) || !timed && w.End != 0 {
				t.Fatalf("word %+v after %d of %d samples, timed %v", w, before, samples, timed)
			}
			before = w.Start
		}
	})
}

// FuzzPCM holds that the cutting of bytes into messages changes no sample.
func FuzzPCM(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7}, 3)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		if cut < 0 || cut > len(b) {
			return
		}
		var whole, parts wire.PCM
		want := whole.Samples(b)
		got := slices.Clone(parts.Samples(b[:cut]))
		got = append(got, parts.Samples(nil)...)
		got = append(got, parts.Samples(b[cut:])...)
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if back := audio.AppendPCM(nil, want); !reflect.DeepEqual(back, b[:len(b)&^1]) && len(b) > 1 {
			t.Errorf("back %v, want %v", back, b)
		}
	})
}

func TestQueuedIsASCII(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 35600 * time.Nanosecond, 90 * time.Second} {
		text := wire.Queued(d)
		back, err := time.ParseDuration(text)
		if err != nil || back != d {
			t.Errorf("%v is written %q, which reads as %v, %v", d, text, back, err)
		}
		for _, c := range text {
			if c > 0x7e {
				t.Errorf("%v is written %q", d, text)
			}
		}
	}
}
