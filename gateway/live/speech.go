package live

import (
	"steno/gateway/admission"
	"steno/messages"
)

// speech is a sink that informs admission when a session's channels speak. It is safe for
// concurrent use.
type speech struct{ speaker *admission.Speaker }

// Wants returns the kinds that start and end speech.
func (s *speech) Wants() messages.Filter {
	return messages.FilterOf(messages.KindSpeechStart, messages.KindSpeechEnd)
}

// Send records the start or end of speech.
func (s *speech) Send(e messages.Event) { s.speaker.Speak(e.Kind == messages.KindSpeechStart) }
