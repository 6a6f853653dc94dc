package realtime

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/remote"
)

// The variants of the protocol. [Auto] finds out which one a server speaks.
const (
	Auto     = "auto"
	OpenAI   = "openai"   // OpenAI's own, and steno's
	VLLM     = "vllm"     // 16 kHz, one utterance a connection, neither items nor confirmations
	Speaches = "speaches" // OpenAI's older flat form of sessions, no partials
)

// Variants returns all of them.
func Variants() []string { return []string{Auto, OpenAI, VLLM, Speaches} }

// settings are what a connection is configured with for its utterances.
type settings struct{ language, prompt, keywords string } // keywords, one a line

// settingsOf returns those of an utterance in a language.
func (c *Config) settingsOf(p asr.Params, language string) settings {
	s := settings{language: language}
	if c.Prompt {
		s.prompt = remote.Prompt(p.Vocabulary)
	}
	if c.Keywords {
		s.keywords = strings.Join(remote.Terms(p.Vocabulary, remote.MaxPrompt), "\n")
	}
	return s
}

// becomes reports whether a server that has these settings can be given others: a setting that is
// left out of an update may stay as it is.
func (s settings) becomes(other settings) bool {
	return (s.language == "" || other.language != "") && (s.prompt == "" || other.prompt != "") &&
		(s.keywords == "" || other.keywords != "")
}

// object is a JSON object.
type object map[string]any

// variant is how to speak with a server.
type variant struct {
	name string
	rate int
	// once is set if a connection is used for one utterance only: what is sent between the end of
	// an utterance and its final, or directly after that, is lost.
	once bool
	// confirms is set if the server answers an update of the session, and the end of an utterance.
	confirms bool
	// mild is set if errors beside a confirmed update are not to be heeded: the server complains of
	// a setting that it demands.
	mild   bool
	update func(model string, s settings) object
	begin  object // nil: an utterance begins with its audio
	end    object
}

var commit = object{"type": "input_audio_buffer.commit"}

var variants = map[string]*variant{
	OpenAI: {name: OpenAI, rate: audio.UpsampledRate, confirms: true, update: nestedUpdate, end: commit},
	VLLM: {
		name: VLLM, rate: asr.Rate, once: true, begin: commit,
		end:    object{"type": "input_audio_buffer.commit", "final": true},
		update: func(model string, _ settings) object { return object{"type": "session.update", "model": model} },
	},
	Speaches: {name: Speaches, rate: audio.UpsampledRate, confirms: true, mild: true, update: flatUpdate, end: commit},
}

// nestedUpdate configures a session in OpenAI's form.
func nestedUpdate(model string, s settings) object {
	transcription := transcriptionOf(model, s)
	if s.keywords != "" {
		transcription["keywords"] = strings.Split(s.keywords, "\n")
	}
	return object{"type": "session.update", "session": object{
		"type": "transcription",
		"audio": object{"input": object{
			"format":        object{"type": "audio/pcm", "rate": audio.UpsampledRate},
			"transcription": transcription, "turn_detection": nil,
		}},
	}}
}

// flatUpdate configures a session in OpenAI's older form, as speaches has it. Its detection of
// turns cannot be turned off: with this threshold it hears none.
func flatUpdate(model string, s settings) object {
	return object{"type": "session.update", "session": object{
		"input_audio_transcription": transcriptionOf(model, s),
		"turn_detection": object{
			"type": "server_vad", "create_response": false, "threshold": 1.0,
			"prefix_padding_ms": 300, "silence_duration_ms": 2400,
		},
	}}
}

func transcriptionOf(model string, s settings) object {
	t := object{"model": model}
	if s.language != "" {
		t["language"] = s.language
	}
	if s.prompt != "" {
		t["prompt"] = s.prompt
	}
	return t
}

// detect returns the variant of a server by its greeting: vLLM's has no session, and that of
// speaches is flat.
func detect(session json.RawMessage) *variant {
	var flat struct {
		Audio  json.RawMessage `json:"audio"`
		Format json.RawMessage `json:"input_audio_format"`
	}
	switch {
	case len(session) == 0 || string(session) == "null":
		return variants[VLLM]
	case json.Unmarshal(session, &flat) == nil && flat.Audio == nil && flat.Format != nil:
		return variants[Speaches]
	}
	return variants[OpenAI]
}

// spoken is the variant that a server was found to speak. Any goroutine may call its methods.
type spoken struct {
	changed func(string) // may be nil
	mu      sync.Mutex
	name    string
}

func (s *spoken) get() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

func (s *spoken) set(name string) {
	s.mu.Lock()
	same := s.name == name
	s.name = name
	s.mu.Unlock()
	if !same && s.changed != nil {
		s.changed(name)
	}
}

// find returns the variant to speak with a server after its greeting.
func (r *Recognizer) find(greeting event) *variant {
	v := variants[r.config.Variant]
	if v == nil {
		v = detect(greeting.session)
	}
	r.spoken.set(v.name)
	return v
}

// compatible returns the index of the connection that fits best, -1 if none does: one that has the
// settings, or one that can be given them. The newest come last and are tried first.
func compatible(conns []*conn, s settings) int {
	best := -1
	for i, c := range slices.Backward(conns) {
		if c.set == s {
			return i
		}
		if best < 0 && c.set.becomes(s) {
			best = i
		}
	}
	return best
}
