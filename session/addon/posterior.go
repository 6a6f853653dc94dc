package addon

import (
	"context"
	"encoding/json"

	"steno/messages"
)

// summarized is the wrapper of a summary.
func summarized(ctx context.Context, w Ways, us []messages.Utterance, kind string) *messages.AddonResult[*string] {
	return one(ctx, "summarization", w.Summarize != nil, w.Afterwards, func(ctx context.Context) (string, error) {
		return w.Summarize(ctx, us, kind)
	})
}

// felt is the wrapper of all moods: the JSON text of an array.
func felt(ctx context.Context, w Ways, us []messages.Utterance) *messages.AddonResult[string] {
	return whole(ctx, "sentiment_analysis", w.Sentiments != nil, w.Afterwards, func(ctx context.Context) (string, error) {
		moods, err := w.Sentiments(ctx, us)
		if err != nil {
			return "", err
		}
		return moodsText(moods)
	}, func(text string) bool { return text == "[]" })
}

// moodsText is the JSON text of moods.
func moodsText(moods []messages.Sentiment) (string, error) {
	text, err := json.Marshal(messages.List[messages.Sentiment](moods))
	return string(text), err
}
