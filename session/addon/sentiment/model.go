package sentiment

import (
	"context"
	"fmt"

	"steno/session/addon/llm"
)

// ModelSentiment is that of a sentence.
type ModelSentiment struct {
	Sentiment string // positive, negative, neutral, mixed or unknown
	Emotion   string // see ModelEmotions
}

// ModelSentiments lists the sentiments that the model may answer.
func ModelSentiments() []string {
	return []string{"positive", "negative", "neutral", "mixed", "unknown"}
}

// ModelEmotions lists the emotions that the model may answer.
func ModelEmotions() []string {
	return []string{
		"neutral", "joy", "amusement", "gratitude", "affection", "relief", "pride", "excitement", "surprise",
		"confusion", "doubt",
		"sadness", "disappointment", "fear", "anger", "annoyance", "disgust", "embarrassment", "unknown",
	}
}

// FromModel returns the sentiment of each sentence. Those without text are neutral. Those that the
// model has no answer for have none, beside the first error; of a long sentence the part that has a
// mood counts.
func FromModel(ctx context.Context, c *llm.Client, t llm.Transcript) ([]ModelSentiment, error) {
	pieces, err := c.ShortPieces(t.Sentences)
	if err != nil {
		return nil, err
	}
	parts, err := llm.Bisect(ctx, c, pieces, func(ctx context.Context, p llm.Piece) ([]ModelSentiment,
		error) {
		return pieceSentiments(ctx, c, p)
	})
	all := make([]ModelSentiment, len(t.Sentences))
	for i := range all {
		all[i] = ModelSentiment{"neutral", "neutral"}
	}
	for i, p := range pieces {
		for j, it := range p {
			// the first part of a long sentence that has one
			if it.Offset == 0 || all[it.Sentence].Sentiment == "neutral" {
				all[it.Sentence] = parts[i][j]
			}
		}
	}
	return all, err
}

func pieceSentiments(ctx context.Context, c *llm.Client, p llm.Piece) ([]ModelSentiment, error) {
	said := &llm.Task{Name: "sentiments",
		Says: "Tell the sentiment and the main emotion of the speaker in each sentence, with its number n. Each " +
			"sentence once.",
		Schema: llm.Fields(llm.Object{"sentences": llm.List(llm.Fields(llm.Object{
			"n": llm.Number(0, len(p)-1), "sentiment": llm.OneOf(ModelSentiments()),
			"emotion": llm.OneOf(ModelEmotions()),
		}), len(p))})}
	moods := make([]ModelSentiment, len(p))
	type one struct {
		N int
		ModelSentiment
	}
	_, err := llm.Do(ctx, c, said, llm.Object{"sentences": p}, func(a *struct{ Sentences []one }) error {
		clear(moods)
		for _, s := range a.Sentences {
			if moods[s.N] != (ModelSentiment{}) {
				return fmt.Errorf("sentence %d is there twice", s.N)
			}
			moods[s.N] = s.ModelSentiment
		}
		if len(a.Sentences) != len(p) {
			return fmt.Errorf("there must be %d sentences, not %d", len(p), len(a.Sentences))
		}
		return nil
	})
	return moods, err
}
