// Package listen is the dialect of Deepgram's live interface, version 1: a WebSocket whose query
// has the settings. It takes audio as binary messages and sends results, each for a stretch of the
// audio until a later one has settled that.
package listen

import (
	"net/http"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/messages"
)

// grace is how long the session of a client that is lost waits for audio still under way. Clients
// connect again for another session only.
const grace = time.Second

// idle is how long a client may send neither audio nor KeepAlive.
const idle = 10 * time.Second

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: deepgram.Name, Paths: []string{"/deepgram/v1/listen", "/v1/listen"}, Open: open,
		Refuse: deepgram.Refuse, Ignored: ignored(),
	}
}

// open reads the address of a WebSocket.
func open(r *http.Request) (dialect.Opening, error) {
	s, err := parseSettings(r.URL.Query())
	if err != nil {
		return dialect.Opening{}, err
	}
	heard := newDigest()
	encoder := &encoder{settings: s, heard: heard}
	o := dialect.Opening{
		Greet: func(made *dialect.Created) [][]byte {
			if made != nil {
				encoder.id, encoder.made = made.ID, made.At
			}
			return nil
		},
		Terms:   dialect.Terms{Wants: s.wants(), Once: true, Grace: grace, Idle: idle},
		Parser:  parser{heard},
		Encoder: encoder,
	}
	o.Credential, o.Subprotocol = deepgram.Credential(r)
	if len(s.ignored) > 0 {
		o.Header = http.Header{"X-Steno-Ignored": s.ignored}
	}
	if s.opus {
		o.Parser = &opusParser{parser: parser{heard}}
	}
	if s.known {
		o.Start, err = deepgram.Start(s.request)
		return o, err
	}
	o.Listen = func(m dialect.Message) (*dialect.Start, error) { return deepgram.Listen(m, s.request) }
	return o, nil
}

// wants are the events that the encoder is given.
func (s *settings) wants() messages.Filter {
	wants := messages.FilterOf(messages.KindSpeech, messages.KindMarked, messages.KindPartial, messages.KindFinal,
		messages.KindEndRecording, messages.KindStopAck, messages.KindFailedAck)
	if s.utteranceEnd > 0 {
		wants |= messages.FilterOf(messages.KindAudioAck) // by which the time is known
	}
	return wants
}
