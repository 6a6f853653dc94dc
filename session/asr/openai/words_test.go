package openai_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/openai"
)

const second = asr.Rate

// answers are of two seconds of audio.
var answers = []struct {
	name  string
	body  string
	words []asr.Word
}{
	{"nothing", `{"text":""}`, nil},
	{"silence", `{"language":"english","text":" ","segments":[],"words":[]}`, nil},
	{"text", `{"text":" one  three\n"}`, []asr.Word{{Text: "one", End: second * 3 / 4},
		{Text: "three", Start: second * 3 / 4, End: 2 * second}}},
	{"bare words, dressed text", `{"text":"Well, it's O.K.","words":[{"word":"well","start":0,"end":0.5},` +
		`{"word":"it's","start":0.5,"end":1},{"word":"OK","start":1,"end":1.5}]}`,
		[]asr.Word{{Text: "Well,", End: second / 2}, {Text: "it's", Start: second / 2, End: second},
			{Text: "O.K.", Start: second, End: second * 3 / 2}}},
	{"other words in the text",
		`{"text":"10 m","words":[{"word":"ten","start":0,"end":0.5},{"word":"metres","start":0.5,"end":1}]}`,
		[]asr.Word{{Text: "ten", End: second / 2}, {Text: "metres", Start: second / 2, End: second}}},
	{"times a little beyond",
		`{"text":"a b","words":[{"word":"a","start":0,"end":1},{"word":"b","start":0.5,"end":2.9}]}`,
		[]asr.Word{{Text: "a", End: second}, {Text: "b", Start: second / 2, End: 2 * second}}},
	{"segments beyond all bounds", `{"segments":[{"start":-1e308,"end":1e308,"text":"a b"}]}`, halves},
	{"segments without a length", `{"segments":[{"start":1,"end":1,"text":"a"},{"start":NaN,"end":NaN,"text":"b"}]}`,
		halves},
	{"segments in no order", `{"segments":[{"start":1,"end":2,"text":"a"},{"start":0,"end":1,"text":"b"}]}`, halves},
	{"words without times", `{"text":"a b","words":[{"word":"a"},{"word":"b"}]}`, halves},
	{"a string", `"a b"`, halves},
	{"details of other types", `{"text":"a b","words":"none","segments":[{"start":[],"text":3}]}`, halves},
	{"segments", `{"text":"aa bb cccc","segments":[{"start":0,"end":1,"text":" aa bb","avg_logprob":-0.6931472},{"start":1.5,"end":2,"text":" cccc","avg_logprob":0}]}`,
		[]asr.Word{{Text: "aa", End: second / 2, Confidence: 0.5}, {Text: "bb", Start: second / 2, End: second,
			Confidence: 0.5}, {Text: "cccc", Start: second * 3 / 2, End: 2 * second}}},
	{"confidence of the segment",
		`{"text":"a b","segments":[{"start":0,"end":1,"text":"a","avg_logprob":-0.6931472},{"start":1.25,"end":2,"text":"b","avg_logprob":-Infinity}],` +
			`"words":[{"word":"a","start":0,"end":1},{"word":"b","start":1.5,"end":2,"probability":7}]}`,
		[]asr.Word{{Text: "a", End: second, Confidence: 0.5}, {Text: "b", Start: second * 3 / 2, End: 2 * second,
			Confidence: 1}}},
	{"parts in segments",
		`{"segments":[{"start":0,"end":1,"text":" Hello there.","words":[{"word":" Hel","start":0,"end":0.25,"probability":0.9},` +
			`{"word":"lo","start":0.25,"end":0.5,"probability":0.4},{"word":" there","start":0.5,"end":1,"probability":0.8},{"word":".","start":1,"end":1,"probability":1}]}]}`,
		[]asr.Word{{Text: "Hello", End: second / 2, Confidence: 0.4}, {Text: "there.", Start: second / 2, End: second,
			Confidence: 0.8}}},
	{"a script without spaces",
		`{"text":"你好","words":[{"word":"你","start":0,"end":0.5},{"word":"好","start":0.5,"end":1}]}`,
		[]asr.Word{{Text: "你", End: second / 2}, {Text: "好", Start: second / 2, End: second}}},
	{"null for all", `{"text":"a","language":null,"segments":null,"words":null,"error":null}`,
		[]asr.Word{{Text: "a", End: 2 * second}}},
}

// halves are two words that share two seconds.
var halves = []asr.Word{{Text: "a", End: second}, {Text: "b", Start: second, End: 2 * second}}

func TestAnswers(t *testing.T) {
	for _, a := range answers {
		words, dropped, err := openai.WordsForTest([]byte(a.body), "application/json", 2*second)
		if err != nil || len(words) != len(a.words) || len(words) > 0 && !reflect.DeepEqual(words, a.words) ||
			len(dropped) > 0 {
			t.Errorf("%s: %+v, dropped %v, %v; want %+v", a.name, words, dropped, err, a.words)
		}
	}
	words, _, err := openai.WordsForTest([]byte("one two\n"), "text/plain; charset=utf-8", second)
	if err != nil || texts(words) != "one two" {
		t.Errorf("plain text: %+v, %v", words, err)
	}
	for _, body := range []string{`{"text":"one`, "<!doctype html><title>Welcome</title>", "", "caf\xe9", "[1, 2]"} {
		if _, _, err := openai.WordsForTest([]byte(body), "text/plain", second); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("%q as plain text: %v", body, err)
		}
	}
}

// TestNoWordAcrossAPause has words without times, in an audio with a pause of a second: they lie on
// both sides of it.
func TestNoWordAcrossAPause(t *testing.T) {
	samples := make([]int16, 3*second)
	for i := range samples {
		if i < second || i >= 2*second {
			samples[i] = int16(3000 * (1 - i%2*2))
		}
	}
	for _, body := range []string{
		`{"text":"alpha bravo charlie delta"}`,
		`{"text":"alpha bravo charlie delta","segments":[{"start":0,"end":4,"text":"alpha bravo charlie delta"}]}`,
	} {
		words, _, err := openai.WordsOfForTest([]byte(body), "application/json", samples)
		if err != nil || len(words) != 4 {
			t.Fatalf("%+v, %v", words, err)
		}
		for i, w := range words {
			if (i < 2) != (w.End <= second*11/10) || (i >= 2) != (w.Start >= second*19/10) {
				t.Errorf("%s: %+v is across the pause", body, w)
			}
		}
	}
}

func TestNamesOfLanguages(t *testing.T) {
	for said, want := range map[string]string{
		"english": "en", "English": "en", "en": "en", "en-US": "en", "EN_gb": "en", "haitian creole": "ht",
		"javanese": "jw", "jv": "jw",
		"zh": "zh", "haw": "haw", "": "", "klingon": "", "tlh": "", "-": "",
	} {
		if got := openai.CodeForTest(said); got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
}

// FuzzAnswers reads answers from any server.
func FuzzAnswers(f *testing.F) {
	for _, a := range answers {
		f.Add([]byte(a.body), false)
	}
	f.Add([]byte("one two"), true)
	f.Fuzz(func(t *testing.T, body []byte, plain bool) {
		kind := "application/json"
		if plain {
			kind = "text/plain"
		}
		words, _, err := openai.WordsForTest(body, kind, 2*second)
		if err != nil {
			return
		}
		before := 0
		for _, w := range words {
			if w.Text == "" || strings.TrimSpace(w.Text) != w.Text || w.Start < before || w.End < w.Start ||
				w.End > 2*second ||
				!(w.Confidence >= 0 && w.Confidence <= 1) {
				t.Fatalf("word %+v after %d", w, before)
			}
			before = w.Start
		}
	})
}
