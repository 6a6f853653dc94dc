package wyoming

import (
	"slices"

	"steno/messages"
)

// artifact is what clients insist on of a program and of a model.
type artifact struct {
	Name        string      `json:"name"`
	Attribution attribution `json:"attribution"`
	Installed   bool        `json:"installed"`
	Description string      `json:"description"`
	Version     string      `json:"version"`
}

type attribution struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type program struct {
	artifact
	Models    []model `json:"models"`
	Streaming bool    `json:"supports_transcript_streaming"`
	Waits     bool    `json:"requires_external_vad"` // the client tells where the utterance ends
}

type model struct {
	artifact
	Languages []string `json:"languages"`
}

// info is the data of the event that describes what is served.
type info struct {
	ASR []program `json:"asr"`
}

// describe returns what is served with the models that there are.
func describe(models []messages.Model) info {
	own := program{
		artifact: artifactOf("steno", "Speech-to-text gateway"), Models: []model{}, Streaming: true, Waits: true,
	}
	for _, m := range models {
		if len(m.Languages) == 0 || len(m.Modes) > 0 && !slices.Contains(m.Modes, string(messages.JobLive)) {
			continue
		}
		own.Models = append(own.Models, model{artifactOf(m.Model, "Live speech"), m.Languages})
	}
	return info{[]program{own}}
}

func artifactOf(name, description string) artifact {
	return artifact{
		Name: name, Attribution: attribution{Name: "steno"}, Installed: true, Description: description, Version: "1",
	}
}
