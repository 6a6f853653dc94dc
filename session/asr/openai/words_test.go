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
	timed bool
}{
	{"nothing", `{"text":""}`, nil, false},
	{"silence", `{"language":"english","text":" ","segments":[],"words":[]}`, nil, false},
	{"text", `{"text":" one  two\n"}`, []asr.Word{{Text: "one"}, {Text: "two"}}, false},
	{"bare words, dressed text", `{"text":"Well, it's O.K.","words":[{"word":"well","start":0,"end":0.5},` +
		`{"word":"it's","start":0.5,"end":1},{"word":"OK","start":1,"end":1.5}]}`,
		[]asr.Word{{Text: "Well,", End: second / 2}, {Text: "it's", Start: second / 2, End: second}, {Text: "O.K.", Start: second, End: second * 3 / 2}}, true},
	{"other words in the text", `{"text":"10 m","words":[{"word":"ten","start":0,"end":0.5},{"word":"metres","start":0.5,"end":1}]}`,
		[]asr.Word{{Text: "ten", End: second / 2}, {Text: "metres", Start: second / 2, End: second}}, true},
	{"times beyond all bounds", `{"text":"a b c","words":[{"word":"a","start":-5,"end":1e300},{"word":"b","start":1.5,"end":1},{"word":"c","start":1,"end":9}]}`,
		[]asr.Word{{Text: "a", End: 2 * second}, {Text: "b", Start: second * 3 / 2, End: second * 3 / 2}, {Text: "c", Start: second * 3 / 2, End: 2 * second}}, true},
	{"segments beyond all bounds", `{"segments":[{"start":-1e308,"end":1e308,"text":"a b"}]}`,
		[]asr.Word{{Text: "a", End: 2 * second}, {Text: "b", Start: 2 * second, End: 2 * second}}, true},
	{"words without times", `{"text":"a b","words":[{"word":"a"},{"word":"b"}]}`, []asr.Word{{Text: "a"}, {Text: "b"}}, false},
	{"segments", `{"text":"aa bb cccc","segments":[{"start":0,"end":1,"text":" aa bb","avg_logprob":-0.6931472},{"start":1.5,"end":2,"text":" cccc","avg_logprob":0}]}`,
		[]asr.Word{{Text: "aa", End: second / 2, Confidence: 0.5}, {Text: "bb", Start: second / 2, End: second, Confidence: 0.5}, {Text: "cccc", Start: second * 3 / 2, End: 2 * second}}, true},
	{"confidence of the segment", `{"text":"a b","segments":[{"start":0,"end":1,"text":"a","avg_logprob":-0.6931472},{"start":1.25,"end":2,"text":"b"}],` +
		`"words":[{"word":"a","start":0,"end":1},{"word":"b","start":1.5,"end":2,"probability":7}]}`,
		[]asr.Word{{Text: "a", End: second, Confidence: 0.5}, {Text: "b", Start: second * 3 / 2, End: 2 * second, Confidence: 1}}, true},
	{"parts in segments", `{"segments":[{"start":0,"end":1,"text":" Hello there.","words":[{"word":" Hel","start":0,"end":0.25,"probability":0.9},` +
		`{"word":"lo","start":0.25,"end":0.5,"probability":0.4},{"word":" there","start":0.5,"end":1,"probability":0.8},{"word":".","start":1,"end":1,"probability":1}]}]}`,
		[]asr.Word{{Text: "Hello", End: second / 2, Confidence: 0.4}, {Text: "there.", Start: second / 2, End: second, Confidence: 0.8}}, true},
	{"a script without spaces", `{"text":"你好","words":[{"word":"你","start":0,"end":0.5},{"word":"好","start":0.5,"end":1}]}`,
		[]asr.Word{{Text: "你", End: second / 2}, {Text: "好", Start: second / 2, End: second}}, true},
	{"made up in silence", `{"text":"a Thank you.","segments":[{"start":0,"end":0.5,"text":"a","no_speech_prob":0.95,"avg_logprob":-0.5},` +
		`{"start":0.75,"end":2,"text":" Thank you.","no_speech_prob":0.95,"avg_logprob":-1.5}]}`,
		[]asr.Word{{Text: "a", End: second / 2, Confidence: 0.6065}}, true},
	{"all made up", `{"text":"Thank you.","segments":[{"start":0,"end":2,"text":" Thank you.","no_speech_prob":0.95,"avg_logprob":-1.5}],` +
		`"words":[{"word":"Thank","start":0,"end":1},{"word":"you","start":1,"end":2}]}`, nil, false},
	{"null for all", `{"text":"a","language":null,"segments":null,"words":null}`, []asr.Word{{Text: "a"}}, false},
}

func TestAnswers(t *testing.T) {
	for _, a := range answers {
		words, timed, err := openai.WordsForTest([]byte(a.body), "application/json", 2*second)
		if err != nil || timed != a.timed || !reflect.DeepEqual(words, a.words) {
			t.Errorf("%s: %+v, timed %v, %v; want %+v, %v", a.name, words, timed, err, a.words, a.timed)
		}
	}
	words, timed, err := openai.WordsForTest([]byte("one two\n"), "text/plain; charset=utf-8", second)
	if err != nil || timed || texts(words) != "one two" {
		t.Errorf("plain text: %+v, timed %v, %v", words, timed, err)
	}
	if _, _, err := openai.WordsForTest([]byte(`{"text":"one`), "text/plain", second); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("half an answer as plain text: %v", err)
	}
}

func TestNamesOfLanguages(t *testing.T) {
	for said, want := range map[string]string{
		"english": "en", "English": "en", "en": "en", "en-US": "en", "EN_gb": "en", "haitian creole": "ht", "javanese": "jw", "jv": "jw",
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
		words, timed, err := openai.WordsForTest(body, kind, 2*second)
		if err != nil {
			return
		}
		before := 0
		for _, w := range words {
			if w.Text == "" || strings.TrimSpace(w.Text) != w.Text || w.Start < before || w.End < w.Start || w.End > 2*second ||
				!(w.Confidence >= 0 && w.Confidence <= 1) || !timed && w.End != 0 {
				t.Fatalf("word %+v after %d, timed %v", w, before, timed)
			}
			before = w.Start
		}
	})
}
