package punctuation

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"steno/messages"
)

// said is an utterance of words of 0.2 s. "|" is a pause of 1 s, "~" one of 0.4 s.
func said(language string, start float64, text string) messages.Utterance {
	u := messages.Utterance{Language: language, Start: start}
	at := start
	for field := range strings.FieldsSeq(text) {
		switch field {
		case "|":
			at++
		case "~":
			at += 0.4
		default:
			u.Words = append(u.Words, messages.Word{Word: " " + field, Start: at, End: at + 0.2, Confidence: 0.5})
			at += 0.2
		}
	}
	u.Text, u.End = messages.TextOf(u.Words), at
	return u
}

func TestRules(t *testing.T) {
	for _, c := range []struct{ language, said, want string }{
		{"en", "so we went home ~ and slept | then i'm told it rained",
			" So we went home, and slept. Then I'm told it rained."},
		{"en", "the ~ house of | the king", " The house of the king."},
		{"en", "what is that | well can you see it | how many | i see | when we left it rained",
			" What is that? Well can you see it? How many? I see. When we left it rained."},
		{"en", "i live in the u s a and paris | with Anna", " I live in the u s a and paris. With Anna."},
		{"en", "mr. brown came at 5 p.m. | he left", " Mr. brown came at 5 p.m. He left."},
		{"en", "iPhone users say 'yes'", " iPhone users say 'yes'."},
		{"en", "5 people came", " 5 people came."},
		{"en", "WHAT IS IT HE SAID TO ME IN PARIS", " What is it he said to me in paris?"},
		{"en", "NASA AND NATO AND THE BBC AND IBM said so", " NASA AND NATO AND THE BBC AND IBM said so."},
		{"en", "NASA AND NATO", " NASA AND NATO."},
		{"en", "Hello, there ~ you", " Hello, there ~ you"},
		{"de", "guten morgen ~ wie geht es ihnen | mir geht es gut",
			" Guten morgen wie geht es ihnen. Mir geht es gut."},
		{"tr", "istanbul çok güzel", " İstanbul çok güzel."},
		{"zh", "你好 | 再见", " 你好。 再见。"},
		{"hi", "मैं ठीक हूँ", " मैं ठीक हूँ।"},
		{"th", "สวัสดี", " สวัสดี"},
		{"ru", "привет | пока", " Привет. Пока."},
	} {
		got := Enhance([]messages.Utterance{said(c.language, 0, c.said)}, nil)[0].Text
		if want := strings.ReplaceAll(c.want, " ~", ""); got != want {
			t.Errorf("%s: got %q, want %q", c.language, got, want)
		}
	}
}

// TestCutUtterance has an utterance that continues in the next without a pause, so that no sentence
// ends or begins between them.
func TestCutUtterance(t *testing.T) {
	us := []messages.Utterance{said("en", 0.9, "and slept"), said("en", 0, "so we went home"),
		said("en", 3, "is it late")}
	got := Enhance(us, nil)
	want := []string{" and slept.", " So we went home", " Is it late?"}
	for i, u := range got {
		if u.Text != want[i] {
			t.Errorf("got %q, want %q", u.Text, want[i])
		}
	}
	model := func(text, _ string) (string, bool) { return strings.ToUpper(text[:1]) + text[1:] + ".", true }
	for i, u := range Enhance(us, model) {
		if want := []string{" and slept.", " So we went home", " Is it late."}[i]; u.Text != want {
			t.Errorf("with a model: got %q, want %q", u.Text, want)
		}
	}
}

// TestPausesOfTheSpeaker: what is a comma with one who pauses little is nothing with one who pauses
// much.
func TestPausesOfTheSpeaker(t *testing.T) {
	slow := Enhance([]messages.Utterance{said("en", 0, strings.Repeat("word ~ ", 12)+"end")}, nil)[0].Text
	if strings.Contains(slow, ",") {
		t.Errorf("every pause is alike, but there are commas: %q", slow)
	}
	quick := Enhance([]messages.Utterance{said("en", 0, "some words ~ some more")}, nil)[0].Text
	if quick != " Some words, some more." {
		t.Errorf("got %q", quick)
	}
}

func TestModel(t *testing.T) {
	for _, c := range []struct{ language, said, answer, want string }{
		{"en", "hello anna how are you", "Hello, Anna. How are you?", " Hello, Anna. How are you?"},
		{"en", "hello anna how are you", "hello，anna。how are you ？", " Hello, anna. How are you?"},
		{"zh", "你好 再见", "你好，再见。", " 你好， 再见。"},
		{"zh", "你好吗我很好", "你好吗我很好。", " 你好吗我很好。"},
		{"es", "qué tal", "¿Qué tal?", " ¿Qué tal?"},
		{"en", "don't go", "Don't go!", " Don't go!"},
		// What does not fit is not taken.
		{"en", "hello anna", "Hello, Hanna.", " Hello anna."},
		{"en", "hello anna", "Hello Anna. Bye.", " Hello anna."},
		{"en", "hello anna", "Hello.", " Hello anna."},
		{"en", "hello anna", "hello anna", " Hello anna."},
		{"en", "hello anna", "", " Hello anna."},
		{"en", "hello anna", "Hello\xff anna.", " Hello anna."},
	} {
		asked := 0
		model := func(text, language string) (string, bool) {
			asked++
			if text != c.said || language != c.language {
				t.Errorf("the model was asked %q in %s", text, language)
			}
			return c.answer, true
		}
		if got := Enhance([]messages.Utterance{said(c.language, 0, c.said)}, model)[0].Text; got != c.want ||
			asked != 1 {
			t.Errorf("%q: got %q, want %q; asked %d times", c.answer, got, c.want, asked)
		}
	}
	unable := func(string, string) (string, bool) { return "X.", false }
	if got := Enhance([]messages.Utterance{said("en", 0, "hello")}, unable)[0].Text; got != " Hello." {
		t.Errorf("a model that cannot tell: got %q", got)
	}
}

func TestMarkedTextIsLeftAlone(t *testing.T) {
	never := func(text, _ string) (string, bool) { t.Errorf("the model was asked %q", text); return "", false }
	for _, text := range []string{"hello. i see", "hello, there", "你好。再见", "كيف حالك؟"} {
		if got := Enhance([]messages.Utterance{said("en", 0, text)}, never)[0].Text; got != " "+text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func utterances(t *rapid.T) []messages.Utterance {
	word := rapid.OneOf(rapid.StringMatching(` ?[a-zA-Z']{1,6}`),
		rapid.SampledFrom([]string{" i", " I'm", " what", " is", " the", " 5", " 3.5", " mr.", " a.", " u.s.", " .",
			"", " ", " -", " \"", " ok.", " no,", "你好", "。", " ß", " ŉ", " dž", " \xff", "... ", " İ"}))
	one := rapid.Custom(func(t *rapid.T) messages.Utterance {
		u := messages.Utterance{
			Channel:  rapid.IntRange(0, 1).Draw(t, "channel"),
			Start:    float64(rapid.IntRange(0, 10).Draw(t, "start")),
			Language: rapid.SampledFrom([]string{"en", "zh", "tr", "th", "de"}).Draw(t, "language"),
		}
		at := u.Start
		for _, text := range rapid.SliceOfN(word, 0, 15).Draw(t, "words") {
			w := messages.Word{Word: text, Start: at + rapid.SampledFrom([]float64{0, 0, 0.1, 0.5, 1, 3}).Draw(t,
				"pause")}
			w.End = w.Start + 0.2
			u.Words, at = append(u.Words, w), w.End
		}
		u.Text, u.End = messages.TextOf(u.Words), at
		return u
	})
	us := rapid.SliceOfN(one, 0, 5).Draw(t, "utterances")
	if rapid.Bool().Draw(t, "shouted") {
		for _, u := range us {
			for i := range u.Words {
				u.Words[i].Word = strings.ToUpper(u.Words[i].Word)
			}
		}
	}
	return us
}

// letters of a word, small.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case !letter(r):
			return -1
		case strings.ContainsRune("iİIı", r):
			return 'i'
		}
		return unicode.ToLower(unicode.ToTitle(r))
	}, text)
}

// comma is a model: a comma after every third word, a full stop at the end.
func comma(text, _ string) (string, bool) {
	words := strings.Fields(text)
	for i := 2; i < len(words); i += 3 {
		words[i] += ","
	}
	return strings.Join(words, " ") + ".", true
}

func TestWordsStayAndOnceIsEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		us := utterances(t)
		model := rapid.SampledFrom([]func(string, string) (string, bool){nil, comma}).Draw(t, "model")
		before := copied(us)
		got := Enhance(us, model)
		if !reflect.DeepEqual(before, copied(us)) {
			t.Fatal("what was given has changed")
		}
		for i, u := range got {
			if len(u.Words) != len(us[i].Words) || u.Start != us[i].Start || u.End != us[i].End ||
				u.Text != messages.TextOf(u.Words) {
				t.Fatalf("%+v became %+v", us[i], u)
			}
			for j, w := range u.Words {
				was := us[i].Words[j]
				if w.Start != was.Start || w.End != was.End || w.Confidence != was.Confidence || letters(w.Word) !=
					letters(was.Word) {
					t.Fatalf("%+v became %+v", was, w)
				}
			}
		}
		if again := Enhance(got, model); !slices.EqualFunc(got, again,
			func(a, b messages.Utterance) bool { return a.Text == b.Text }) {
			t.Fatalf("once:  %+v\ntwice: %+v", got, again)
		}
	})
}

func FuzzAlign(f *testing.F) {
	f.Add("hello anna", "Hello, Anna.")
	f.Add("你好 再见", "你好，再见。")
	f.Add("a", "¿¡A…?! ")
	f.Fuzz(func(t *testing.T, text, answer string) {
		u := said("en", 0, strings.NewReplacer("|", "", "~", "").Replace(text))
		got := Enhance([]messages.Utterance{u}, func(string, string) (string, bool) { return answer, true })[0]
		if letters(got.Text) != letters(u.Text) {
			t.Errorf("%q became %q", u.Text, got.Text)
		}
	})
}

// In each language a sentence ends with a mark that is known to end one.
func TestFullStopsOfAllLanguages(t *testing.T) {
	for _, language := range messages.Languages() {
		words := messages.List[messages.Word]{{Word: " ab", End: 0.5}, {Word: " cd", Start: 0.5, End: 1}}
		us := []messages.Utterance{{Language: language, End: 1, Text: " ab cd", Words: words}}
		once := Enhance(us, nil)
		if again := Enhance(once, nil); again[0].Text != once[0].Text {
			t.Errorf("%s: %q, then %q", language, once[0].Text, again[0].Text)
		}
	}
}
