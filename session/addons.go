package session

import (
	"steno/messages"
)

// unavailable is what an add-on that this server has no way to do answers with: its own wrapper or message carries
// it, the transcript goes on.
func unavailable(name string) *messages.AddonError {
	return &messages.AddonError{
		StatusCode: 501,
		Exception:  "AddonUnavailable",
		Message:    name + " is not available on this server",
	}
}

// keyed is a message with its identity in the log.
type keyed struct {
	key string
	messages.Message
}

// addons lists what follows an utterance's final: an answer for every real-time add-on that was asked for.
func (s *Session) addons(u *utterance) []keyed {
	var list []keyed
	add := func(m messages.Message, variant string) {
		list = append(list, keyed{m.Kind().String() + "/" + u.id + variant, m})
	}
	rt := s.cfg.Request.RealtimeProcessing
	if rt.Translation {
		for _, target := range rt.TranslationConfig.TargetLanguages {
			add(messages.Translation{Error: unavailable("translation")}, "/"+target)
		}
	}
	if rt.NamedEntityRecognition {
		add(messages.NamedEntityRecognition{Error: unavailable("named_entity_recognition")}, "")
	}
	if rt.SentimentAnalysis {
		add(messages.SentimentAnalysis{Error: unavailable("sentiment_analysis")}, "")
	}
	return list
}

// addWrappers puts the wrapper of every add-on that was asked for into the result.
func (s *Session) addWrappers(r *messages.LiveResult) {
	rt, post := s.cfg.Request.RealtimeProcessing, s.cfg.Request.PostProcessing
	if rt.Translation {
		r.Translation = failed[messages.List[messages.TranslationResult]]("translation")
	}
	if rt.NamedEntityRecognition {
		r.NamedEntityRecognition = failed[messages.List[messages.Entity]]("named_entity_recognition")
	}
	if rt.SentimentAnalysis {
		r.SentimentAnalysis = failed[string]("sentiment_analysis")
	}
	if post.Summarization {
		r.Summarization = failed[*string]("summarization")
	}
	if post.Chapterization {
		r.Chapterization = failed[messages.List[messages.Chapter]]("chapterization")
	}
}

// failed is the wrapper of an add-on that could not be done.
func failed[T any](name string) *messages.AddonResult[T] {
	return &messages.AddonResult[T]{IsEmpty: true, Error: unavailable(name)}
}
