// Package flux is the dialect of Deepgram's live interface, version 2: a WebSocket that takes audio
// as binary messages and sends the turns of one speaker, which begin, grow and end.
//
// Two silences decide about turns. An early one, if it is asked for, ends a turn for those who want
// to answer soon: that may be taken back when speech continues. The other one ends it. How long the
// two are follows from the confidences that clients ask for.
package flux

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/messages"
)

// grace is how long the session of a client that is lost waits for audio still under way. Clients
// connect again for another session only.
const grace = time.Second

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: deepgram.Name, Paths: []string{"/deepgram/v2/listen", "/v2/listen"}, Open: open,
		Refuse: deepgram.Refuse, Ignored: ignored(),
	}
}

// withoutEffect are parameters that do nothing.
var withoutEffect = map[string]string{
	"tag":              "records have no tags",
	"mip_opt_out":      "nothing leaves this server",
	"numerals":         "the engines decide how they write them",
	"profanity_filter": "words stay as they were said",
}

// configuring is where clients change settings of a stream.
const configuring = "Configure of /v2/listen"

// ignored lists what clients may ask for without effect.
func ignored() (list []dialect.Ignored) {
	const where = "WebSocket /v2/listen"
	for name, why := range withoutEffect {
		list = append(list, dialect.Ignored{Where: where, Option: name, Why: why})
	}
	list = append(list, dialect.Ignored{Where: configuring, Option: "numerals", Why: withoutEffect["numerals"]})
	slices.SortFunc(list, func(a, b dialect.Ignored) int { return strings.Compare(a.Option, b.Option) })
	return list
}

// open reads the address of a WebSocket.
func open(r *http.Request) (dialect.Opening, error) {
	s, err := parseSettings(r.URL.Query())
	if err != nil {
		return dialect.Opening{}, err
	}
	encoder := newEncoder(s.turns)
	o := dialect.Opening{
		Greet: encoder.greet,
		Terms: dialect.Terms{
			Wants: messages.FilterOf(messages.KindSpeech, messages.KindPartial, messages.KindFinal,
				messages.KindEndRecording, messages.KindStopAck, messages.KindFailedAck),
			Once: true, Grace: grace,
		},
		Parser:  &parser{turns: s.turns, languages: s.languages},
		Encoder: encoder,
	}
	if s.opus {
		o.Parser = &opusParser{parser: parser{turns: s.turns, languages: s.languages}}
	}
	o.Credential, o.Subprotocol = deepgram.Credential(r)
	if s.known {
		o.Start, err = s.begin(deepgram.Start(s.request))
		return o, err
	}
	o.Listen = func(m dialect.Message) (*dialect.Start, error) { return s.begin(deepgram.Listen(m, s.request)) }
	return o, nil
}

// begin adds the early silence to a start.
func (s *settings) begin(start *dialect.Start, err error) (*dialect.Start, error) {
	if start != nil {
		start.Updates = []messages.Update{s.turns.update()}
	}
	return start, err
}
