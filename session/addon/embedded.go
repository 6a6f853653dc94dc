package addon

import (
	"context"

	"steno/messages"
	"steno/session/addon/chapters"
	"steno/session/addon/entities"
	"steno/session/addon/sentiment"
	"steno/session/addon/summary"
)

// Embedded are the ways that need nothing outside.
func Embedded() Ways {
	moods := sentiment.New()
	return Ways{
		Entities: func(_ context.Context, u messages.Utterance) ([]messages.Entity, error) { return entities.Of(u), nil },
		Sentiments: func(_ context.Context, us []messages.Utterance) ([]messages.Sentiment, error) {
			return moods.Analyse(us), nil
		},
		Summarize: func(_ context.Context, us []messages.Utterance, kind string) (string, error) {
			text, _ := summary.Extract(us, kind)
			return text, nil
		},
		Chapters: func(_ context.Context, us []messages.Utterance) ([]messages.Chapter, error) {
			return chapters.Split(us), nil
		},
		Realtime: realtime, Afterwards: afterwards,
	}
}
