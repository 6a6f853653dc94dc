// Package vocabulary puts a customer's words where the recognizer wrote something that sounds like them.
package vocabulary

import "steno/messages"

// Corrector corrects utterances. It never changes after New and may be used from any goroutine.
type Corrector struct{}

// New prepares a vocabulary for a transcription in a language ("en"); empty: not known beforehand.
// It never fails: what is beyond the limits, or cannot be sounded, is passed over.
func New(c messages.CustomVocabularyConfig, language string) *Corrector { return &Corrector{} }

// Apply returns the corrected utterance; the one given stays as it is.
func (c *Corrector) Apply(u messages.Utterance) messages.Utterance { return u }
