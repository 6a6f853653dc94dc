package gateway

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// deepgramEvent is a message of Deepgram's live interface, as far as the tests read it.
type deepgramEvent struct {
	Type         string
	Request      string `json:"request_id"`
	IsFinal      *bool  `json:"is_final"`
	SpeechFinal  *bool  `json:"speech_final"`
	FromFinalize *bool  `json:"from_finalize"`
	Start        float64
	Duration     float64
	Channels     int
	ChannelIndex []int           `json:"channel_index"`
	Channel      json.RawMessage // of Results alternatives, else an index
	LastWordEnd  float64         `json:"last_word_end"`
	Keyterms     []string
	SHA256       string
	Metadata     struct {
		Request string `json:"request_id"`
	}
}

type deepgramChannel struct {
	Alternatives []struct {
		Transcript string
		Confidence *float64
		Words      []struct {
			Word       string
			Start, End float64
			Punctuated string `json:"punctuated_word"`
		}
	}
}

// deepgramClient is a client of the interface.
type deepgramClient struct {
	t      *testing.T
	conn   *websocket.Conn
	events []deepgramEvent
	sent   []byte // all audio
}

// dialDeepgram connects a client.
func dialDeepgram(t *testing.T, r *testServer, path string) *deepgramClient {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), r.http.URL+path, &websocket.DialOptions{
		HTTPHeader: http.Header{"Authorization": {"Token " + testKey}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(1 << 20)
	return &deepgramClient{t: t, conn: conn}
}

// speak sends audio.
func (c *deepgramClient) speak(audio []byte, size int) {
	c.t.Helper()
	c.sent = append(c.sent, audio...)
	for piece := range slices.Chunk(audio, size) {
		if err := c.conn.Write(c.t.Context(), websocket.MessageBinary, piece); err != nil {
			c.t.Fatal(err)
		}
	}
}

// until reads events up to one that is wanted.
func (c *deepgramClient) until(wanted func(e deepgramEvent) bool) deepgramEvent {
	c.t.Helper()
	for {
		_, text, err := c.conn.Read(c.t.Context())
		if err != nil {
			c.t.Fatalf("%v after %+v", err, c.events)
		}
		var e deepgramEvent
		if err := json.Unmarshal(text, &e); err != nil {
			c.t.Fatal(err)
		}
		c.events = append(c.events, e)
		if wanted(e) {
			return e
		}
	}
}

// closed reads to the end, and returns the code. Metadata have the digest of what was sent.
func (c *deepgramClient) closed() int {
	c.t.Helper()
	for {
		_, text, err := c.conn.Read(c.t.Context())
		if err != nil {
			if n := len(c.events); n > 0 && c.events[n-1].Type == "Metadata" &&
				c.events[n-1].SHA256 != fmt.Sprintf("%x", sha256.Sum256(c.sent)) {
				c.t.Errorf("%d bytes have the digest %s", len(c.sent), c.events[n-1].SHA256)
			}
			return int(websocket.CloseStatus(err))
		}
		var e deepgramEvent
		if err := json.Unmarshal(text, &e); err != nil {
			c.t.Error(err)
		}
		c.events = append(c.events, e)
	}
}

// channel returns the words of results, which have all that SDKs take for granted.
func (c *deepgramClient) channel(e deepgramEvent) (text string, words []timed) {
	var of deepgramChannel
	if err := json.Unmarshal(e.Channel, &of); err != nil || len(of.Alternatives) != 1 ||
		of.Alternatives[0].Confidence == nil || of.Alternatives[0].Words == nil || e.IsFinal == nil ||
		e.SpeechFinal == nil || e.FromFinalize == nil || e.Metadata.Request == "" {
		c.t.Errorf("%v: results %+v", err, e)
		return "", nil
	}
	for _, w := range of.Alternatives[0].Words {
		words = append(words, timedOf(w.Punctuated, w.Start, w.End))
	}
	return of.Alternatives[0].Transcript, words
}

// finals are the texts and words of all final results that have any.
func (c *deepgramClient) finals() (texts []string, all []timed) {
	for _, e := range c.events {
		if e.Type != "Results" || !*e.IsFinal {
			continue
		}
		if text, words := c.channel(e); text != "" {
			texts, all = append(texts, text), append(all, words...)
		}
	}
	return texts, all
}

// talkDeepgram is a client that asks for everything.
func talkDeepgram(t *testing.T, r *testServer, audio []byte) []string {
	c := dialDeepgram(t, r, "/v1/listen?model=nova-3&encoding=linear16&sample_rate=16000&language=en&endpointing=300"+
		"&interim_results=true&smart_format=true&vad_events=true&utterance_end_ms=1000")
	const begun = 64000 // somebody speaks
	c.speak(audio[:begun], 3200)
	c.until(func(e deepgramEvent) bool { return e.Type == "Results" && !*e.IsFinal })
	c.speak(audio[begun:], 3200)
	say(t, c.conn, `{"type":"KeepAlive"}`, `{"type":"Configure","keyterms":["ice cream"]}`, `{"type":"CloseStream"}`)
	if code := c.closed(); code != 1000 {
		t.Errorf("closed with %d", code)
	}
	last := c.events[len(c.events)-1]
	if seconds := float64(len(audio)) / 32000; last.Type != "Metadata" || math.Abs(last.Duration-seconds) > 0.1 ||
		last.Channels != 1 || last.Request == "" {
		t.Errorf("the last message is %+v", last)
	}
	texts, words := c.finals()
	var times []timed
	for _, u := range r.result(last.Request).Transcription.Utterances {
		for _, w := range u.Words {
			times = append(times, timedOf(strings.TrimSpace(w.Word), w.Start, w.End))
		}
	}
	if !slices.Equal(words, times) {
		t.Errorf("heard %v, the record has %v", words, times)
	}
	counts := map[string]int{}
	for _, e := range c.events {
		counts[e.Type]++
		if e.Type == "Results" && *e.SpeechFinal {
			counts["speech_final"]++
		}
	}
	if counts["SpeechStarted"] < 1 || counts["UtteranceEnd"] < 1 || counts["speech_final"] < 1 ||
		counts["ConfigureSuccess"] != 1 || counts["Results"] <= len(texts) {
		t.Errorf("messages %v", counts)
	}
	return texts
}

// TestDeepgramUtteranceEnd has the end reported while silence comes, and not twice.
func TestDeepgramUtteranceEnd(t *testing.T) {
	r := newTestServer(t, nil)
	c := dialDeepgram(t, r, "/v1/listen?encoding=linear16&sample_rate=16000&utterance_end_ms=1000")
	c.speak(append(speech(2, 2), make([]byte, 16000)...), 3200)
	say(t, c.conn, `{"type":"Finalize"}`)
	c.until(func(e deepgramEvent) bool { return e.Type == "Results" && *e.FromFinalize })
	c.speak(make([]byte, 2*32000), 3200)
	end := c.until(func(e deepgramEvent) bool { return e.Type == "UtteranceEnd" })
	if end.LastWordEnd < 1 || end.LastWordEnd > 2 {
		t.Errorf("%+v", end)
	}
	before := len(c.events)
	say(t, c.conn, `{"type":"CloseStream"}`)
	if code := c.closed(); code != 1000 || len(c.events) != before+1 {
		t.Errorf("closed with %d, after %+v", code, c.events[before:])
	}
}

// TestDeepgramFinalize has every Finalize answered, whether or not anything is pending.
func TestDeepgramFinalize(t *testing.T) {
	r := newTestServer(t, nil)
	c := dialDeepgram(t, r, "/deepgram/v1/listen?encoding=linear16&sample_rate=16000&endpointing=false")
	finalized := func(e deepgramEvent) bool { return e.Type == "Results" && *e.FromFinalize && *e.IsFinal }
	c.speak(speech(2, 2), 3200)
	say(t, c.conn, `{"type":"Finalize"}`)
	c.until(finalized)
	if texts, _ := c.finals(); len(texts) == 0 || texts[0] != strings.ToLower(texts[0]) {
		t.Errorf("finalized %q", texts)
	}
	say(t, c.conn, `{"type":"Finalize"}`, `{"type":"Finalize"}`)
	for range 2 {
		if text, _ := c.channel(c.until(finalized)); text != "" {
			t.Errorf("finalized %q", text)
		}
	}
	say(t, c.conn, `nonsense`)
	c.until(func(e deepgramEvent) bool { return e.Type == "Error" })
	say(t, c.conn, `{"type":"CloseStream"}`)
	if code := c.closed(); code != 1000 {
		t.Errorf("closed with %d", code)
	}
	for _, e := range c.events {
		if e.Type == "Results" && (*e.SpeechFinal || !*e.IsFinal) {
			t.Errorf("%+v", e)
		}
	}
}

// TestDeepgramAudio has audio in the forms that clients send.
func TestDeepgramAudio(t *testing.T) {
	r := newTestServer(t, nil)
	sound := speech(3, 2)
	for name, of := range map[string]struct {
		query string
		audio []byte
		size  int // of a message
		heard bool
	}{
		"a WAV file":    {"", wavOf(sound, 16000, 1), 6400, true},
		"all at once":   {"", wavOf(sound, 16000, 1), 1 << 20, true},
		"two channels":  {"encoding=linear16&sample_rate=16000&channels=2", onBothChannels(sound), 6400, true},
		"nothing":       {"", nil, 1, false},
		"no audio, raw": {"encoding=mulaw&sample_rate=8000", nil, 1, false},
	} {
		c := dialDeepgram(t, r, "/v1/listen?smart_format=true&"+of.query)
		c.speak(of.audio, of.size)
		say(t, c.conn, `{"type":"Finalize"}`, `{"type":"CloseStream"}`)
		// What comes too late is left out, without an error. The server may have closed by then.
		_ = c.conn.Write(t.Context(), websocket.MessageBinary, make([]byte, 640))
		code := c.closed()
		texts, _ := c.finals()
		if code != 1000 || len(texts) > 0 != of.heard || c.events[len(c.events)-1].Type != "Metadata" {
			t.Errorf("%s: closed with %d, heard %q", name, code, texts)
		}
		for _, e := range c.events {
			if e.Type == "Error" || of.query != "" && of.heard && e.Type == "Results" && e.ChannelIndex[1] != 2 {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
	c := dialDeepgram(t, r, "/v1/listen")
	c.speak([]byte("what is this?"), 100)
	if code := c.closed(); code != 1008 {
		t.Errorf("audio that is none: closed with %d", code)
	}
}

// onBothChannels has the same on both channels.
func onBothChannels(mono []byte) (both []byte) {
	for piece := range slices.Chunk(mono, 2) {
		both = append(append(both, piece...), piece...)
	}
	return both
}

// TestDeepgramLiveRefuses wants refusals before the WebSocket is accepted, in Deepgram's form.
func TestDeepgramLiveRefuses(t *testing.T) {
	r := newTestServer(t, nil)
	raw := "encoding=linear16&sample_rate=16000"
	for _, c := range []struct {
		query, key string
		protocols  []string
		status     int
	}{
		{raw, "", nil, 401}, {raw, "Token wrong", nil, 401}, {raw, "Basic " + testKey, nil, 401},
		{raw, "", []string{"token", "wrong"}, 401},
		{"encoding=linear16", "Token " + testKey, nil, 400}, {"encoding=amr-nb", "Token " + testKey, nil, 400},
		{raw + "&redact=all", "Bearer " + testKey, nil, 400}, {raw + "&model=gpt", "bearer " + testKey, nil, 400},
		{raw + "&language=xx", "Token " + testKey, nil, 400}, {raw + "&endpointing=x", "Token " + testKey, nil, 400},
		{"encoding=linear16&sample_rate=12345", "Token " + testKey, nil, 400},
	} {
		_, resp, err := websocket.Dial(t.Context(), r.http.URL+"/v1/listen?"+c.query, &websocket.DialOptions{
			HTTPHeader: http.Header{"Authorization": {c.key}}, Subprotocols: c.protocols,
		})
		if err == nil || resp == nil || resp.StatusCode != c.status {
			t.Errorf("%+v: %v", c, resp)
			continue
		}
		var body struct {
			Code    string `json:"err_code"`
			Message string `json:"err_msg"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&body); err != nil || body.Code == "" || body.Message == "" {
			t.Errorf("%+v: answered with %+v, %v", c, body, err)
		}
	}
	conn, resp, err := websocket.Dial(t.Context(), r.http.URL+"/v1/listen?search=a&version=latest&"+raw,
		&websocket.DialOptions{Subprotocols: []string{"token", testKey}})
	if err != nil || conn.Subprotocol() != "token" ||
		strings.Join(resp.Header.Values("X-Steno-Ignored"), ", ") != "search, version" {
		t.Fatalf("by subprotocol: %v, %v", resp, err)
	}
	_ = conn.CloseNow()
}
