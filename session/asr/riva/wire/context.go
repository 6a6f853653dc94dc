package wire

import (
	"encoding/base64"
	"errors"
	"fmt"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
)

// AddContext adds an utterance's context to its request, for a server that sends [ContextKey]. Of one that is too long the end counts.
func AddContext(c *rivapb.RecognitionConfig, context []int16) {
	if len(context) == 0 {
		return
	}
	context = context[max(0, len(context)-asr.MaxContext):]
	if c.CustomConfiguration == nil {
		c.CustomConfiguration = map[string]string{}
	}
	pcm := audio.AppendPCM(make([]byte, 0, 2*len(context)), context)
	c.CustomConfiguration[contextKey] = base64.StdEncoding.EncodeToString(pcm)
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
	pcm, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(pcm)%2 != 0 {
		return nil, errors.New("context is not base64 of 16-bit samples")
	}
	context := make([]int16, len(pcm)/2)
	audio.DecodePCM(context, pcm)
	return context, nil
}
