package sentiment_test

import (
	"os"
	"strings"
	"testing"

	"steno/session/addon/sentences"
	"steno/session/addon/sentiment"
)

// labelled is a sentence as people judge it.
type labelled struct {
	mood, emotion string // emotion "-": several would do
	text          string
}

func corpus(t testing.TB, file string) []labelled {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all []labelled
	for line := range strings.Lines(string(raw)) {
		if f := strings.Split(strings.TrimSpace(line), " | "); len(f) == 3 && line[0] != '#' {
			all = append(all, labelled{f[0], f[1], f[2]})
		}
	}
	if len(all) < 60 {
		t.Fatalf("%s: %d sentences", file, len(all))
	}
	return all
}

// tally counts how often moods and emotions agree with people's labels.
type tally struct{ moods, mood, emotions, emotion, told, toldRight int }

func (c *tally) add(l labelled, mood, emotion string) {
	c.moods++
	if mood == l.mood {
		c.mood++
	}
	if mood == sentiment.Positive || mood == sentiment.Negative {
		c.told++
		if mood == l.mood {
			c.toldRight++
		}
	}
	if l.emotion != "-" {
		c.emotions++
	}
	if l.emotion == emotion {
		c.emotion++
	}
}

func (c tally) shares() (mood, emotion float64) {
	return float64(c.mood) / float64(c.moods), float64(c.emotion) / float64(max(c.emotions, 1))
}

// precision is how often a sentence that is said to be positive or negative is.
func (c tally) precision() float64 { return float64(c.toldRight) / float64(c.told) }

func TestSpokenSentences(t *testing.T) {
	r := sentiment.Default()
	for _, file := range []string{"seen.txt", "unseen.txt", "nouns.txt"} {
		var c tally
		for _, l := range corpus(t, file) {
			got := r.Of(sentences.Sentence{Text: l.text, Language: "en"})
			if c.add(l, got.Sentiment, got.Emotion); got.Sentiment != l.mood {
				t.Logf("%s for %s: %s", got.Sentiment, l.mood, l.text)
			}
		}
		mood, emotion := c.shares()
		t.Logf("%s: mood right in %.2f of %d, precision %.2f, emotion in %.2f of %d", file, mood, c.moods,
			c.precision(), emotion, c.emotions)
		if mood < 0.8 || c.precision() < 0.85 || c.emotions > 0 && emotion < 0.8 {
			t.Errorf("%s: too low", file)
		}
	}
}
