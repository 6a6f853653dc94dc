package addon

import (
	"context"
	"sync/atomic"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/addon/spelling"
)

// Times of add-ons where the ways do not say.
const (
	realtime   = 5 * time.Second
	afterwards = 2 * time.Minute
)

// Names of add-ons, as requests and results have them.
const (
	translation = "translation"
	entity      = "named_entity_recognition"
	sentiments  = "sentiment_analysis"
	chapter     = "chapterization"
)

// Live does what the request of a live session wants done with its utterances. It may be used from any goroutine and
// starts none.
type Live struct {
	request *messages.LiveRequest
	ways    Ways

	vocabulary *correctors       // nil: not asked for
	speller    *spelling.Speller // nil: not asked for
	targets    []string          // languages to translate to, each once

	spent map[string]*atomic.Int64 // by add-on: the time of all its steps so far, in nanoseconds
}

// NewLive returns what a request wants, to be done in these ways. The request must stay as it is.
func NewLive(r *messages.LiveRequest, w Ways) *Live {
	if w.Realtime <= 0 {
		w.Realtime = realtime
	}
	w.Afterwards = w.later()
	l := &Live{request: r, ways: w, spent: map[string]*atomic.Int64{}}
	for _, name := range []string{translation, entity, sentiments} {
		l.spent[name] = new(atomic.Int64)
	}
	rt := r.RealtimeProcessing
	if rt.CustomVocabulary && rt.CustomVocabularyConfig != nil {
		l.vocabulary = newCorrectors(*rt.CustomVocabularyConfig)
	}
	if rt.CustomSpelling && rt.CustomSpellingConfig != nil {
		l.speller = spelling.New(*rt.CustomSpellingConfig)
	}
	if rt.Translation && rt.TranslationConfig != nil {
		l.targets = targetsOf(*rt.TranslationConfig)
	}
	return l
}

// Step is one add-on for one final.
type Step struct {
	// Addon names the add-on. Its steps share what it is done by; those of others have nothing to do with it.
	Addon string
	// Key is the identity of the step's message in the session's log.
	Key messages.Key
	// Within is the time that the work may take, and so may waiting for it.
	Within time.Duration
	// Do does the work, for at most that time, and returns the message that says what came of it. nil: there is no way
	// to do it, and the message is what Fail makes of [Unavailable].
	Do func(context.Context) messages.Message
	// Fail is the message that says what failed.
	Fail func(*messages.AddonError) messages.Message
}

// Following lists what follows the final of an utterance: each real-time add-on that was asked for, in an order that is
// always the same. The keys depend on the id alone.
func (l *Live) Following(id string, u messages.Utterance) []Step {
	var list []Step
	for _, target := range l.targets {
		list = append(list, l.translate(id, u, target))
	}
	if l.request.RealtimeProcessing.NamedEntityRecognition {
		list = append(list, l.name(id, u))
	}
	if l.request.RealtimeProcessing.SentimentAnalysis {
		list = append(list, l.feel(id, u))
	}
	return list
}

// newStep is a step that gives a T; known says that there is a way.
func newStep[T any](l *Live, name string, key messages.Key, known bool, work func(context.Context) (T, error),
	message func(T, *messages.AddonError) messages.Message) Step {
	s := Step{Addon: name, Key: key, Within: l.ways.Realtime}
	s.Fail = func(e *messages.AddonError) messages.Message {
		var none T
		return message(none, e)
	}
	if known {
		s.Do = func(ctx context.Context) messages.Message {
			began := time.Now()
			result, err := attempt(remote.Urgent(ctx, remote.Now), l.ways.Realtime, work)
			l.spent[name].Add(int64(time.Since(began)))
			if err != nil {
				return s.Fail(remote.Addon(err))
			}
			return message(result, nil)
		}
	}
	return s
}
