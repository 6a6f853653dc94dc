package gateway

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/messages"
)

// conversation is what a telephone service sends over its connection: texts, and audio as bytes.
type conversation []any

// event returns a message of a service.
func event(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// twilioCall is a call as Twilio sends it, with audio in mu-law of each track.
func twilioCall(parameters string, tracks ...[]byte) (c conversation) {
	names := []string{"inbound", "outbound"}[:len(tracks)]
	quoted := `"` + strings.Join(names, `","`) + `"`
	c = conversation{
		`{"event":"connected","protocol":"Call","version":"1.0.0"}`,
		event(`{"event":"start","sequenceNumber":"1","start":{"accountSid":"AC7","streamSid":"MZ7","callSid":"CA7",
			"tracks":[%s],"customParameters":{%s},"mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000,
			"channels":1}},"streamSid":"MZ7"}`, quoted, parameters),
	}
	for n := 0; n*160 < len(tracks[0]); n++ {
		for i, name := range names {
			c = append(c, event(`{"event":"media","sequenceNumber":"%d","media":{"track":"%s","chunk":"%d",
				"timestamp":"%d","payload":"%s"},"streamSid":"MZ7"}`, 2+n, name, n+1, 20*n+60,
				base64.StdEncoding.EncodeToString(tracks[i][160*n:min(160*(n+1), len(tracks[i]))])))
		}
		if n == 10 {
			c = append(c, `{"event":"dtmf","streamSid":"MZ7","dtmf":{"track":"inbound_track","digit":"1"}}`,
				`{"event":"mark","streamSid":"MZ7","mark":{"name":"m"}}`)
		}
	}
	return append(c, `{"event":"stop","streamSid":"MZ7","stop":{"accountSid":"AC7","callSid":"CA7"}}`)
}

// telnyxCall is a call as Telnyx sends it: linear audio at 16 kHz, in pieces that overtake others.
func telnyxCall(token string, audio []byte) conversation {
	c := conversation{
		event(`{"event":"connected","version":"1.0.0","x-telnyx-streaming-auth-token":"%s"}`, token),
		`{"event":"start","sequence_number":"1","stream_id":"s7","start":{"user_id":"u","call_control_id":"v3:7",
			"call_session_id":"cs","from":"+15550100","to":"+15550199","client_state":"aGk=",
			"media_format":{"encoding":"L16","sample_rate":16000,"channels":1}}}`,
	}
	first := len(c)
	for n := 0; n*640 < len(audio); n++ {
		c = append(c, event(`{"event":"media","sequence_number":"%d","stream_id":"s7","media":{"track":"inbound",
			"chunk":"%d","timestamp":"%d","payload":"%s"}}`, n+2, n+1, 20*n,
			base64.StdEncoding.EncodeToString(audio[640*n:min(640*(n+1), len(audio))])))
	}
	for i := first + 4; i+3 < len(c); i += 4 {
		c[i], c[i+3] = c[i+3], c[i]
	}
	return append(c, `{"event":"stop","sequence_number":"9","stream_id":"s7","stop":{"call_control_id":"v3:7"}}`)
}

// vonageCall is a call as Vonage sends it.
func vonageCall(headers string, audio []byte) conversation {
	c := conversation{`{"event":"websocket:connected","content-type":"audio/l16;rate=16000"` + headers + `}`}
	for n := 0; n*640 < len(audio); n++ {
		c = append(c, audio[640*n:min(640*(n+1), len(audio))])
	}
	digit := conversation{`{"event":"websocket:dtmf","digit":"5","duration":260}`}
	return append(c[:20:20], append(digit, c[20:]...)...)
}

// play sends a conversation, closes the connection as the service does, and returns the session.
func (c conversation) play(t *testing.T, r *testServer, path string, header http.Header) string {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), r.http.URL+path, &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range c {
		kind, data := websocket.MessageText, []byte(nil)
		switch m := m.(type) {
		case string:
			data = []byte(m)
		case []byte:
			kind, data = websocket.MessageBinary, m
		}
		if err := conn.Write(t.Context(), kind, data); err != nil {
			t.Fatal(err)
		}
	}
	if strings.HasPrefix(path, "/vonage") {
		_ = conn.Close(1000, "") // its calls end so
	} else if _, text, err := conn.Read(t.Context()); websocket.CloseStatus(err) != 1000 {
		t.Errorf("%s: closed with %v after %s", path, err, text)
	}
	var list struct{ Items []messages.Job }
	if err := json.Unmarshal(r.do("GET", "/v2/live?limit=1", "").body, &list); err != nil || len(list.Items) != 1 {
		t.Fatalf("%s: %v, %d sessions", path, err, len(list.Items))
	}
	r.awaitStatus(list.Items[0].ID, messages.StatusDone)
	return list.Items[0].ID
}

// talkCall returns how a call is played.
func talkCall(path string, call func(audio []byte) conversation) func(*testing.T, *testServer, []byte) []string {
	return func(t *testing.T, r *testServer, audio []byte) []string {
		call(audio).play(t, r, path, nil)
		return nil
	}
}

// stereo interleaves samples of one byte.
func stereo(left, right []byte) []byte {
	both := make([]byte, 0, 2*len(left))
	for i := range left {
		both = append(both, left[i], right[i])
	}
	return both
}

// A call of a telephone service is a session as any other, with the words of a native one.
func TestCalls(t *testing.T) {
	t.Parallel()
	r := newTestServer(t, nil)
	one, other := speech(6, 3), speech(6, 4)
	left, right := muLaw(one), muLaw(other)
	bearer := http.Header{"Authorization": {"Bearer " + testKey}}
	for _, c := range []struct {
		what, path string
		header     http.Header
		call       conversation
		native     string // request
		audio      []byte
		metadata   map[string]any
	}{
		{"Twilio, one track", "/twilio", nil,
			twilioCall(`"token":"`+testKey+`","endpointing":"0.3","customer":"7"`, left),
			`{"encoding":"wav/ulaw","sample_rate":8000,"endpointing":0.3}`, left,
			map[string]any{"service": "twilio", "call": "CA7", "stream": "MZ7", "customer": "7", "endpointing": "0.3"}},
		{"Twilio, key in the path", "/twilio/" + testKey, nil, twilioCall("", left, right),
			`{"encoding":"wav/ulaw","sample_rate":8000,"channels":2}`, stereo(left, right),
			map[string]any{"service": "twilio", "call": "CA7", "stream": "MZ7"}},
		{"Telnyx", "/telnyx?endpointing=0.3&language=en", nil, telnyxCall(testKey, one),
			`{"endpointing":0.3,"language_config":{"languages":["en"]}}`, one,
			map[string]any{"service": "telnyx", "call": "v3:7", "stream": "s7", "from": "+15550100",
				"to": "+15550199"}},
		{"Vonage", "/vonage", bearer, vonageCall(`,"caller":"+15550100"`, one), `{}`, one,
			map[string]any{"service": "vonage", "from": "+15550100", "caller": "+15550100"}},
		{"Vonage, key among its headers", "/vonage", nil, vonageCall(`,"key":"`+testKey+`"`, other), `{}`, other,
			map[string]any{"service": "vonage"}},
	} {
		id, url := r.create(c.native)
		native := call(t, url).mustConnect()
		if err := native.send(c.audio); err != nil {
			t.Fatal(err)
		}
		if err := native.stop(); err != nil {
			t.Fatal(err)
		}
		native.end()
		want, called := r.result(id), c.call.play(t, r, c.path, c.header)
		got := r.result(called)
		if called == id || len(want.Transcription.Utterances) == 0 ||
			fmt.Sprint(got.Transcription.Utterances) != fmt.Sprint(want.Transcription.Utterances) {
			t.Errorf("%s: the session has\n%v\nand a native one\n%v", c.what, got.Transcription.Utterances,
				want.Transcription.Utterances)
		}
		if md := r.job(called).CustomMetadata; fmt.Sprint(md) != fmt.Sprint(messages.Object(c.metadata)) {
			t.Errorf("%s: metadata %v", c.what, md)
		}
	}
	if strings.Contains(r.lines.String(), testKey) {
		t.Error("the log has a key")
	}
}

// Calls without a valid key are refused, as are formats that are not taken; a key in a path is not
// logged.
func TestRefusedCalls(t *testing.T) {
	r := newTestServer(t, nil)
	const wrong = "no-key-of-anybody"
	for path, messages := range map[string]conversation{
		"/twilio":  twilioCall(`"token":"`+wrong+`"`, muLaw(speech(1, 1))),
		"/vonage":  {`{"content-type":"audio/l16;rate=16000"}`},
		"/telnyx":  {`{"event":"start","start":{"media_format":{"encoding":"AMR-WB","sample_rate":16000}}}`},
		"/telnyx/": {`nonsense`},
	} {
		conn, _, err := websocket.Dial(t.Context(), r.http.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages[:min(2, len(messages))] {
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(m.(string))); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != 1008 {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{"/twilio/" + wrong, "/vonage?token=" + wrong, "/telnyx/" + wrong} {
		_, resp, err := websocket.Dial(t.Context(), r.http.URL+path, nil)
		if err == nil || resp == nil || resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %v", path, err)
		}
	}
	if text := r.lines.String(); strings.Contains(text, wrong) || !strings.Contains(text, "/twilio/{key}") {
		t.Errorf("the log is %s", text)
	}
}

// What one side of a call has sent beyond the other is kept where its connection ends without a
// stop.
func TestCallsWithoutStop(t *testing.T) {
	t.Parallel()
	r := newTestServer(t, nil)
	left, right := muLaw(speech(2, 3)), muLaw(speech(2, 4))
	whole := twilioCall("", left, right)
	whole = whole[:len(whole)-1] // the stop
	for i, behind := len(whole)-1, 10; behind > 0; i-- {
		if strings.Contains(whole[i].(string), `"inbound"`) {
			whole = append(whole[:i:i], whole[i+1:]...)
			behind--
		}
	}
	for _, leave := range []func(*websocket.Conn) error{
		func(c *websocket.Conn) error { return c.Close(1000, "") }, (*websocket.Conn).CloseNow,
	} {
		before := newestLive(t, r)
		conn, _, err := websocket.Dial(t.Context(), r.http.URL+"/twilio/"+testKey, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range whole {
			say(t, conn, text.(string))
		}
		id := before
		waitUntil(t, "a session", func() bool { id = newestLive(t, r); return id != before })
		if err := leave(conn); err != nil {
			t.Error(err)
		}
		r.awaitStatus(id, messages.StatusDone)
		if seconds := r.result(id).Metadata.AudioDuration; seconds != 2 {
			t.Errorf("%g s are kept, want 2", seconds)
		}
	}
}
