package sentiment

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/llm"
	"steno/session/addon/remote"
	"steno/session/addon/sentences"
)

// Name is the add-on's name.
const Name = "sentiment_analysis"

// Provider finds the sentiment of each sentence of utterances: of those that it can, beside an
// error for the first that it cannot.
type Provider = addon.Provider[[]messages.Utterance, []messages.Sentiment]

// Addon is sentiment_analysis.
type Addon struct{ provider Provider }

// NewAddon returns the add-on, done by a language model if there is one, else by what is embedded.
func NewAddon(model *llm.Client) Addon {
	if model == nil {
		reader := Default()
		return WithProvider(Provider{Name: addon.Embedded, Do: func(_ context.Context,
			us []messages.Utterance) ([]messages.Sentiment, error) {
			return reader.Analyse(us), nil
		}})
	}
	return WithProvider(Provider{Name: addon.LanguageModel, Do: func(ctx context.Context,
		us []messages.Utterance) ([]messages.Sentiment, error) {
		return byModel(ctx, model, us)
	}})
}

// WithProvider returns the add-on with a provider.
func WithProvider(p Provider) Addon { return Addon{p} }

// Name implements [addon.Addon].
func (Addon) Name() string { return Name }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(Name, addon.LiveAndPreRecorded, a.provider.Name)
}

// Remote implements [addon.RemoteWorker].
func (a Addon) Remote(q *messages.PreRecordedRequest) bool {
	return q.SentimentAnalysis && a.provider.Remote()
}

// Analyze implements [addon.TranscriptAnalyzer].
func (a Addon) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	if !j.Request.SentimentAnalysis {
		return
	}
	began := j.Clock.Now()
	var found []messages.Sentiment
	failed := addon.Unavailable(Name)
	if a.provider.Available() {
		var err error
		found, err = addon.Run(ctx, j.Runner, Name, j.PostProcessing, func(ctx context.Context) ([]messages.Sentiment,
			error) {
			return a.provider.Do(ctx, j.Utterances)
		})
		failed = remote.Addon(err)
	}
	text, err := jsonText(found, failed, sentences.Split(j.Utterances))
	result.SentimentAnalysis = addon.Wrap(j.Since(began), text, len(found) == 0 || err != nil,
		cmp.Or(failed, remote.Addon(err)))
}

// AnalyzeFinals implements [addon.FinalAnalyzer].
func (a Addon) AnalyzeFinals(q *messages.LiveRequest, r *addon.Runner) addon.FinalWork {
	if !q.RealtimeProcessing.SentimentAnalysis {
		return nil
	}
	return a.listAnalyzer().Work(r)
}

func (a Addon) listAnalyzer() *addon.ListAnalyzer[[]messages.Utterance, messages.Sentiment] {
	return &addon.ListAnalyzer[[]messages.Utterance, messages.Sentiment]{
		Name: Name,
		Key: func(id string) messages.Key {
			return messages.Key{Kind: messages.KindSentimentAnalysis,
				Subject: id}
		},
		Provider: a.provider,
		Input:    func(u messages.Utterance) []messages.Utterance { return []messages.Utterance{u} },
		Message: func(id string, u messages.Utterance, found []messages.Sentiment,
			failed *messages.AddonError) messages.Message {
			return messages.SentimentAnalysis{UtteranceID: id, Utterance: u, Results: found, Error: failed}
		},
		Read: func(m messages.Message) ([]messages.Sentiment, *messages.AddonError, bool) {
			s, ok := m.(messages.SentimentAnalysis)
			return s.Results, s.Error, ok
		},
		Put: putText,
	}
}

// putText sets the result of a live session, which is the text of an array.
func putText(r *messages.LiveResult, all []messages.Sentiment, took time.Duration, failed *messages.AddonError) {
	var said []sentences.Sentence
	for _, u := range r.Transcription.Utterances {
		said = append(said, sentences.Split([]messages.Utterance{u})...)
	}
	text, err := jsonText(all, failed, said)
	r.SentimentAnalysis = addon.Wrap(took, text, len(all) == 0, cmp.Or(failed, remote.Addon(err)))
}

// jsonText is the JSON text of an array of sentiments. If the add-on failed, the sentences without
// one are in it as [Unknown]. If a sentiment cannot be encoded it is the text of an empty array,
// beside an error.
func jsonText(found []messages.Sentiment, failed *messages.AddonError, said []sentences.Sentence) (string, error) {
	if failed != nil {
		found = slices.Concat(found, missing(found, said))
		slices.SortStableFunc(found, func(a, b messages.Sentiment) int { return cmp.Compare(a.Start, b.Start) })
	}
	text, err := json.Marshal(messages.List[messages.Sentiment](found))
	if err != nil {
		return "[]", err
	}
	return string(text), nil
}

// missing lists the sentences without any of the sentiments found, as unknown.
func missing(found []messages.Sentiment, said []sentences.Sentence) (list []messages.Sentiment) {
	for _, s := range said {
		middle := (s.Start + s.End) / 2
		if !slices.ContainsFunc(found, func(f messages.Sentiment) bool {
			return f.Channel == s.Channel && f.Start <= middle && middle <= f.End
		}) {
			list = append(list, messages.Sentiment{
				Sentiment: Unknown, Emotion: "neutral", Text: s.Text, Start: s.Start, End: s.End, Channel: s.Channel,
				Speaker: s.Speaker,
			})
		}
	}
	return list
}

// byModel finds the sentiments of the sentences that a language model could judge.
func byModel(ctx context.Context, model *llm.Client, us []messages.Utterance) ([]messages.Sentiment, error) {
	t, all := llm.TranscriptOf(us)
	found, err := FromModel(ctx, model, t)
	var list []messages.Sentiment
	for i, m := range found {
		if m == (ModelSentiment{}) {
			continue
		}
		s := all[i]
		list = append(list, messages.Sentiment{
			Sentiment: m.Sentiment, Emotion: m.Emotion, Text: s.Text, Start: s.Start, End: s.End, Channel: s.Channel,
			Speaker: s.Speaker,
		})
	}
	return list, err
}
