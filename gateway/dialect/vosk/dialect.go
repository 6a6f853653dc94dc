// Package vosk is the dialect of Vosk's WebSocket server: a client may state its settings, sends
// audio as binary messages, and waits for exactly one answer to each of them, which is a partial or
// a final.
package vosk

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: "vosk", Paths: []string{"/vosk", "/vosk/{key}"}, Open: open, Refuse: refuse, Ignored: ignored(),
	}
}

// grace is how long the session of a client that is lost waits for audio still under way.
const grace = time.Second

// open reads the address of a WebSocket. Its client's first message states the settings, or it is
// audio, and the settings are those of clients that state none.
func open(r *http.Request) (dialect.Opening, error) {
	language := strings.Clone(r.URL.Query().Get("language"))
	if _, err := (config{}).start(language); err != nil {
		return dialect.Opening{}, err
	}
	out := newEncoder()
	return dialect.Opening{
		Credential: credential(r),
		Listen: func(m dialect.Message) (*dialect.Start, error) {
			var c config
			if !m.Binary {
				asked, err := parse(m.Data)
				if err != nil {
					return nil, err
				}
				c = asked.config
			}
			out.words, out.several = c.words(), c.several()
			start, err := c.start(language)
			if start != nil {
				start.Again = true
			}
			return start, err
		},
		Terms: dialect.Terms{
			Wants: messages.FilterOf(messages.KindSpeech, messages.KindPartial, messages.KindFinal, messages.KindMarked,
				messages.KindEndRecording),
			Once: true, Grace: grace,
		},
		Parser:  parser{},
		Encoder: out,
	}, nil
}

// credential returns the key of a request: in the path, in the query, or in the header.
func credential(r *http.Request) string {
	query := r.URL.Query()
	header := r.Header.Get("Authorization")
	if scheme, key, ok := strings.Cut(header, " "); ok && strings.EqualFold(scheme, "Bearer") {
		header = strings.TrimSpace(key)
	}
	return strings.Clone(cmp.Or(r.PathValue("key"), query.Get("key"), query.Get("token"), header))
}

// refuse answers a request that is refused. Clients show the status alone.
func refuse(w http.ResponseWriter, _ *http.Request, p *messages.Problem) {
	web.WriteJSON(w, p.Status, struct {
		Error string `json:"error"`
	}{p.Text()})
}
