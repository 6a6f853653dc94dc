package wire

import (
	"errors"
	"strconv"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
)

// Tentative returns the message within an utterance that stands for [asr.Cutter.Tentative]. Like that of [Cut] it is for
// a server that sends [CutKey]: a configuration which holds nothing but a custom one.
func Tentative(n int) *rivapb.StreamingRecognizeRequest { return custom(tentativeKey, n) }

// Cut returns the message that stands for [asr.Cutter.Cut].
func Cut(n int) *rivapb.StreamingRecognizeRequest { return custom(cutKey, n) }

func custom(key string, n int) *rivapb.StreamingRecognizeRequest {
	return &rivapb.StreamingRecognizeRequest{
		StreamingRequest: &rivapb.StreamingRecognizeRequest_StreamingConfig{
			StreamingConfig: &rivapb.StreamingRecognitionConfig{Config: &rivapb.RecognitionConfig{
				CustomConfiguration: map[string]string{key: strconv.Itoa(n)},
			}},
		},
	}
}

// ApplyCut does what a message of [Tentative] or [Cut] says to a stream. It is an error if the message is none of
// these, or if the stream cannot do it.
func ApplyCut(c *rivapb.RecognitionConfig, to asr.Stream) error {
	values := c.GetCustomConfiguration()
	for key, apply := range map[string]func(asr.Stream, int) error{tentativeKey: asr.Tentative, cutKey: asr.Cut} {
		text, ok := values[key]
		if !ok || len(values) != 1 {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n > asr.MaxSamples {
			return errors.New("not a number of samples")
		}
		return apply(to, n)
	}
	return errors.New("a configuration within an utterance must hold " + tentativeKey + " or " + cutKey)
}
