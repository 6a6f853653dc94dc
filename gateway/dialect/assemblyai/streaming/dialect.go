// Package streaming is the dialect of AssemblyAI's streaming interface, version 3: a WebSocket
// whose address has the settings. It takes audio as binary messages and sends turns, each of which
// replaces the last one of its number until it has ended.
package streaming

import (
	"net/http"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai"
	"steno/messages"
)

// Dialect returns the dialect.
func Dialect() dialect.Dialect {
	return dialect.Dialect{
		Name: "assemblyai", Paths: []string{"/assemblyai/v3/ws", "/v3/ws"}, Open: open, Refuse: assemblyai.Refuse,
		HTTP: newHTTP, Ignored: ignored(),
	}
}

// grace is how long the session of a client that is lost waits for audio still under way. Clients
// connect again for another session only.
const grace = time.Second

// lifetime is how long a session may last, as far as clients are concerned.
const lifetime = 3 * time.Hour

// open reads the address of a WebSocket.
func open(r *http.Request) (dialect.Opening, error) {
	s, err := parseSettings(r.URL.Query())
	if err != nil {
		return dialect.Opening{}, err
	}
	start, err := s.start()
	if err != nil {
		return dialect.Opening{}, err
	}
	o := dialect.Opening{
		Credential: credential(r),
		Start:      start,
		Greet:      greet,
		Terms: dialect.Terms{
			Wants: messages.FilterOf(messages.KindSpeech, messages.KindPartial, messages.KindFinal,
				messages.KindEndRecording),
			Once: true, Grace: grace, Idle: s.idle,
		},
		Parser:  &parser{turns: s.turns, languages: s.languages},
		Encoder: newEncoder(s),
	}
	if s.packets {
		o.Parser = &packetParser{parser: parser{turns: s.turns, languages: s.languages}}
	}
	return o, nil
}

// credential returns the key or the token of a request.
func credential(r *http.Request) string {
	if token := r.URL.Query().Get("token"); token != "" {
		return strings.Clone(token)
	}
	key := strings.TrimSpace(r.Header.Get("Authorization"))
	if scheme, rest, ok := strings.Cut(key, " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(rest)
	}
	return key
}

// greet begins the conversation: clients wait for it a second.
func greet(made *dialect.Created) [][]byte {
	if made == nil {
		return nil
	}
	return [][]byte{dialect.JSON(struct {
		Type    string `json:"type"`
		ID      string `json:"id"`
		Expires int64  `json:"expires_at"`
	}{"Begin", made.ID, made.At.Add(lifetime).Unix()})}
}
