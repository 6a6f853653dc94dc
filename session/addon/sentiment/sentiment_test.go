package sentiment_test

import (
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/sentences"
	"steno/session/addon/sentiment"
)

func mood(r *sentiment.Reader, text, language string) (string, string) {
	m := r.Of(sentences.Sentence{Text: text, Language: language})
	return m.Sentiment, m.Emotion
}

func TestRules(t *testing.T) {
	r := sentiment.Default()
	for text, want := range map[string]string{
		"this is good":                               sentiment.Positive,
		"this is not good":                           sentiment.Negative,
		"it isn't bad":                               sentiment.Positive,
		"THIS IS NOT GOOD":                           sentiment.Negative,
		"It isn’t bad.":                              sentiment.Positive,
		"I love it, but the price is horrible!":      sentiment.Mixed,
		"i love it and the price is wonderful":       sentiment.Positive,
		"we would like to know what it is like":      sentiment.Neutral,
		"well um you know the number is on the form": sentiment.Neutral,
		"":          sentiment.Neutral,
		"... ?! --": sentiment.Neutral,
		"it doesn't work and i can't tell you why it is": sentiment.Negative,
	} {
		if got, _ := mood(r, text, "en"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestIntensity(t *testing.T) {
	r := sentiment.Default()
	if got, _ := mood(r, "it was a bit annoying at first yet extremely rewarding, we are very very happy",
		"en"); got == sentiment.Negative {
		t.Errorf("small complaint and great praise: %s", got)
	}
}

func TestEmotionGoesWithTheMood(t *testing.T) {
	r := sentiment.Default()
	if _, got := mood(r, "i am happy", "en"); got != "elation" {
		t.Errorf("happy: %s", got)
	}
	if _, got := mood(r, "i am not happy", "en"); got != "disappointment" {
		t.Errorf("not happy: %s", got)
	}
	if _, got := mood(r, "there is nothing to be afraid of", "en"); got == "fear" {
		t.Errorf("not afraid: %s", got)
	}
}

func TestOtherLanguagesAreUnknown(t *testing.T) {
	r := sentiment.Default()
	for language, want := range map[string]string{
		"de": sentiment.Unknown, "fr": sentiment.Unknown, "zh": sentiment.Unknown, "en-GB": sentiment.Negative,
		"": sentiment.Negative,
	} {
		if got, emotion := mood(r, "this is a terrible disaster i am afraid", language); got != want ||
			(got == sentiment.Unknown && emotion != "neutral") {
			t.Errorf("%q: %s, %s; want %s", language, got, emotion, want)
		}
	}
}

func TestAnalyseKeepsTimesChannelAndSpeaker(t *testing.T) {
	speaker := 3
	u := messages.Utterance{Start: 1, End: 2, Channel: 1, Text: " that is great", Language: "en", Speaker: &speaker,
		Words: messages.List[messages.Word]{{Word: " that", Start: 1, End: 1.2}, {Word: " is", Start: 1.2, End: 1.5},
			{Word: " great", Start: 1.5, End: 2}}}
	got := sentiment.Default().Analyse([]messages.Utterance{u})
	if len(got) != 1 {
		t.Fatalf("%d moods", len(got))
	}
	m := got[0]
	if !strings.EqualFold(strings.Trim(m.Text, "."), "that is great") || m.Start != 1 || m.End != 2 || m.Channel !=
		1 || m.Speaker == nil || *m.Speaker != 3 ||
		m.Sentiment != sentiment.Positive {
		t.Errorf("%+v", m)
	}
	if none := sentiment.Default().Analyse(nil); len(none) != 0 {
		t.Errorf("nothing said: %v", none)
	}
}

// The work for one sentence is bounded: what follows the words that are read changes nothing.
func TestLongInputIsCut(t *testing.T) {
	r := sentiment.Default()
	long := strings.Repeat("the form ", 300)
	before, _ := mood(r, "great wonderful "+long, "en")
	after, _ := mood(r, long+"great wonderful", "en")
	if before == sentiment.Neutral || after != sentiment.Neutral {
		t.Errorf("said first: %s, said after six hundred words: %s", before, after)
	}
	if got, _ := mood(r, strings.Repeat("terrible", 1<<17), "en"); got != sentiment.Neutral {
		t.Errorf("one word of a megabyte: %s", got)
	}
}

func FuzzOf(f *testing.F) {
	for _, text := range []string{"", "but", "not", "no", "least", "so not but never without doubt good", "kind of",
		"😀 😡😡", "!!!???",
		"\x01it_works", "\xff\xfe bad", "n't n't n't bad", "good\u00a0bad", "BAD ASS to die for yeah right"} {
		f.Add(text)
	}
	r := sentiment.Default()
	moods := []string{sentiment.Positive, sentiment.Negative, sentiment.Neutral, sentiment.Mixed}
	f.Fuzz(func(t *testing.T, text string) {
		first, emotion := mood(r, text, "en")
		again, emotionAgain := mood(r, text, "en")
		if first != again || emotion != emotionAgain || !slices.Contains(moods, first) || emotion == "" {
			t.Errorf("%q: %s %s, then %s %s", text, first, emotion, again, emotionAgain)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	r, all := sentiment.Default(), corpus(b, "unseen.txt")
	for i := 0; b.Loop(); i++ {
		mood(r, all[i%len(all)].text, "en")
	}
}

// TestNeutralNouns has nouns that name a thing: they are no mood, and what is said of them is.
func TestNeutralNouns(t *testing.T) {
	for text, want := range map[string]string{
		"I work in support.": "neutral", "The support line opens at nine.": "neutral",
		"We signed the agreement on Monday.": "neutral",
		"The energy bill came in March.":     "neutral", "The alarm is in the hall.": "neutral",
		"Support was terrible.":    "negative",
		"I love the support here.": "positive",
	} {
		if got := sentiment.Default().Of(sentences.Sentence{Text: text, Language: "en"}); got.Sentiment != want {
			t.Errorf("%s: %s, want %s", text, got.Sentiment, want)
		}
	}
}
