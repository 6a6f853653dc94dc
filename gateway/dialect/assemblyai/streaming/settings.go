package streaming

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai"
	"steno/messages"
)

// settings is what the address of a WebSocket asks for.
type settings struct {
	encoding  string // of the audio, as the gateway names it
	packets   bool   // messages are packets of Opus
	rate      int    // samples a second; 0: that of the container
	model     string // the gateway's; empty: the usual one
	languages []string
	terms     []string // to be preferred
	formatted bool     // each turn ends twice, the second time formatted
	partials  bool     // turns are sent before they have ended
	speakers  bool
	redaction object // what is hidden, and how; nil: nothing is
	turns     turns
	idle      time.Duration // that the client may be silent for; 0: as long as any
}

// encodings are those of clients, by the names that the gateway has for them.
var encodings = map[string]string{
	"": "wav/pcm", "pcm_s16le": "wav/pcm", "pcm_mulaw": "wav/ulaw", "opus": "ogg/opus",
	"ogg_opus": "ogg/opus", "aac": "aac",
}

// ownModels are the names of the service's models, and the language that one is for, if it is for
// one. All are the gateway's usual model.
var ownModels = map[string]string{
	"": "", "universal-streaming-english": "en", "universal-streaming-multilingual": "", "u3-pro": "",
	"u3-rt-pro": "", "u3-rt-pro-beta-1": "", "universal-3-5-pro": "", "universal-3-6": "",
	"universal-3-6-pro": "", "whisper-rt": "",
}

// maxIdle is the longest inactivity_timeout, in seconds.
const maxIdle = 3600

// most is how many items a list may have.
const most = 1000

// query reads the parameters of an address. It keeps the first fault.
type query struct {
	values url.Values
	fault  error
}

// refuse notes that a parameter breaks a rule.
func (q *query) refuse(name, rule string) {
	if q.fault == nil {
		q.fault = messages.Invalid(name, rule)
	}
}

// truth returns a parameter that is true or false.
func (q *query) truth(name string, missing bool) bool {
	switch strings.ToLower(q.values.Get(name)) {
	case "":
		return missing
	case "true", "1":
		return true
	case "false", "0":
		return false
	}
	q.refuse(name, "must be true or false")
	return missing
}

// number returns a parameter that is a number from 0 to a highest; nil: it is missing.
func (q *query) number(name string, highest float64) *float64 {
	text := q.values.Get(name)
	if text == "" {
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= highest) {
		q.refuse(name, "must be a number from 0 to "+strconv.FormatFloat(highest, 'f', -1, 64))
		return nil
	}
	return &v
}

// list returns a parameter that is an array of texts in JSON, or is given several times.
func (q *query) list(name string) (all []string) {
	for _, text := range q.values[name] {
		if !strings.HasPrefix(strings.TrimSpace(text), "[") {
			all = append(all, text)
			continue
		}
		var some []string
		if json.Unmarshal([]byte(text), &some) != nil {
			q.refuse(name, "must be an array of strings in JSON")
		}
		all = append(all, some...)
	}
	if len(all) > most {
		q.refuse(name, "must have at most "+strconv.Itoa(most)+" items")
	}
	return all
}

// parseSettings reads the query of an address. What it does not know is ignored.
func parseSettings(values url.Values) (settings, error) {
	q := &query{values: values}
	s := settings{
		rate: 16000, terms: q.list("keyterms_prompt"), languages: q.list("language_codes"),
		formatted: q.truth("format_turns", false), partials: q.truth("include_partial_turns", true),
		speakers: q.truth("speaker_labels", false),
	}
	s.readAudio(q)
	s.readModel(q)
	s.turns.merge(turns{
		least: firstOf(q.number("min_turn_silence", maxSilence),
			q.number("min_end_of_turn_silence_when_confident", maxSilence)),
		most:      q.number("max_turn_silence", maxSilence),
		sure:      q.number("end_of_turn_confidence_threshold", 1),
		threshold: q.number("vad_threshold", 1),
	})
	if seconds := q.number("inactivity_timeout", maxIdle); seconds != nil {
		s.idle = time.Duration(*seconds * float64(time.Second))
	}
	if q.truth("redact_pii", false) {
		s.redaction = object{"entity_types": assemblyai.Kinds(q.list("redact_pii_policies")),
			"processed_text_type": "MASK"}
		if values.Get("redact_pii_sub") == "entity_name" {
			s.redaction["processed_text_type"] = "MARKER"
		}
	}
	for _, name := range []string{"webhook_url", "webhook_auth_header_name", "webhook_auth_header_value"} {
		if values.Get(name) != "" {
			q.refuse(name, "must be left out: callbacks are part of the gateway's own interface")
		}
	}
	if values.Get("llm_gateway") != "" {
		q.refuse("llm_gateway", "must be left out: no language model answers turns")
	}
	return s, q.fault
}

// firstOf returns the first number that is there.
func firstOf(a, b *float64) *float64 {
	if a != nil {
		return a
	}
	return b
}

// readAudio reads the format of the audio.
func (s *settings) readAudio(q *query) {
	name := q.values.Get("encoding")
	encoding, known := encodings[name]
	s.packets = name == "opus"
	if s.encoding = encoding; !known {
		q.refuse("encoding", "must be pcm_s16le, pcm_mulaw, opus, ogg_opus or aac")
	}
	if !strings.HasPrefix(encoding, "wav/") {
		s.rate = 0
		return
	}
	if text := q.values.Get("sample_rate"); text != "" {
		rate, err := strconv.Atoi(text)
		if s.rate = rate; err != nil || rate <= 0 {
			q.refuse("sample_rate", "must be a positive integer")
		}
	}
}

// readModel reads the model and the languages.
func (s *settings) readModel(q *query) {
	if code := q.values.Get("language_code"); code != "" {
		s.languages = append(s.languages, code)
	}
	name := q.values.Get("speech_model")
	language, own := ownModels[name]
	if !own {
		s.model = name
	}
	if language != "" && len(s.languages) == 0 {
		s.languages = []string{language}
	}
	s.languages = withoutRegions(s.languages)
}

// withoutRegions returns the codes of languages for codes that may have a region.
func withoutRegions(codes []string) (list []string) {
	for _, code := range codes {
		code, _, _ = strings.Cut(code, "-")
		list = append(list, code)
	}
	return list
}

// object is a JSON object.
type object map[string]any

// start returns the session that is asked for.
func (s *settings) start() (*dialect.Start, error) {
	body := object{
		"encoding": s.encoding, "endpointing": s.turns.endpointing(),
		"language_config": object{
			"languages": append([]string{}, s.languages...), "code_switching": len(s.languages) > 1,
		},
		"messages_config": object{"receive_partial_transcripts": s.partials},
	}
	processing := object{}
	if s.speakers {
		processing["diarization"] = true
	}
	if len(s.terms) > 0 {
		processing["custom_vocabulary"] = true
		processing["custom_vocabulary_config"] = object{"vocabulary": s.terms}
	}
	if s.redaction != nil {
		processing["pii_redaction"], processing["pii_redaction_config"] = true, s.redaction
	}
	body["realtime_processing"] = processing
	if s.rate > 0 {
		body["sample_rate"] = s.rate
	}
	if s.model != "" {
		body["model"] = s.model
	}
	if s.turns.threshold != nil {
		body["pre_processing"] = object{"speech_threshold": *s.turns.threshold}
	}
	request, fault := messages.ParseLive(dialect.JSON(body))
	if fault != nil {
		return nil, fault
	}
	return &dialect.Start{Request: request}, nil
}
