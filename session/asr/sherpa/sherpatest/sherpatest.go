// Package sherpatest provides tests of whole programs with small models that sherpa-onnx really
// loads, and with speech that those models recognize. The models themselves are described and made
// in package fakemodels, which only this folder's packages may import.
package sherpatest

import "steno/session/asr/sherpa/internal/fakemodels"

// Alphabet is a fake language. Its methods write models of that language and synthesize its speech.
type Alphabet = fakemodels.Alphabet

const (
	// SampleRate is the rate of synthesized speech, in Hz.
	SampleRate = fakemodels.SampleRate
	// Start begins the text of each piece that begins a word.
	Start = fakemodels.Start
)

// English returns the alphabet of the fake English.
func English() Alphabet { return fakemodels.English() }

// French returns the alphabet of the fake French, which has letters outside ASCII.
func French() Alphabet { return fakemodels.French() }

// WriteIdentifier writes a model of Whisper's kind into dir that distinguishes the given languages.
func WriteIdentifier(dir string, languages ...Alphabet) error {
	return fakemodels.WriteIdentifier(dir, languages...)
}
