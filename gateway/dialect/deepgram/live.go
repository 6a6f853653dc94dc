package deepgram

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"steno/gateway/dialect"
	"steno/messages"
)

// Credential returns the API key or token of a request for a WebSocket, and the subprotocol that
// confirms it: in the header, or in the subprotocols of browsers, which have the kind and the key.
func Credential(r *http.Request) (key, subprotocol string) {
	if scheme, key, ok := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " "); ok &&
		(strings.EqualFold(scheme, "token") || strings.EqualFold(scheme, "bearer")) {
		return strings.TrimSpace(key), ""
	}
	var offered []string
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for _, one := range strings.Split(line, ",") {
			offered = append(offered, strings.TrimSpace(one))
		}
	}
	at := slices.IndexFunc(offered, func(o string) bool { return o == "token" || o == "bearer" })
	if at < 0 || at+1 >= len(offered) {
		return "", ""
	}
	return offered[at+1], offered[at]
}

// Object is a JSON object.
type Object map[string]any

// raw are the encodings of samples without a header: the gateway's name, and the bits of a sample.
var raw = map[string]struct {
	encoding string
	depth    int
}{
	"linear16": {"wav/pcm", 16}, "linear32": {"wav/pcm", 32}, "mulaw": {"wav/ulaw", 8}, "alaw": {"wav/alaw", 8},
}

// packed are the encodings that are containers, or put into one.
var packed = map[string]string{"opus": "ogg/opus", "ogg-opus": "ogg/opus", "flac": "flac"}

// Audio adds the format of live audio to a request. It returns false where the query names none: it
// is a container, whose first bytes tell what it is.
func (q *Query) Audio(request Object) (known bool) {
	name := q.Get("encoding")
	rate, channels := q.Int("sample_rate", 1, 192000), q.Int("channels", 1, 8)
	if format, ok := raw[name]; ok {
		if rate == 0 {
			q.Refuse("sample_rate", "is needed with "+name)
		}
		request["encoding"], request["bit_depth"] = format.encoding, format.depth
		request["sample_rate"], request["channels"] = rate, max(channels, 1)
		return true
	}
	container, ok := packed[name]
	if name != "" && !ok {
		q.Refuse("encoding", "must be linear16, linear32, flac, alaw, mulaw, opus or ogg-opus, or be left out")
	}
	if ok {
		request["encoding"] = container
	}
	return ok
}

// Speech adds to a request what the query has of languages, words and the model, and returns the
// languages. None: they are open.
func (q *Query) Speech(request Object) messages.List[string] {
	model, err := Model(q.Get("model"))
	if err != nil && q.fault == nil {
		q.fault = err
	}
	request["model"] = model
	languages, switching := q.Languages()
	if languages == nil {
		languages = messages.List[string]{}
	}
	request["language_config"] = Object{"languages": languages, "code_switching": switching || len(languages) > 1}
	processing := Object{}
	if v := q.Vocabulary(); v != nil {
		processing["custom_vocabulary"], processing["custom_vocabulary_config"] = true, v
	}
	if s := q.Spelling(); s != nil {
		processing["custom_spelling"], processing["custom_spelling_config"] = true, s
	}
	if q.Bool("diarize") || q.Get("diarize_model") != "" {
		processing["diarization"] = true
	}
	if kinds := q.Redacted(); len(kinds) > 0 {
		processing["pii_redaction"], processing["pii_redaction_config"] = true, Object{"entity_types": kinds}
	}
	request["realtime_processing"] = processing
	return languages
}

// hangover is the silence, in seconds, that belongs to speech: the gateway counts what ends an
// utterance from its end on.
const hangover = 0.2

// Endpointing returns the gateway's setting for so many milliseconds of silence.
func Endpointing(ms int) float64 { return min(max(float64(ms)/1000-hangover, 0.01), 10) }

// Terms returns what keyterms of a message stand for.
func Terms(keyterms []string) *messages.List[messages.VocabularyEntry] {
	list := messages.List[messages.VocabularyEntry]{}
	for _, term := range keyterms {
		if term = strings.TrimSpace(strings.ToValidUTF8(term, "")); term != "" && len(term) <= maxTerm &&
			len(list) < maxTerms {
			list = append(list, messages.VocabularyEntry{Value: term})
		}
	}
	return &list
}

// Closing is how a connection is closed that has not finished.
func Closing(e dialect.Ending) (code int, reason string) {
	code, reason = 1011, "NET-0000: the server has failed"
	switch e.Why {
	case dialect.Protocol:
		code, reason = 1002, "frames break the rules of WebSockets"
	case dialect.NotText:
		code, reason = 1007, "text is not UTF-8"
	case dialect.Restart:
		code, reason = 1012, "the server is restarting"
	case dialect.Idle:
		reason = "NET-0001: neither audio nor KeepAlive came for 10 s"
	case dialect.Format:
		code, reason = 1008, "DATA-0000: the audio is not what was declared"
	case dialect.Misuse, dialect.Refused:
		code, reason = 1008, "DATA-0001: a message was not understood"
	case dialect.UnknownToken, dialect.Revoked:
		code, reason = 1008, "the key is not valid"
	case dialect.Deleted:
		code, reason = 1008, "the session was deleted"
	case dialect.TooBig:
		code, reason = 1009, "a message is too large"
	case dialect.Overload:
		code, reason = 1008, "NET-0002: more was sent than there is room for"
	case dialect.Exhausted:
		code, reason = 1008, "the quota of the account is used up"
	}
	if e.Later() {
		code, reason = 1013, "try again later"
	}
	if e.Detail != "" {
		reason = e.Detail
	}
	return code, messages.CloseReason(reason)
}

// Milliseconds returns a time of the query; fallback where it is missing.
func (q *Query) Milliseconds(name string, fallback, least, most int) int {
	text := q.Get(name)
	if text == "" {
		return fallback
	}
	if _, err := strconv.ParseBool(text); err == nil && text != "0" && text != "1" {
		return fallback
	}
	return q.Int(name, least, most)
}
