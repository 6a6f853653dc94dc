package flux

import (
	"net/url"
	"strconv"

	"steno/gateway/dialect/deepgram"
	"steno/messages"
)

// turns is how turns end.
type turns struct {
	sure    float64 // confidence that ends a turn, from 0.5 to 1
	early   float64 // confidence that ends it early; 0: none does
	timeout float64 // ms of silence that end it in any case
}

const (
	usualSure    = 0.7
	usualTimeout = 5000 // ms
	// leastSilence ends a turn with the confidence of leastSure, in ms, and each tenth beyond it
	// takes tenthSilence more.
	leastSure    = 0.5
	leastSilence = 300
	tenthSilence = 150
	// leastEarly is the shortest early silence, in seconds after the hangover.
	leastEarly = 0.01
)

// silence returns the silence that ends a turn, in ms: confidence grows with it.
func (t turns) silence() float64 {
	return min(leastSilence+(t.sure-leastSure)*10*tenthSilence, t.timeout)
}

// endpointing returns the gateway's setting of that.
func (t turns) endpointing() float64 { return deepgram.Endpointing(int(t.silence())) }

// update returns the change of the settings that has turns end so.
func (t turns) update() messages.Update {
	end, early := t.endpointing(), 0.0
	if t.early > 0 {
		early = deepgram.Endpointing(int(t.silence() * t.early / t.sure))
		early = max(min(early, end/2), min(leastEarly, end/2))
	}
	return messages.Update{Endpointing: &end, Early: &early}
}

// thresholds are those of a message or an answer.
type thresholds struct {
	Sure    *float64 `json:"eot_threshold,omitempty"`
	Early   *float64 `json:"eager_eot_threshold,omitempty"`
	Timeout *float64 `json:"eot_timeout_ms,omitempty"`
}

// with returns the turns with what is given, or what is wrong with it.
func (t turns) with(given thresholds) (changed turns, name, fault string) {
	for _, f := range []struct {
		name        string
		value       *float64
		least, most float64
		into        *float64
	}{
		{"eot_threshold", given.Sure, 0.5, 1, &t.sure},
		{"eager_eot_threshold", given.Early, 0.1, 1, &t.early},
		{"eot_timeout_ms", given.Timeout, 500, 60_000, &t.timeout},
	} {
		if f.value == nil {
			continue
		}
		if !(*f.value >= f.least && *f.value <= f.most) {
			return t, f.name, "must be from " + number(f.least) + " to " + number(f.most)
		}
		*f.into = *f.value
	}
	if t.early > t.sure {
		return t, "eager_eot_threshold", "must not be above eot_threshold"
	}
	return t, "", ""
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// thresholds are all that hold.
func (t turns) thresholds() thresholds {
	all := thresholds{Sure: &t.sure, Timeout: &t.timeout}
	if t.early > 0 {
		all.Early = &t.early
	}
	return all
}

// settings is what the address of a WebSocket asks for.
type settings struct {
	request deepgram.Object // for the session, as its JSON
	known   bool            // the format of the audio is in it
	opus    bool            // messages are packets of Opus
	turns   turns

	languages messages.List[string] // none: they are open
}

// parseSettings reads the query of an address. What it does not know is ignored.
func parseSettings(values url.Values) (*settings, error) {
	q := &deepgram.Query{Values: values}
	s := &settings{request: deepgram.Object{}, turns: turns{sure: usualSure, timeout: usualTimeout}}
	s.known = q.Audio(s.request)
	s.opus = values.Get("encoding") == "opus"
	if s.known && !s.opus {
		s.request["channels"] = 1
	}
	s.languages = q.Speech(s.request)
	changed, name, fault := s.turns.with(thresholds{
		Sure: float(q, "eot_threshold"), Early: float(q, "eager_eot_threshold"), Timeout: float(q, "eot_timeout_ms"),
	})
	if s.turns = changed; fault != "" {
		q.Refuse(name, fault)
	}
	s.request["endpointing"] = s.turns.endpointing()
	s.request["maximum_duration_without_endpointing"] = 60
	s.request["messages_config"] = deepgram.Object{"receive_partial_transcripts": true}
	return s, q.Fault()
}

// float returns a number of a query; nil: it is missing.
func float(q *deepgram.Query, name string) *float64 {
	text := q.Get(name)
	if text == "" {
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		q.Refuse(name, "must be a number")
	}
	return &v
}
