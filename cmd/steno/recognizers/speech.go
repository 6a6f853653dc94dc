package recognizers

import (
	"encoding/json"

	"steno/audio"
	"steno/messages"
)

// AllSpeech returns a request for which all of a recording is speech, whatever the speech detector
// finds. An empty language is found out.
func AllSpeech(f audio.Format, language string) (*messages.LiveRequest, error) {
	languages := []string{}
	if language != "" {
		languages = append(languages, language)
	}
	body, err := json.Marshal(map[string]any{
		"encoding": f.Encoding.String(), "bit_depth": f.BitDepth, "sample_rate": f.SampleRate, "channels": f.Channels,
		"pre_processing": map[string]any{"speech_threshold": 0}, "maximum_duration_without_endpointing": 60,
		"language_config": map[string]any{"languages": languages},
	})
	if err != nil {
		return nil, err
	}
	request, problem := messages.ParseLive(body)
	if problem != nil {
		return nil, problem
	}
	return request, nil
}
