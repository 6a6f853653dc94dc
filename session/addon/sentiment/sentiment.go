// Package sentiment finds the sentiment and emotion of each sentence, without a model.
//
// The mood comes from the VADER word list and rules (Hutto and Gilbert 2014: negation,
// intensifiers, contrast), with a list of phrases of our own for how people talk in calls and
// meetings. Only English is read: in any other language the mood is unknown and the emotion
// neutral.
//
// The emotion is the one whose words are most frequent, if it goes with the sentiment, else
// neutral:
//
//	positive: adoration amusement awe contentment desire ecstatic elation positive_surprise relief
//	          triumph
//	negative: anger contempt disappointment disgust distress embarrassment fear pain sadness
//	          negative_surprise
//	any:      confusion interest realization sympathy neutral
package sentiment

import (
	"strings"
	"sync"

	"github.com/jonreiter/govader"

	"steno/messages"
	"steno/session/addon/sentences"
)

// The moods.
const (
	Positive = "positive"
	Negative = "negative"
	Neutral  = "neutral"
	// Mixed is a sentence with a part that is clearly positive and one that is clearly negative.
	Mixed = "mixed"
	// Unknown is the mood of a language that is not read.
	Unknown = "unknown"
)

const (
	// least is the score, of at most 1, from which a sentence is not neutral. VADER's own is 0.05,
	// for written text; speech has more words that mean little.
	least = 0.2
	// leastPart is that from which a part counts for a mixed mood.
	leastPart = 0.3
)

// Reader reads moods. It never changes: any goroutine may use it.
type Reader struct {
	vader    *govader.SentimentIntensityAnalyzer
	phrases  phrases
	emotions emotions
}

// Default returns the reader of this process. The first call reads the word lists, which takes some
// milliseconds.
var Default = sync.OnceValue(func() *Reader {
	r := &Reader{vader: govader.NewSentimentIntensityAnalyzer(), phrases: newPhrases(), emotions: newEmotions()}
	for said, v := range r.phrases.valence {
		r.vader.Lexicon[token(said)] = v
	}
	return r
})

// Analyse is the mood of each sentence of the utterances, in their order.
func (r *Reader) Analyse(us []messages.Utterance) []messages.Sentiment {
	said := sentences.Split(us)
	moods := make([]messages.Sentiment, len(said))
	for i, s := range said {
		moods[i] = r.Of(s)
	}
	return moods
}

// Of is the mood of one sentence. Of a very long one only the first few hundred words are read.
func (r *Reader) Of(s sentences.Sentence) messages.Sentiment {
	m := messages.Sentiment{Sentiment: Unknown, Emotion: "neutral", Text: strings.TrimSpace(s.Text),
		Start: s.Start, End: s.End, Channel: s.Channel, Speaker: s.Speaker}
	if english(s.Language) {
		words := tokenize(s.Text)
		m.Sentiment = r.mood(words)
		m.Emotion = r.emotions.find(words, m.Sentiment)
	}
	return m
}

// english takes a language that is not known for English.
func english(language string) bool {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	return base == "" || base == "en"
}

func (r *Reader) mood(words []string) string {
	var up, down bool
	if cut := parts(words); len(cut) > 1 {
		for _, part := range cut {
			score := r.score(part)
			up, down = up || score >= leastPart, down || score <= -leastPart
		}
	}
	score := r.score(words)
	switch {
	case up && down:
		return Mixed
	case score >= least:
		return Positive
	case score <= -least:
		return Negative
	}
	return Neutral
}

// score is in [-1,1].
func (r *Reader) score(words []string) float64 {
	text := r.phrases.score(words)
	if text == "" {
		return 0
	}
	return r.vader.PolarityScores(text).Compound
}
