// Package capabilities has what sherpa-onnx can do besides recognition: identify a language, tell
// speakers apart, punctuate, denoise. Each capability is made of a model that package folder has
// checked.
//
// Any goroutine may use them. A capability does one thing at a time, and lets a few callers wait;
// further ones find it unavailable. Close waits for what is under way and frees the library's
// objects; from then on the capability is unavailable.
//
// The library cannot be interrupted: the end of a context takes effect when a call of the library
// returns, and the input of one call is therefore bounded. It ends the process over input that it
// does not expect, such as no samples or text that is not UTF-8, so it never gets such input.
package capabilities

import (
	"errors"
	"fmt"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
)

var errRefused = errors.New("the library does not take it")

// wants returns an error unless the model is of one of the kinds.
func wants(m folder.Model, kinds ...folder.Kind) error {
	for _, k := range kinds {
		if m.Kind == k {
			return nil
		}
	}
	return fmt.Errorf("model %s: its kind is %q, and %q is needed", m.Name, m.Kind, kinds[0])
}

// loaded adds to an error which model could not be loaded.
func loaded(m folder.Model, err error) error {
	if err != nil {
		return fmt.Errorf("model %s: %w", m.Name, err)
	}
	return nil
}

// floats converts samples to the library's format, in [-1,1].
func floats(samples []int16) []float32 {
	converted := make([]float32, len(samples))
	for i, s := range samples {
		converted[i] = float32(s) / 32768
	}
	return converted
}

// unavailable returns an ErrUnavailable with a reason.
func unavailable(why string) error { return fmt.Errorf("%w: %s", asr.ErrUnavailable, why) }
