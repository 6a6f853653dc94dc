package wire

import (
	"errors"
	"fmt"
	"strconv"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
)

// Tentative returns the message within an utterance that stands for [asr.Cutter.Tentative]. Like
// that of [Cut] it is for a server that sends [CutKey]: a configuration which holds nothing but a
// custom one.
func Tentative(n int) *rivapb.StreamingRecognizeRequest {
	return custom(tentativeKey, strconv.Itoa(n))
}

// Cut returns the message that stands for [asr.Cutter.Cut].
func Cut(n int) *rivapb.StreamingRecognizeRequest { return custom(cutKey, strconv.Itoa(n)) }

func custom(key, value string) *rivapb.StreamingRecognizeRequest {
	return &rivapb.StreamingRecognizeRequest{
		StreamingRequest: &rivapb.StreamingRecognizeRequest_StreamingConfig{
			StreamingConfig: &rivapb.StreamingRecognitionConfig{Config: &rivapb.RecognitionConfig{
				CustomConfiguration: map[string]string{key: value},
			}},
		},
	}
}

// Apply applies a message of [Tentative], [Cut] or [Follow] to a stream. It is an error if the
// message is none of these, or if the stream cannot do it.
func Apply(c *rivapb.RecognitionConfig, to asr.Stream) error {
	values := c.GetCustomConfiguration()
	if text, ok := values[followKey]; ok && len(values) == 1 {
		return applyFollow(text, to)
	}
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
	return errors.New("a configuration within an utterance must hold " + tentativeKey + ", " + cutKey + " or " +
		followKey)
}

func applyFollow(text string, to asr.Stream) error {
	if len(text) > MaxFollowText {
		return fmt.Errorf("more than %d samples follow", asr.MaxFollowing)
	}
	samples, err := decode(text)
	if err != nil {
		return err
	}
	return asr.Follow(to, samples)
}
