package llm

import (
	"context"
	"fmt"
)

// Mood is that of a sentence.
type Mood struct {
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

// Sentiments tells the mood of each sentence. Those without text are neutral. Those that the model cannot tell of have
// none, beside the first error; of a long sentence the part that has a mood counts.
func (c *Client) Sentiments(ctx context.Context, t Talk) ([]Mood, error) {
	pieces, err := c.pieces(t.Sentences, min(c.config.MaxInput, maxEcho), maxEchoItems)
	if err != nil {
		return nil, err
	}
	parts, err := salvage(ctx, c, pieces, c.moods)
	all := make([]Mood, len(t.Sentences))
	for i := range all {
		all[i] = Mood{"neutral", "neutral"}
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

func (c *Client) moods(ctx context.Context, p piece) ([]Mood, error) {
	said := &task{"sentiments", "Tell the sentiment and the main emotion of the speaker in each sentence, with its number n. Each sentence once.",
		fields(object{"sentences": list(fields(object{
			"n": number(0, len(p)-1), "sentiment": oneOf(Sentiments()), "emotion": oneOf(Emotions()),
		}), len(p))})}
	moods := make([]Mood, len(p))
	type one struct {
		N int
		Mood
	}
	_, err := do(ctx, c, said, object{"sentences": p}, func(a *struct{ Sentences []one }) error {
		clear(moods)
		for _, s := range a.Sentences {
			if moods[s.N] != (Mood{}) {
				return fmt.Errorf("sentence %d is there twice", s.N)
			}
			moods[s.N] = s.Mood
		}
		if len(a.Sentences) != len(p) {
			return fmt.Errorf("there must be %d sentences, not %d", len(p), len(a.Sentences))
		}
		return nil
	})
	return moods, err
}
