package addon

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/addon/sentences"
	"steno/session/addon/sentiment"
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
	out.IsEmpty = out.IsEmpty || nothingIn(*out.Results) // which are there where it is not empty
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

// felt is the wrapper of all moods.
func felt(ctx context.Context, w Ways, us []messages.Utterance) *messages.AddonResult[string] {
	began := time.Now()
	var moods []messages.Sentiment
	failed := Unavailable(sentiments)
	if w.Sentiments != nil {
		var err error
		moods, err = attempt(ctx, w.Afterwards, func(ctx context.Context) ([]messages.Sentiment, error) { return w.Sentiments(ctx, us) })
		failed = remote.Addon(err)
	}
	text, err := moodsText(moods, failed, sentences.Split(us))
	return wrap(began, text, len(moods) == 0 || err != nil, cmp.Or(failed, remote.Addon(err)))
}

// moodsText is the JSON text of an array of moods. Where the add-on failed, a sentence that has none is in it too, as one of
// unknown mood. If a mood is no JSON it is the text of none, beside an error.
func moodsText(moods []messages.Sentiment, failed *messages.AddonError, said []sentences.Sentence) (string, error) {
	if failed != nil {
		moods = slices.Concat(moods, unknown(moods, said))
		slices.SortStableFunc(moods, func(a, b messages.Sentiment) int { return cmp.Compare(a.Start, b.Start) })
	}
	text, err := json.Marshal(messages.List[messages.Sentiment](moods))
	if err != nil {
		return "[]", err
	}
	return string(text), nil
}

// unknown are the sentences without any of the moods, as ones of unknown mood.
func unknown(moods []messages.Sentiment, said []sentences.Sentence) (list []messages.Sentiment) {
	for _, s := range said {
		middle := (s.Start + s.End) / 2
		if !slices.ContainsFunc(moods, func(m messages.Sentiment) bool {
			return m.Channel == s.Channel && m.Start <= middle && middle <= m.End
		}) {
			list = append(list, messages.Sentiment{
				Sentiment: sentiment.Unknown, Emotion: "neutral", Text: s.Text, Start: s.Start, End: s.End, Channel: s.Channel, Speaker: s.Speaker,
			})
		}
	}
	return list
}
