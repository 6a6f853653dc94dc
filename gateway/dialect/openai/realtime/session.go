package realtime

import "encoding/json"

// objectName is that of a session as an object.
const objectName = "realtime.transcription_session"

// session is the settings as a client reads them.
type session struct {
	ID      string       `json:"id"`
	Type    string       `json:"type" const:"transcription"`
	Object  string       `json:"object"`
	Include []string     `json:"include"`
	Audio   sessionAudio `json:"audio"`
}

// sessionAudio is how audio is taken.
type sessionAudio struct {
	Input audioInput `json:"input"`
}

// audioInput is the one input of a session.
type audioInput struct {
	Format        audioFormat     `json:"format"`
	Transcription *transcribed    `json:"transcription"`
	Turns         *turns          `json:"turn_detection"`
	Reduce        json.RawMessage `json:"noise_reduction"`
}

// transcribed is how audio is transcribed.
type transcribed struct {
	Model     string   `json:"model"`
	Language  string   `json:"language,omitempty"`
	Languages []string `json:"languages,omitempty"`
	Prompt    string   `json:"prompt"`
	Keywords  []string `json:"keywords,omitempty"`
}

// olderSession is a session in the older form.
type olderSession struct {
	ID            string          `json:"id"`
	Object        string          `json:"object"`
	Include       []string        `json:"include"`
	Format        string          `json:"input_audio_format"`
	Transcription *transcribed    `json:"input_audio_transcription"`
	Turns         *turns          `json:"turn_detection"`
	Reduce        json.RawMessage `json:"input_audio_noise_reduction"`
}

// describe returns the settings as a client reads them, in the older form for those that use it.
func (s *settings) describe(id string, older bool) any {
	if older {
		return s.olderSession(id)
	}
	return s.session(id)
}

func (s *settings) session(id string) session {
	format := audioFormat{Type: s.format.name}
	if s.format.name == formats[0].name {
		format.Rate = &s.format.rate
	}
	return session{ID: id, Type: "transcription", Object: objectName, Include: s.include,
		Audio: sessionAudio{audioInput{format, s.transcribed(), s.turns, s.reduce}}}
}

func (s *settings) olderSession(id string) olderSession {
	return olderSession{ID: id, Object: objectName, Include: s.include, Format: s.format.beta,
		Transcription: s.transcribed(), Turns: s.turns, Reduce: s.reduce}
}

// transcribed returns nil where nothing was asked for.
func (s *settings) transcribed() *transcribed {
	if s.model == "" && s.language == nil && s.prompt == "" && len(s.keywords) == 0 {
		return nil
	}
	t := &transcribed{Model: s.model, Prompt: s.prompt, Keywords: s.keywords}
	if len(s.language) == 1 {
		t.Language = s.language[0]
	} else {
		t.Languages = s.language
	}
	return t
}
