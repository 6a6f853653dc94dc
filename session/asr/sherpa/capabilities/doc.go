// Package capabilities has what sherpa-onnx can do beside recognition: tell languages and speakers apart, put punctuation into
// text, take noise out of speech. Each ability is made of a model that package folder has looked at.
//
// All are safe for use from any goroutine. An ability works on one thing at a time, and keeps a few callers waiting;
// beyond that it is unavailable. Close waits for what is under way, frees the library's objects, and makes everything
// after it unavailable.
//
// The library cannot be interrupted: a context that ends while it works is heeded when it is through, and what goes into
// one call is therefore bounded. It ends the process over input that it does not expect, such as no samples or text that
// is no UTF-8, so none such gets there.
package capabilities

import (
	"errors"
	"fmt"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
)

var errRefused = errors.New("the library does not take it")

// wants fails unless the model is of one of the kinds.
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

// floats converts samples to what the library takes, from -1 to 1.
func floats(samples []int16) []float32 {
	converted := make([]float32, len(samples))
	for i, s := range samples {
		converted[i] = float32(s) / 32768
	}
	return converted
}

// unavailable says why there is no result.
func unavailable(why string) error { return fmt.Errorf("%w: %s", asr.ErrUnavailable, why) }
