package realtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
	"steno/messages"
)

// grace is how long the session of a client that is lost continues.
const grace = time.Second

// The formats of audio, by the names that clients have for them.
var formats = []format{
	{"audio/pcm", "pcm16", 24000, "wav/pcm", 16},
	{"audio/pcmu", "g711_ulaw", 8000, "wav/ulaw", 8},
	{"audio/pcma", "g711_alaw", 8000, "wav/alaw", 8},
}

// format is a format of audio.
type format struct {
	name, beta string
	rate       int // samples a second
	encoding   string
	depth      int // bits of a sample
}

// bytes is how many bytes of audio so many milliseconds are.
func (f format) bytes(ms int) int { return f.rate * f.depth / 8 * ms / 1000 }

// The ways in which turns are detected.
const (
	serverVAD   = "server_vad"
	semanticVAD = "semantic_vad"
)

// turns is how turns are detected.
type turns struct {
	Type      string   `json:"type" enum:"server_vad,semantic_vad"`
	Threshold *float64 `json:"threshold,omitempty"`
	Padding   *int     `json:"prefix_padding_ms,omitempty"`
	Silence   *int     `json:"silence_duration_ms,omitempty"`
	Eagerness string   `json:"eagerness,omitempty"`
}

// Bounds of turns and what is assumed.
const (
	usualThreshold = 0.5
	usualPadding   = 300   // ms
	usualSilence   = 500   // ms
	mostSilence    = 10000 // ms
	hangover       = 0.2   // seconds that a session adds to its endpointing
	shortest       = 0.01  // seconds of endpointing
	patience       = 0.5   // seconds beyond the silence after which a pause in sending is taken for it
	shortestPause  = 1.0   // seconds of such a pause
)

// eagerness is after how many seconds of silence a turn ends by how eager the detection is.
var eagerness = map[string]float64{"high": 0.45, "medium": 0.8, "auto": 0.8, "low": 2}

// settings are those of a client.
type settings struct {
	format   format
	model    string
	language []string
	prompt   string
	keywords []string
	turns    *turns // nil: the client commits
	include  []string
	reduce   json.RawMessage // of noise: echoed
}

func defaults() settings {
	s := settings{format: formats[0], turns: &turns{Type: serverVAD}}
	s.turns.fill()
	return s
}

// logprobs reports whether the client wants to know how sure words are.
func (s *settings) logprobs() bool {
	return slices.Contains(s.include, "item.input_audio_transcription.logprobs")
}

// sessionSettings are the settings as a client writes them, in the current form and in the older,
// flat one.
type sessionSettings struct {
	Type    *string       `json:"type" enum:"transcription"`
	Include *[]string     `json:"include"`
	Audio   audioSettings `json:"audio"`

	Format        dialect.Raw[string]         `json:"input_audio_format"`
	Transcription dialect.Raw[transcription]  `json:"input_audio_transcription"`
	Turns         dialect.Raw[turns]          `json:"turn_detection"`
	Reduce        dialect.Raw[noiseReduction] `json:"input_audio_noise_reduction"`
}

// audioSettings hold the one input of a session.
type audioSettings struct {
	Input inputSettings `json:"input"`
}

// inputSettings are how the audio is to be taken.
type inputSettings struct {
	Format        dialect.Raw[audioFormat]    `json:"format"`
	Transcription dialect.Raw[transcription]  `json:"transcription"`
	Turns         dialect.Raw[turns]          `json:"turn_detection"`
	Reduce        dialect.Raw[noiseReduction] `json:"noise_reduction"`
}

// audioFormat is a format of audio as clients name it.
type audioFormat struct {
	Type string `json:"type" enum:"audio/pcm,audio/pcmu,audio/pcma"`
	Rate *int   `json:"rate,omitempty"`
}

// noiseReduction has no effect.
type noiseReduction struct {
	Type string `json:"type"`
}

// transcription is how audio is to be transcribed.
type transcription struct {
	Model     *string   `json:"model"`
	Language  *string   `json:"language"`
	Languages *[]string `json:"languages"`
	Prompt    *string   `json:"prompt"`
	Keywords  *[]string `json:"keywords"`
}

// update applies the settings of a client; what it leaves out stays as it is. Where free is
// not set the session has begun: its format and languages stay. After an error s is as it was.
func (s *settings) update(raw json.RawMessage, free bool) error {
	var o sessionSettings
	if err := json.Unmarshal(raw, &o); err != nil || !isObject(raw) {
		return openai.Invalid("session", "must be an object of the settings")
	}
	if o.Type != nil && *o.Type != "transcription" {
		return openai.Invalid("session.type", `must be "transcription": this server does not speak`)
	}
	next := *s
	in := o.Audio.Input
	for _, part := range []struct {
		name      string
		raw, flat json.RawMessage
		apply     func(json.RawMessage) error
	}{
		{"format", in.Format.RawMessage, o.Format.RawMessage, next.updateFormat},
		{"transcription", in.Transcription.RawMessage, o.Transcription.RawMessage, next.updateTranscription},
		{"turn_detection", in.Turns.RawMessage, o.Turns.RawMessage, next.updateTurns},
	} {
		name, text := "session.audio.input."+part.name, part.raw
		if text == nil && part.flat != nil {
			text = part.flat
		}
		if text == nil {
			continue
		}
		if err := part.apply(text); err != nil {
			return openai.Invalid(name, err.Error())
		}
	}
	if o.Include != nil {
		next.include = *o.Include
	}
	for _, raw := range []json.RawMessage{o.Reduce.RawMessage, in.Reduce.RawMessage} {
		if raw != nil {
			next.reduce = compact(raw)
		}
	}
	if _, err := next.start(); err != nil {
		return err
	}
	if !free && (next.format != s.format || !slices.Equal(next.language, s.language)) {
		return openai.Invalid("session.audio.input", "cannot change the format or the language of a session with audio")
	}
	*s = next
	return nil
}

func isObject(raw []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{")) }

func isNull(raw []byte) bool { return string(bytes.TrimSpace(raw)) == "null" }

// compact returns JSON without white space.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil || isNull(raw) || b.Len() > 1000 {
		return nil
	}
	return b.Bytes()
}

// updateFormat reads a format: an object, or in the older form a name.
func (s *settings) updateFormat(raw json.RawMessage) error {
	var f audioFormat
	if json.Unmarshal(raw, &f.Type) != nil && json.Unmarshal(raw, &f) != nil {
		return fmt.Errorf("must have a type")
	}
	if isNull(raw) {
		return nil
	}
	for _, known := range formats {
		if f.Type != known.name && f.Type != known.beta {
			continue
		}
		if f.Rate != nil && *f.Rate != known.rate {
			return fmt.Errorf("has the rate %d: %s has %d", *f.Rate, known.name, known.rate)
		}
		s.format = known
		return nil
	}
	return fmt.Errorf("must be audio/pcm of 24000 Hz, audio/pcmu or audio/pcma")
}

func (s *settings) updateTranscription(raw json.RawMessage) error {
	var t transcription
	if err := json.Unmarshal(raw, &t); err != nil {
		return fmt.Errorf("must be an object with a model")
	}
	if isNull(raw) {
		return nil // there is nothing else to do here
	}
	if t.Model != nil {
		s.model = *t.Model
	}
	if t.Language != nil {
		s.language = nil
		if *t.Language != "" {
			s.language = []string{*t.Language}
		}
	}
	if t.Languages != nil && len(*t.Languages) > 0 {
		s.language = *t.Languages
	}
	if t.Prompt != nil {
		s.prompt = *t.Prompt
	}
	if t.Keywords != nil {
		s.keywords = *t.Keywords
	}
	return nil
}

func (s *settings) updateTurns(raw json.RawMessage) error {
	if isNull(raw) {
		s.turns = nil
		return nil
	}
	t := turns{Type: serverVAD}
	if json.Unmarshal(raw, &t) != nil {
		return fmt.Errorf("must be null or an object with a type")
	}
	if err := t.check(); err != nil {
		return err
	}
	t.fill()
	s.turns = &t
	return nil
}

// check returns what is wrong with a detection of turns.
func (t *turns) check() error {
	_, known := eagerness[t.Eagerness]
	switch {
	case t.Type != serverVAD && t.Type != semanticVAD:
		return fmt.Errorf("must have the type %s or %s", serverVAD, semanticVAD)
	case t.Threshold != nil && (*t.Threshold < 0 || *t.Threshold > 1):
		return fmt.Errorf("must have a threshold from 0 to 1")
	case t.Silence != nil && (*t.Silence < 0 || *t.Silence > mostSilence):
		return fmt.Errorf("must have a silence_duration_ms from 0 to %d", mostSilence)
	case t.Padding != nil && (*t.Padding < 0 || *t.Padding > mostSilence):
		return fmt.Errorf("must have a prefix_padding_ms from 0 to %d", mostSilence)
	case t.Eagerness != "" && !known:
		return fmt.Errorf("must have an eagerness of low, medium, high or auto")
	}
	return nil
}

// fill sets what the client leaves out.
func (t *turns) fill() {
	if t.Type == semanticVAD {
		t.Threshold, t.Padding, t.Silence = nil, nil, nil
		if t.Eagerness == "" {
			t.Eagerness = "auto"
		}
		return
	}
	t.Eagerness = ""
	for _, f := range []struct {
		into **int
		v    int
	}{{&t.Padding, usualPadding}, {&t.Silence, usualSilence}} {
		if *f.into == nil {
			*f.into = new(f.v)
		}
	}
	if t.Threshold == nil {
		t.Threshold = new(usualThreshold)
	}
}

// endpointing returns the silence that ends an utterance, in seconds as sessions count it.
func (s *settings) endpointing() float64 {
	switch {
	case s.turns == nil:
		return messages.NeverEnds
	case s.turns.Type == semanticVAD:
		return max(eagerness[s.turns.Eagerness]-hangover, shortest)
	}
	return max(float64(*s.turns.Silence)/1000-hangover, shortest)
}

// threshold returns how sure the detector must be of speech. Clients take 0.5 for what sessions
// take 0.6 for.
func (s *settings) threshold() float64 {
	if s.turns == nil || s.turns.Threshold == nil || *s.turns.Threshold == usualThreshold {
		return usualSpeech
	}
	if t := *s.turns.Threshold; t < usualThreshold {
		return t / usualThreshold * usualSpeech
	}
	return usualSpeech + (*s.turns.Threshold-usualThreshold)/(1-usualThreshold)*(1-usualSpeech)
}

// usualSpeech is the threshold of sessions that state none.
const usualSpeech = 0.6

// pause returns after how many seconds without audio silence is taken to come; 0: never.
func (s *settings) pause() float64 {
	if s.turns == nil {
		return 0
	}
	return max(s.endpointing()+hangover+patience, shortestPause)
}

// padding is by how many milliseconds speech begins earlier for the client.
func (s *settings) padding() int {
	if s.turns == nil || s.turns.Padding == nil {
		return 0
	}
	return *s.turns.Padding
}

// terms returns what the encoder has to know.
func (s *settings) terms() terms {
	return terms{Manual: s.turns == nil, Padding: s.padding(), Logprobs: s.logprobs()}
}

// changes returns the settings that a session can still change.
func (s *settings) changes() messages.Update {
	vocabulary := messages.List[messages.VocabularyEntry]{}
	if v := openai.Vocabulary(s.prompt, s.keywords...); v != nil {
		vocabulary = v.Vocabulary
	}
	return messages.Update{
		Endpointing: new(s.endpointing()), Threshold: new(s.threshold()), SilenceAfter: new(s.pause()),
		Vocabulary: &vocabulary,
	}
}

// longest is the longest utterance, in seconds.
const longest = 60

// start returns the start of a session with the settings.
func (s *settings) start() (*dialect.Start, error) {
	model, _, err := openai.Model(s.model)
	if err != nil {
		return nil, err
	}
	languages, err := openai.Languages("session.audio.input.transcription.language", s.language...)
	if err != nil {
		return nil, err
	}
	if languages == nil {
		languages = messages.List[string]{}
	}
	processing := map[string]any{}
	if v := openai.Vocabulary(s.prompt, s.keywords...); v != nil {
		processing["custom_vocabulary"], processing["custom_vocabulary_config"] = true, v
	}
	request, fault := messages.ParseLive(encode(map[string]any{
		"encoding": s.format.encoding, "bit_depth": s.format.depth, "sample_rate": s.format.rate, "channels": 1,
		"model": model, "endpointing": min(s.endpointing(), 10), "maximum_duration_without_endpointing": longest,
		"language_config":     map[string]any{"languages": languages},
		"pre_processing":      map[string]any{"speech_threshold": s.threshold()},
		"realtime_processing": processing,
		"messages_config":     map[string]any{"receive_partial_transcripts": true},
	}))
	if fault != nil {
		return nil, fault
	}
	update := messages.Update{SilenceAfter: new(s.pause())}
	if s.turns == nil {
		update.Endpointing = new(s.endpointing())
	}
	return &dialect.Start{Request: request, Updates: []messages.Update{update}}, nil
}
