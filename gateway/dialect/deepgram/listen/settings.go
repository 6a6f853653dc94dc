package listen

import (
	"net/url"
	"slices"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
)

// settings is what the address of a WebSocket asks for.
type settings struct {
	request   deepgram.Object // for the session, as its JSON
	known     bool            // the format of the audio is in it
	opus      bool            // messages are packets of Opus
	written   bool            // transcripts are as they are written, with marks and capitals
	interim   bool
	vadEvents bool
	// pauses: results have speech_final where silence ends an utterance.
	pauses       bool
	utteranceEnd float64 // seconds without words after which UtteranceEnd is sent; 0: it is not
	ignored      []string
}

const (
	usualEndpointing = 10 // ms
	maxEndpointing   = 10_000
	// unheardEndpointing is where results end whose client does not want to know why.
	unheardEndpointing = 700
)

// parseSettings reads the query of an address. What it does not know is ignored.
func parseSettings(values url.Values) (*settings, error) {
	q := &deepgram.Query{Values: values}
	s := &settings{request: deepgram.Object{}, pauses: true}
	s.known = q.Audio(s.request)
	s.opus = values.Get("encoding") == "opus"
	q.Speech(s.request)
	s.written = q.Bool("punctuate") || q.Bool("smart_format")
	s.interim, s.vadEvents = q.Bool("interim_results"), q.Bool("vad_events")
	s.request["messages_config"] = deepgram.Object{"receive_partial_transcripts": s.interim}
	s.utteranceEnd = float64(q.Milliseconds("utterance_end_ms", 0, 1, 60_000)) / 1000
	usual := usualEndpointing
	if strings.EqualFold(values.Get("endpointing"), "false") {
		s.pauses, usual = false, unheardEndpointing
	}
	s.request["endpointing"] = deepgram.Endpointing(q.Milliseconds("endpointing", usual, 0, maxEndpointing))
	s.readCallback(q)
	for name := range withoutEffect {
		if v := values.Get(name); v != "" && v != "false" && v != "False" {
			s.ignored = append(s.ignored, name)
		}
	}
	slices.Sort(s.ignored)
	return s, q.Fault()
}

// readCallback has what the gateway itself sends sent to an address, too.
func (s *settings) readCallback(q *deepgram.Query) {
	address := q.Get("callback")
	if address == "" {
		return
	}
	if m := q.Get("callback_method"); m != "" && m != "post" && m != "POST" {
		q.Refuse("callback_method", "must be post")
	}
	s.request["callback"] = true
	s.request["callback_config"] = deepgram.Object{"url": address, "receive_partial_transcripts": s.interim}
}

// withoutEffect are parameters that do nothing. The header X-Steno-Ignored of the answer names
// those that were given.
var withoutEffect = map[string]string{
	"search":           "nothing searches by sound",
	"profanity_filter": "words stay as they were said",
	"filler_words":     "the engines decide whether they write them",
	"dictation":        "spoken marks stay words",
	"measurements":     "the engines decide how they write them",
	"numerals":         "the engines decide how they write them",
	"detect_entities":  "is not part of results: ask for it by the gateway's own interface",
	"version":          "there is one of each model",
	"no_delay":         "results are never held back",
	"mip_opt_out":      "nothing leaves this server",
	"tag":              "records have no tags",
	"extra":            "is not repeated in results",
}

// configuring is where clients change settings of a stream.
const configuring = "Configure of /v1/listen"

// ignored lists what clients may ask for without effect.
func ignored() (list []dialect.Ignored) {
	for name, why := range withoutEffect {
		list = append(list, dialect.Ignored{Where: "WebSocket /v1/listen", Option: name, Why: why})
	}
	list = append(list,
		dialect.Ignored{Where: "WebSocket /v1/listen", Option: "multichannel",
			Why: "channels are always transcribed on their own"},
		dialect.Ignored{Where: "WebSocket /v1/listen", Option: "callback",
			Why: "has its effect, with the messages of the gateway's own callbacks"},
		dialect.Ignored{Where: configuring, Option: "features",
			Why: "those that are parameters without effect have none here; others are refused by ConfigureFailure"})
	slices.SortFunc(list, func(a, b dialect.Ignored) int {
		if a.Option < b.Option {
			return -1
		}
		return 1
	})
	return list
}
