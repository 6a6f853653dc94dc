package translate_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/addon/translate"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func said(speaker int, start, end float64, text, language string) messages.Utterance {
	return messages.Utterance{
		Start: start, End: end, Text: text, Language: language, Speaker: &speaker, Channel: 1, Confidence: 0.8,
		Words: messages.List[messages.Word]{{Word: text, Start: start, End: end, Confidence: 0.8}},
	}
}

func TestMatched(t *testing.T) {
	us := []messages.Utterance{
		said(0, 1, 2, " hello you", "en"), said(1, 2, 4, " already", "xx"), said(0, 5, 6, "", "en"),
		said(0, 6, 9, " a bcd", "fr"),
	}
	got, err := translate.Utterances(t.Context(), capitals{}, us, "xx", matching())
	if err != nil || len(got) != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	want := messages.Utterance{
		Start: 1, End: 2, Text: " HELLO YOU", Language: "xx", Speaker: us[0].Speaker, Channel: 1, Confidence: 0.8,
		Words: messages.List[messages.Word]{{Word: " HELLO", Start: 1, End: 1.6, Confidence: 0.8},
			{Word: " YOU", Start: 1.6, End: 2, Confidence: 0.8}},
	}
	if !reflect.DeepEqual(got[0], want) {
		t.Errorf("got %+v\nwant %+v", got[0], want)
	}
	if !reflect.DeepEqual(got[1], us[1]) {
		t.Errorf("of the target language: %+v", got[1])
	}
	if got[2].Text != "" || len(got[2].Words) != 0 || got[2].Start != 5 || got[2].End != 6 || got[2].Language != "xx" {
		t.Errorf("without text: %+v", got[2])
	}
	if got[3].Text != " A BCD" || got[3].Words[0].End != 7 {
		t.Errorf("of another language: %+v", got[3])
	}
	if us[0].Text != " hello you" || us[0].Language != "en" {
		t.Errorf("the original changed: %+v", us[0])
	}
}

// TestAnew translates the words of one speaker in a row as one text, and cuts it at the ends of
// sentences.
func TestAnew(t *testing.T) {
	us := []messages.Utterance{
		said(0, 1, 2, " this is", "en"), said(0, 4, 5, " it. and", "en"), said(0, 5, 6, " more!", "en"),
		said(1, 6, 7, " 3.5 of it", "en"), said(1, 7, 8, " oui", "fr"), said(1, 7.5, 8, " en même temps", "fr"),
	}
	c := matching()
	c.MatchOriginalUtterances = false
	var asked []string
	got, err := translate.Utterances(t.Context(), capitals{asked: &asked}, us, "xx", c)
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(asked, "|"); all != "this is it. and more!|3.5 of it|oui|en même temps" {
		t.Errorf("asked %q", all)
	}
	var texts []string
	for _, u := range got {
		texts = append(texts, u.Text)
	}
	if all := strings.Join(texts, "|"); all != " THIS IS IT.| AND MORE!| 3.5 OF IT| OUI| EN MÊME TEMPS" {
		t.Fatalf("got %q", all)
	}
	if got[0].Start != 1 || got[1].End != 6 || got[0].End > got[1].Start || got[0].End < 4 || *got[2].Speaker != 1 ||
		got[2].Start != 6 {
		t.Errorf("times %+v", got)
	}
}

// uneven translates into texts of other lengths: what is long becomes short.
type uneven struct{ translate.Translator }

func (uneven) Name() string                              { return "uneven" }
func (uneven) Can(context.Context, string, string) error { return nil }
func (uneven) Translate(_ context.Context, texts []string, _, _ string, _ translate.Options) ([]string, error) {
	out := make([]string, len(texts))
	for i, text := range texts {
		if out[i] = "Short."; len(text) < 20 {
			out[i] = strings.Repeat("Very long and winding words follow here ", 3) + "."
		}
	}
	return out, nil
}

// TestTimesOfSentences has translations of other lengths than the original's: each keeps the times
// of the sentence it translates, through several utterances and within one.
func TestTimesOfSentences(t *testing.T) {
	us := []messages.Utterance{
		said(0, 0, 12, " This sentence takes rather a long time to be said by anybody. Yes. Then", "en"),
		said(0, 20, 25, " it goes on in another one of these utterances. No.", "en"), said(0, 40, 41, " Stop.", "en"),
	}
	for i := range us {
		us[i].Words = nil
		us[i].Words = us[i].TimedWords()
	}
	c := matching()
	c.MatchOriginalUtterances = false
	got, err := translate.Utterances(t.Context(), uneven{}, us, "xx", c)
	if err != nil || len(got) != 5 {
		t.Fatalf("%v, %+v", err, got)
	}
	for i, want := range [][2]float64{{0, 11}, {9, 12}, {10, 25}, {23, 25}, {40, 41}} {
		if got[i].Start < want[0] || got[i].End > want[1] || i > 0 && got[i].Start < got[i-1].End-0.001 {
			t.Errorf("%q is from %v to %v, to be within %v", got[i].Text, got[i].Start, got[i].End, want)
		}
	}
}

// TestAnewOfLanguages divides translations by the rules of their languages.
func TestAnewOfLanguages(t *testing.T) {
	c := matching()
	c.MatchOriginalUtterances = false
	for language, text := range map[string]string{
		"nl": "Dr. Smit zag J. R. Bakker.|Hij ging.",
		"de": "Am 5. Mai kam Hr. Maier.|Das war es.",
		"zh": "「你好。」|他说！？|好。",
		"my": "မင်္ဂလာပါ။|ကောင်းပါတယ်။",
		"hy": "Ողջույն։|Այո։",
	} {
		gap := " "
		if language == "zh" {
			gap = ""
		}
		got, err := translate.Utterances(t.Context(), fixedTranslation{strings.ReplaceAll(text, "|", gap)},
			one("hello"), language, c)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, u := range got {
			texts = append(texts, strings.TrimSpace(u.Text))
		}
		if all := strings.Join(texts, "|"); all != text {
			t.Errorf("%s: %q, want %q", language, all, text)
		}
	}
}

// TestSpaceless cuts languages without spaces at Unicode's word boundaries.
func TestSpaceless(t *testing.T) {
	for text, want := range map[string]string{
		"你好，世界！":               " 你|好，|世|界！",
		"我用 Go 1.26。":          " 我|用| Go| 1.26。",
		"《红楼梦》「好」":             " 《红|楼|梦》|「好」",
		"⟦":                    " ⟦",
		"[NAME_1]说":            " [NAME_1]|说",
		"カタカナ語":                " カタカナ|語",
		"สวัสดี":               "",
		strings.Repeat("。", 3): " 。。。",
	} {
		tr := fixedTranslation{text}
		got, err := translate.Utterances(t.Context(), tr, one("hello"), "zh", matching())
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, w := range got[0].Words {
			words = append(words, w.Word)
		}
		if joined := strings.Join(words, "|"); want != "" && joined != want {
			t.Errorf("%q: %q, want %q", text, joined, want)
		}
		if got[0].Text != " "+text || strings.Join(words, "") != got[0].Text {
			t.Errorf("%q: %q", text, got[0].Text)
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	_, err := translate.Utterances(t.Context(), capitals{knows: "fr"}, one("hello"), "xx", matching())
	if told := remote.Addon(err); told == nil || told.StatusCode != 422 || told.Exception != "TranslationUnsupported" {
		t.Errorf("%+v", told)
	}
	if got, err := translate.Utterances(t.Context(), capitals{}, nil, "xx", matching()); err != nil || len(got) != 0 {
		t.Errorf("nothing: %v, %v", got, err)
	}
}

// TestWordsShareTime holds any translation to the shape that utterances have.
func TestWordsShareTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var us []messages.Utterance
		at := 0.0
		for range rapid.IntRange(0, 5).Draw(t, "utterances") {
			start := at + rapid.Float64Range(0, 2).Draw(t, "pause")
			at = start + rapid.Float64Range(0, 5).Draw(t, "duration")
			text := rapid.StringMatching(`( [a-z.!。你⟦#\[\]]{1,6}){0,5}`).Draw(t, "text")
			us = append(us, said(rapid.IntRange(0, 1).Draw(t, "speaker"), start, at, text, "en"))
		}
		c := messages.TranslationConfig{MatchOriginalUtterances: rapid.Bool().Draw(t, "match")}
		target := rapid.SampledFrom([]string{"zh", "de"}).Draw(t, "target")
		got, err := translate.Utterances(t.Context(),
			fixedTranslation{rapid.StringMatching(`([a-z你。,《]{1,5}[ .]){1,6}`).Draw(t, "translation")}, us, target, c)
		if err != nil {
			t.Fatal(err)
		}
		if c.MatchOriginalUtterances && len(got) != len(us) {
			t.Fatalf("%d utterances of %d", len(got), len(us))
		}
		for _, u := range got {
			joined, last := "", u.Start
			for _, w := range u.Words {
				if w.Start < last || w.End < w.Start || w.End > u.End || !strings.HasPrefix(joined+w.Word, " ") {
					t.Fatalf("word %+v of %+v", w, u)
				}
				joined, last = joined+w.Word, w.End
			}
			if joined != u.Text || u.Start > u.End || u.Start < math.Floor(us[0].Start*1e3)/1e3 || u.End > at+0.001 ||
				u.Language != target {
				t.Fatalf("%+v", u)
			}
		}
	})
}

// fixedTranslation translates everything to the same, and keeps the signs.
type fixedTranslation struct{ text string }

func (fixedTranslation) Name() string                              { return "fixedTranslation" }
func (fixedTranslation) Can(context.Context, string, string) error { return nil }

func (i fixedTranslation) Translate(_ context.Context, texts []string, _, _ string, _ translate.Options) ([]string,
	error) {
	out := make([]string, len(texts))
	for j := range texts {
		out[j] = i.text
	}
	return out, nil
}
