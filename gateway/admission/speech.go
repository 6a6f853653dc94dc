package admission

import "steno/messages"

// Wants returns the kinds of events that start and end speech: a Speaker is a sink of its session's
// events.
func (s *Speaker) Wants() messages.Filter {
	return messages.FilterOf(messages.KindSpeechStart, messages.KindSpeechEnd)
}

// Send records the start or end of speech.
func (s *Speaker) Send(e messages.Event) { s.Speak(e.Kind == messages.KindSpeechStart) }
