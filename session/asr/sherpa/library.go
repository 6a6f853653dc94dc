package sherpa

import (
	"strconv"
	"strings"

	"steno/session/asr/riva/wire"
)

// hypothesis is the library's result for an utterance. The slices besides tokens are as long as
// tokens, or nil if the model does not return them.
type hypothesis struct {
	text      string
	tokens    []string
	starts    []float32 // seconds
	durations []float32 // seconds
	logs      []float32 // natural logarithms of probabilities
	language  string    // a code of the API; empty if the model does not return it
}

// online is a streaming model in the library. Any goroutine may call its methods, but not two at a
// time with the same stream.
type online interface {
	// Stream starts an utterance; hotwords are in the library's format.
	Stream(hotwords string) libraryStream
	// Decode runs one step of each of the streams, which must be ready.
	Decode(streams []libraryStream)
	Free()
}

// libraryStream is one utterance in a streaming model.
type libraryStream interface {
	Feed(samples []float32) // in [-1,1], one sample at least
	Finish()                // no more samples follow
	Ready() bool
	Result() hypothesis
	Free()
}

// offline is a model for whole utterances in the library. If the model can be given the language,
// one goroutine at a time may call Decode, else any.
type offline interface {
	// Decode returns an error with the text of an exception if the library met one: the hypothesis
	// is empty then.
	Decode(samples []float32, language, hotwords string) (hypothesis, error)
	Free()
}

// list returns the numbers of an array in the JSON text of a result. Quotes within strings are
// escaped there, so the first `"key": [` is the key's.
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

// code returns the API's code of a language as models write it: "<|en|>", "en", "zh-CN"; empty if
// there is none.
func code(label string) string { return wire.Code(strings.Trim(label, "<|> ")) }

// floats converts samples to the library's format, in [-1,1].
func floats(samples []int16) []float32 {
	out := make([]float32, len(samples))
	for i, s := range samples {
		out[i] = float32(s) / 32768
	}
	return out
}
