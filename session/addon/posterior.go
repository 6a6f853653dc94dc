package addon

import (
	"context"
	"encoding/json"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
)

// summarized is the wrapper of a summary.
func summarized(ctx context.Context, w Ways, us []messages.Utterance, kind string) *messages.AddonResult[*string] {
	return one(ctx, "summarization", w.Summarize != nil, w.Afterwards, func(ctx context.Context) (string, error) {
		return w.Summarize(ctx, us, kind)
	})
}

// chaptered is the wrapper of chapters.
func chaptered(ctx context.Context, w Ways, us []messages.Utterance) *messages.AddonResult[messages.List[messages.Chapter]] {
	if len(us) == 0 && w.Chapters != nil {
		return wrap[messages.List[messages.Chapter]](time.Now(), nil, true, nil)
	}
	return whole(ctx, chapter, w.Chapters != nil, w.Afterwards, func(ctx context.Context) (messages.List[messages.Chapter], error) {
		return w.Chapters(ctx, us)
	}, isEmpty)
}

// extracted is the wrapper of data: the JSON text of an object with a list for each class.
func extracted(ctx context.Context, w Ways, us []messages.Utterance, classes []string) *messages.AddonResult[*string] {
	out := one(ctx, "structured_data_extraction", w.Extract != nil, w.Afterwards, func(ctx context.Context) (string, error) {
		return w.Extract(ctx, us, classes)
	})
	out.IsEmpty = out.IsEmpty || nothingIn(*out.Results)
	return out
}

// nothingIn tells whether data holds classes and nothing of any.
func nothingIn(data string) bool {
	var classes map[string][]json.RawMessage
	if json.Unmarshal([]byte(data), &classes) != nil {
		return false
	}
	for _, values := range classes {
		if len(values) > 0 {
			return false
		}
	}
	return true
}

// felt is the wrapper of all moods: the JSON text of an array. Where it failed for some it tells that beside the others.
func felt(ctx context.Context, w Ways, us []messages.Utterance) *messages.AddonResult[string] {
	began := time.Now()
	var moods []messages.Sentiment
	failed := Unavailable(sentiments)
	if w.Sentiments != nil {
		var err error
		moods, err = attempt(ctx, w.Afterwards, func(ctx context.Context) ([]messages.Sentiment, error) { return w.Sentiments(ctx, us) })
		failed = remote.Addon(err)
	}
	text, err := moodsText(moods)
	if failed == nil {
		failed = remote.Addon(err)
	}
	return partly(began, text, len(moods) == 0 || err != nil, failed)
}

// moodsText is the JSON text of moods; that of none, beside an error, where one is no JSON.
func moodsText(moods []messages.Sentiment) (string, error) {
	text, err := json.Marshal(messages.List[messages.Sentiment](moods))
	if err != nil {
		return "[]", err
	}
	return string(text), nil
}
