package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/gateway/limits"
	"steno/session/store"
)

// door is how clients of a dialect bring a key with their handshake: in a header, or where there is
// none in the address. form is a part of the body of a refusal in their form.
type door struct{ path, header, value, form string }

// dialectDoors has a door for each path of a dialect's socket, and several where keys are brought
// in several ways.
var dialectDoors = []door{
	{"/v1/realtime?intent=transcription", "Authorization", "Bearer KEY", `{"error":{"message":`},
	{"/openai/v1/realtime", "Sec-WebSocket-Protocol", "realtime, openai-insecure-api-key.KEY", `{"error":{"message":`},
	{"/v1/listen?encoding=linear16&sample_rate=16000", "Authorization", "Token KEY", `"err_code":`},
	{"/deepgram/v1/listen?encoding=linear16&sample_rate=16000", "Sec-WebSocket-Protocol", "token, KEY", `"err_code":`},
	{"/v2/listen?model=flux-general-en&encoding=linear16&sample_rate=16000", "Authorization", "Token KEY",
		`"err_code":`},
	{"/deepgram/v2/listen?model=flux-general-en&encoding=linear16&sample_rate=16000", "Authorization", "Token KEY",
		`"err_code":`},
	{"/v3/ws?sample_rate=16000", "Authorization", "KEY", `{"error":`},
	{"/assemblyai/v3/ws?sample_rate=16000&token=KEY", "", "", `{"error":`},
	{"/vosk/KEY", "", "", `error`},
	{"/vosk", "Authorization", "Bearer KEY", `error`},
	{"/twilio/KEY", "", "", `"message":`},
	{"/twilio", "Authorization", "Bearer KEY", `"message":`},
	{"/telnyx", "X-Telnyx-Streaming-Auth-Token", "KEY", `"message":`},
	{"/telnyx/KEY", "", "", `"message":`},
	{"/vonage?token=KEY", "", "", `"message":`},
	{"/vonage/KEY", "", "", `"message":`},
}

// knock tries the handshake with a key.
func (d door) knock(t *testing.T, r *testServer, key string) (*websocket.Conn, *http.Response, error) {
	t.Helper()
	options := &websocket.DialOptions{HTTPHeader: http.Header{}}
	value := strings.ReplaceAll(d.value, "KEY", key)
	switch d.header {
	case "":
	case "Sec-WebSocket-Protocol":
		options.Subprotocols = strings.Split(value, ", ")
	default:
		options.HTTPHeader.Set(d.header, value)
	}
	return websocket.Dial(t.Context(), r.http.URL+strings.ReplaceAll(d.path, "KEY", key), options)
}

// try tries the handshake of a dialect with a key, and checks the status and the form of the answer
// that refuses it. It returns false where the client was accepted.
func (d door) try(t *testing.T, r *testServer, key string, want int) (refused bool) {
	t.Helper()
	conn, resp, err := d.knock(t, r, key)
	if err == nil {
		_ = conn.CloseNow()
		return false
	}
	if resp == nil || resp.StatusCode != want {
		t.Errorf("%s: %v, want %d", d.path, err, want)
		return true
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(body), d.form) {
		t.Errorf("%s: answered with %s, %v", d.path, body, err)
	}
	later := want == http.StatusServiceUnavailable || want == http.StatusTooManyRequests
	if later != (resp.Header.Get("Retry-After") != "") {
		t.Errorf("%s: Retry-After %q", d.path, resp.Header.Get("Retry-After"))
	}
	return true
}

// refusedAt has the handshakes of all dialects refused.
func refusedAt(t *testing.T, r *testServer, key string, want int) {
	t.Helper()
	for _, d := range dialectDoors {
		if !d.try(t, r, key, want) {
			t.Errorf("%s: accepted, want %d", d.path, want)
		}
	}
}

// Keys that are not known, or do not allow sessions, are refused before the WebSocket is accepted,
// in the form of each dialect.
func TestDialectsRefuseAtTheHandshake(t *testing.T) {
	const reader = "a-key-that-may-only-read"
	r := newTestServer(t, func(c *Config) {
		c.Keys = append(c.Keys, Key{Text: reader, Scopes: store.ScopeRead})
		c.Limits = limits.Limits{FailedKeys: 1000}
	})
	refusedAt(t, r, "a-key-of-nobody", http.StatusUnauthorized)
	refusedAt(t, r, reader, http.StatusForbidden)
}

// lateDoors are how clients bring their key after the handshake.
var lateDoors = map[string]string{
	"/twilio": twilioCall(`"token":"`+testKey+`"`, nil)[1].(string),
	"/telnyx": `{"event":"start","start":{"custom_parameters":{"token":"` + testKey + `"},
		"media_format":{"encoding":"PCMU","sample_rate":8000}}}`,
	"/vonage": `{"content-type":"audio/l16;rate=16000","key":"` + testKey + `"}`,
}

// refusedLate has clients that bring their key late refused, and an assistant.
func refusedLate(t *testing.T, r *testServer, want int) {
	t.Helper()
	for path, start := range lateDoors {
		conn, _, err := websocket.Dial(t.Context(), r.http.URL+path, nil)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		say(t, conn, start)
		_, text, err := conn.Read(t.Context())
		var closed websocket.CloseError
		if !errors.As(err, &closed) || closed.Code != websocket.StatusTryAgainLater || closed.Reason == "" {
			t.Errorf("%s: %v after %s", path, err, text)
		}
	}
	a := callPort(t, r, testKey)
	a.send("audio-start", wyomingFormat, nil)
	if refused := a.until("error"); refused[0].Data.Code != strconv.Itoa(want) || refused[0].Data.Text == "" {
		t.Errorf("an assistant: %+v", refused)
	}
}

// Clients of all dialects for whom there is no room are refused before the WebSocket is accepted,
// also those whose settings would come after that, and are sent when to try again.
func TestDialectsRefuseWithoutRoom(t *testing.T) {
	for what, c := range map[string]struct {
		limits limits.Limits
		status int
	}{
		"no capacity":        {limits.Limits{Sessions: 1}, http.StatusServiceUnavailable},
		"sessions of a key":  {limits.Limits{KeySessions: 1}, http.StatusTooManyRequests},
		"the server ends":    {limits.Limits{}, http.StatusServiceUnavailable},
		"sessions too often": {limits.Limits{KeyRate: 1}, http.StatusTooManyRequests},
	} {
		t.Run(what, func(t *testing.T) {
			r := newTestServer(t, func(cfg *Config) { cfg.Limits = c.limits })
			switch what {
			case "the server ends":
				ended, end := context.WithCancel(t.Context())
				end()
				r.server.live.Drain(ended)
			case "sessions too often":
				refusedWhileExhausted(t, r)
				return
			default:
				r.create(`{}`)
			}
			refusedAt(t, r, testKey, c.status)
			refusedLate(t, r, c.status)
		})
	}
}

// refusedWhileExhausted has a client of each dialect refused whose key has made as many sessions as
// it may. It may make one more every second, which another try uses up.
func refusedWhileExhausted(t *testing.T, r *testServer) {
	for _, d := range dialectDoors {
		for refused := false; !refused; {
			for r.do("POST", "/v2/live", `{}`).status != http.StatusTooManyRequests {
				continue
			}
			refused = d.try(t, r, testKey, http.StatusTooManyRequests)
		}
	}
}
