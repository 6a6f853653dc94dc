package loadtest

import (
	"steno/audio"
	"steno/messages"
)

// request is the body that opens a session, as far as a client here has something to say.
type request struct {
	Encoding    string          `json:"encoding"`
	BitDepth    int             `json:"bit_depth"`
	SampleRate  int             `json:"sample_rate"`
	Channels    int             `json:"channels"`
	Endpointing float64         `json:"endpointing,omitempty"`
	Languages   *languageConfig `json:"language_config,omitempty"`
	Messages    messagesConfig  `json:"messages_config"`
}

type languageConfig struct {
	Languages []string `json:"languages"`
}

type messagesConfig struct {
	Partials        bool `json:"receive_partial_transcripts"`
	Finals          bool `json:"receive_final_transcripts"`
	SpeechEvents    bool `json:"receive_speech_events"`
	PostProcessing  bool `json:"receive_post_processing_events"`
	Acknowledgments bool `json:"receive_acknowledgments"`
	Errors          bool `json:"receive_errors"`
}

func newRequest(o Options, f audio.Format) request {
	r := request{
		Encoding:    f.Encoding.String(),
		BitDepth:    f.BitDepth,
		SampleRate:  f.SampleRate,
		Channels:    f.Channels,
		Endpointing: o.Endpointing,
		Messages:    messagesConfig{Partials: o.Partials, Finals: true, SpeechEvents: true, Acknowledgments: true, Errors: true},
	}
	if len(o.Languages) > 0 {
		r.Languages = &languageConfig{Languages: o.Languages}
	}
	return r
}

// created is the answer to the request.
type created struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

// frame is any message of the server. Data holds the fields of all types a client here looks at: no two of them use
// one name in different ways.
type frame struct {
	Type         string `json:"type"`
	Acknowledged *bool  `json:"acknowledged"`
	Error        *struct {
		Exception string `json:"exception"`
		Message   string `json:"message"`
	} `json:"error"`
	Data *struct {
		ByteRange *[2]int64          `json:"byte_range"`
		Time      float64            `json:"time"`
		Channel   int                `json:"channel"`
		ID        string             `json:"id"`
		IsFinal   bool               `json:"is_final"`
		Utterance messages.Utterance `json:"utterance"`
	} `json:"data"`
}

const stopFrame = `{"type":"stop_recording"}`
