package wire

import (
	"encoding/base64"
	"errors"
	"fmt"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
)

// AddContext adds an utterance's context to its request, for a server that sends [ContextKey]. Of
// one that is too long the end counts.
func AddContext(c *rivapb.RecognitionConfig, context []int16) {
	if len(context) == 0 {
		return
	}
	context = context[max(0, len(context)-asr.MaxContext):]
	if c.CustomConfiguration == nil {
		c.CustomConfiguration = map[string]string{}
	}
	c.CustomConfiguration[contextKey] = encode(context)
}

// Follow returns the message within an utterance that stands for [asr.Follower.Follow], for a
// server that sends [FollowKey]. Of more than it may be the beginning counts.
func Follow(samples []int16) *rivapb.StreamingRecognizeRequest {
	return custom(followKey, encode(samples[:min(len(samples), asr.MaxFollowing)]))
}

func encode(samples []int16) string {
	return base64.StdEncoding.EncodeToString(audio.AppendPCM(make([]byte, 0, 2*len(samples)), samples))
}

// contextOf reads what AddContext has added.
func contextOf(c *rivapb.RecognitionConfig) ([]int16, error) {
	text := c.CustomConfiguration[contextKey]
	if text == "" {
		return nil, nil
	}
	if len(text) > MaxContextText {
		return nil, fmt.Errorf("context of more than %d samples", asr.MaxContext)
	}
	return decode(text)
}

func decode(text string) ([]int16, error) {
	pcm, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(pcm)%2 != 0 {
		return nil, errors.New("context is not base64 of 16-bit samples")
	}
	samples := make([]int16, len(pcm)/2)
	audio.DecodePCM(samples, pcm)
	return samples, nil
}
