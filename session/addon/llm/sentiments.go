package llm

import (
	"context"
	"fmt"
)

// Sentiment is that of a sentence.
type Sentiment struct {
	Sentiment string // positive, negative, neutral, mixed or unknown
	Emotion   string // see Emotions
}

// Sentiments are those that a mood may have.
func Sentiments() []string {
	return []string{"positive", "negative", "neutral", "mixed", "unknown"}
}

// Emotions are those that a mood may have.
func Emotions() []string {
	return []string{
		"neutral", "joy", "amusement", "gratitude", "affection", "relief", "pride", "excitement", "surprise", "confusion", "doubt",
		"sadness", "disappointment", "fear", "anger", "annoyance", "disgust", "embarrassment", "unknown",
	}
}

// Sentiments returns the sentiment of each sentence. Those without text are neutral. Those that the model has no answer for have
// none, beside the first error; of a long sentence the part that has a mood counts.
func (c *Client) Sentiments(ctx context.Context, t Talk) ([]Sentiment, error) {
	pieces, err := c.pieces(t.Sentences, min(c.config.MaxInput, maxRewrite), maxRewriteItems)
	if err != nil {
		return nil, err
	}
	parts, err := bisect(ctx, c, pieces, c.moods)
	all := make([]Sentiment, len(t.Sentences))
	for i := range all {
		all[i] = Sentiment{"neutral", "neutral"}
	}
	for i, p := range pieces {
		for j, it := range p {
			if it.offset == 0 || all[it.sentence].Sentiment == "neutral" { // the first part of a long sentence that has one
				all[it.sentence] = parts[i][j]
			}
		}
	}
	return all, err
}

func (c *Client) moods(ctx context.Context, p piece) ([]Sentiment, error) {
	said := &task{"sentiments", "Tell the sentiment and the main emotion of the speaker in each sentence, with its number n. Each sentence once.",
		fields(object{"sentences": list(fields(object{
			"n": number(0, len(p)-1), "sentiment": oneOf(Sentiments()), "emotion": oneOf(Emotions()),
		}), len(p))})}
	moods := make([]Sentiment, len(p))
	type one struct {
		N int
		Sentiment
	}
	_, err := do(ctx, c, said, object{"sentences": p}, func(a *struct{ Sentences []one }) error {
		clear(moods)
		for _, s := range a.Sentences {
			if moods[s.N] != (Sentiment{}) {
				return fmt.Errorf("sentence %d is there twice", s.N)
			}
			moods[s.N] = s.Sentiment
		}
		if len(a.Sentences) != len(p) {
			return fmt.Errorf("there must be %d sentences, not %d", len(p), len(a.Sentences))
		}
		return nil
	})
	return moods, err
}
