package sherpa

import (
	"strconv"
	"strings"

	"steno/session/asr/riva/wire"
)

// heard is what the library makes of an utterance. The slices besides tokens are as long as tokens, or nil where the
// model does not tell.
type heard struct {
	text      string
	tokens    []string
	starts    []float32 // seconds
	durations []float32 // seconds
	logs      []float32 // natural logarithms of probabilities
	language  string    // a code of the API; empty where the model does not tell
}

// online is a streaming model in the library. Its methods may be called from any goroutine, but not two at a time for
// the same stream.
type online interface {
	// Stream begins an utterance; hotwords are in the library's format.
	Stream(hotwords string) stream
	// Decode takes one step of each of the streams, which must be ready.
	Decode(streams []stream)
	Free()
}

// stream is one utterance in a streaming model.
type stream interface {
	Feed(samples []float32) // -1 to 1, one at least
	Finish()                // no more is fed
	Ready() bool
	Result() heard
	Free()
}

// offline is a model for whole utterances in the library. Where a language can be told, Decode is called from one
// goroutine at a time; else from any.
type offline interface {
	Decode(samples []float32, language, hotwords string) heard
	Free()
}

// list returns the numbers of an array in the JSON text of a result. Quotes within strings are escaped there, so the
// first `"key": [` is the key's.
func list(text, key string) []float32 {
	_, rest, ok := strings.Cut(text, `"`+key+`": [`)
	if !ok {
		return nil
	}
	rest, _, ok = strings.Cut(rest, "]")
	if !ok {
		return nil
	}
	var numbers []float32
	for field := range strings.SplitSeq(rest, ",") {
		f, err := strconv.ParseFloat(strings.TrimSpace(field), 32)
		if err != nil {
			return nil
		}
		numbers = append(numbers, float32(f))
	}
	return numbers
}

// code returns the code of a language as models write it: "<|en|>", "en", "zh-CN"; empty for what is none.
func code(label string) string { return wire.Code(strings.Trim(label, "<|> ")) }

// floats converts samples to what the library takes.
func floats(samples []int16) []float32 {
	out := make([]float32, len(samples))
	for i, s := range samples {
		out[i] = float32(s) / 32768
	}
	return out
}
