package addon

import (
	"context"
	"fmt"

	"steno/messages"
)

// Keys of the messages of real-time add-ons.
func translationKey(id, target string) messages.Key {
	return messages.Key{Kind: messages.KindTranslation, Subject: id, Language: target}
}

func entityKey(id string) messages.Key {
	return messages.Key{Kind: messages.KindNamedEntityRecognition, Subject: id}
}

func sentimentKey(id string) messages.Key {
	return messages.Key{Kind: messages.KindSentimentAnalysis, Subject: id}
}

// translate is the utterance in one other language. Each utterance is translated alone, so there is one for it whatever
// match_original_utterances says.
func (l *Live) translate(id string, u messages.Utterance, target string) Step {
	c := *l.request.RealtimeProcessing.TranslationConfig
	c.MatchOriginalUtterances = true
	work := func(ctx context.Context) (messages.Utterance, error) {
		out, err := l.ways.Translate(ctx, []messages.Utterance{u}, target, c)
		if err != nil {
			return messages.Utterance{}, err
		}
		if len(out) != 1 {
			return messages.Utterance{}, fmt.Errorf("%d translations of one utterance", len(out))
		}
		return out[0], nil
	}
	return newStep(l, translation, translationKey(id, target), l.ways.Translate != nil, work,
		func(translated messages.Utterance, failed *messages.AddonError) messages.Message {
			return messages.Translation{
				UtteranceID: id, Utterance: u, OriginalLanguage: u.Language, TargetLanguage: target,
				TranslatedUtterance: translated, Error: failed,
			}
		})
}

// name is what the utterance speaks of.
func (l *Live) name(id string, u messages.Utterance) Step {
	work := func(ctx context.Context) ([]messages.Entity, error) { return l.ways.Entities(ctx, u) }
	return newStep(l, entity, entityKey(id), l.ways.Entities != nil, work,
		func(found []messages.Entity, failed *messages.AddonError) messages.Message {
			return messages.NamedEntityRecognition{UtteranceID: id, Utterance: u, Results: found, Error: failed}
		})
}

// feel is the mood of the utterance's sentences.
func (l *Live) feel(id string, u messages.Utterance) Step {
	work := func(ctx context.Context) ([]messages.Sentiment, error) {
		return l.ways.Sentiments(ctx, []messages.Utterance{u})
	}
	return newStep(l, sentiments, sentimentKey(id), l.ways.Sentiments != nil, work,
		func(moods []messages.Sentiment, failed *messages.AddonError) messages.Message {
			return messages.SentimentAnalysis{UtteranceID: id, Utterance: u, Results: moods, Error: failed}
		})
}
