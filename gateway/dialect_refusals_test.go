package gateway

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/gateway/limits"
	"steno/session/store"
)

// dialectDoors are how clients of dialects bring a key with their handshake, and a part of the body
// of a refusal in their form.
var dialectDoors = []struct {
	path, header, value, form string
}{
	{"/v1/realtime?intent=transcription", "Authorization", "Bearer KEY", `{"error":{"message":`},
	{"/openai/v1/realtime", "Sec-WebSocket-Protocol", "realtime, openai-insecure-api-key.KEY", `{"error":{"message":`},
	{"/v1/listen?encoding=linear16&sample_rate=16000", "Authorization", "Token KEY", `"err_code":`},
	{"/deepgram/v1/listen?encoding=linear16&sample_rate=16000", "Sec-WebSocket-Protocol", "token, KEY", `"err_code":`},
	{"/v2/listen?model=flux-general-en&encoding=linear16&sample_rate=16000", "Authorization", "Token KEY",
		`"err_code":`},
	{"/v3/ws?sample_rate=16000", "Authorization", "KEY", `{"error":`},
	{"/assemblyai/v3/ws?sample_rate=16000&token=KEY", "", "", `{"error":`},
	{"/vosk/KEY", "", "", `error`},
	{"/twilio/KEY", "", "", `"message":`},
	{"/telnyx", "X-Telnyx-Streaming-Auth-Token", "KEY", `"message":`},
	{"/vonage?token=KEY", "", "", `"message":`},
}

// refusedAt tries the handshake of each dialect with a key, and checks the answer's status and
// form.
func refusedAt(t *testing.T, r *testServer, key string, want int) {
	t.Helper()
	for _, d := range dialectDoors {
		header := http.Header{}
		if d.header != "" {
			header.Set(d.header, strings.ReplaceAll(d.value, "KEY", key))
		}
		_, resp, err := websocket.Dial(t.Context(), r.http.URL+strings.ReplaceAll(d.path, "KEY", key),
			&websocket.DialOptions{HTTPHeader: header})
		if err == nil || resp == nil || resp.StatusCode != want {
			t.Errorf("%s: %v, want %d", d.path, err, want)
			continue
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || !strings.Contains(string(body), d.form) {
			t.Errorf("%s: answered with %s, %v", d.path, body, err)
		}
		if want == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", d.path)
		}
	}
}

// Keys that are not known, or do not allow sessions, are refused before the WebSocket is accepted,
// in the form of each dialect; so are all clients once no new sessions are taken.
func TestDialectsRefuseAtTheHandshake(t *testing.T) {
	const reader = "a-key-that-may-only-read"
	r := newTestServer(t, func(c *Config) {
		c.Keys = append(c.Keys, Key{Text: reader, Scopes: store.ScopeRead})
		c.Limits = limits.Limits{FailedKeys: 1000}
	})
	refusedAt(t, r, "a-key-of-nobody", http.StatusUnauthorized)
	refusedAt(t, r, reader, http.StatusForbidden)
}
