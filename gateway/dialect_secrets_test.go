package gateway

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// Client secrets begin sessions with their settings, in place of a key, until they expire; what
// cannot be made is refused as clients of OpenAI read it.
func TestRealtimeSecrets(t *testing.T) {
	r := newTestServer(t, nil)
	for _, c := range []struct {
		path, body string
		want       string // within the settings that are answered
	}{
		{"/v1/realtime/client_secrets", `{"session":{"type":"transcription","audio":{"input":{"turn_detection":null}}},
			"expires_after":{"anchor":"created_at","seconds":30}}`, `"turn_detection":null`},
		{"/openai/v1/realtime/client_secrets", ``, `"turn_detection":{"type":"server_vad"`},
		{"/v1/realtime/transcription_sessions", `{"input_audio_format":"g711_ulaw","turn_detection":null}`,
			`"input_audio_format":"g711_ulaw"`},
	} {
		a := r.do("POST", c.path, c.body)
		var made struct {
			Value   string
			Expires int64           `json:"expires_at"`
			Session json.RawMessage // of the newer form
			Older   struct {
				Value   string
				Expires int64 `json:"expires_at"`
			} `json:"client_secret"`
		}
		if err := json.Unmarshal(a.body, &made); err != nil || a.status != 200 {
			t.Fatalf("%s: %d %s", c.path, a.status, a.body)
		}
		if made.Older.Value != "" {
			made.Value, made.Expires = made.Older.Value, made.Older.Expires
		}
		if left := time.Until(time.Unix(made.Expires, 0)); !strings.HasPrefix(made.Value, "ek_") || left < 0 ||
			left > 10*time.Minute || !strings.Contains(string(a.body), c.want) {
			t.Errorf("%s: %s, %v left", c.path, a.body, left)
		}
		d := dialRealtime(t, r, "", &websocket.DialOptions{
			Subprotocols: []string{"realtime", "openai-insecure-api-key." + made.Value},
		})
		if first := d.events[0]; strings.Contains(c.want, "null") && !strings.Contains(string(first.Session), c.want) {
			t.Errorf("%s: the session begins with %s", c.path, first.Session)
		}
	}
	for body, want := range map[string]string{
		`{"expires_after":{"seconds":5}}`: `"param":"expires_after.seconds"`,
		`{"session":{"type":"realtime"}}`: `"param":"session.type"`,
		`[]`:                              `"type":"invalid_request_error"`,
		`{"session":{"audio":{"input":{"format":7}}}}`: `format`,
	} {
		a := r.do("POST", "/v1/realtime/client_secrets", body)
		if a.status != 400 || !strings.Contains(string(a.body), want) {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
}
