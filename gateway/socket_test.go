package gateway

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/messages"
)

const everyMessage = `{"messages_config":{"receive_partial_transcripts":true,"receive_lifecycle_events":true}}`

// play streams a whole recording on one undisturbed socket and returns the finished job's id and
// the caller.
func play(t *testing.T, r *testServer, body string, sound []byte) (string, *caller) {
	t.Helper()
	id, url := r.create(body)
	c := call(t, url).mustConnect()
	for rest := sound; len(rest) > 0; {
		n := min(640*5, len(rest))
		if err := c.send(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != websocket.StatusNormalClosure {
		t.Fatalf("close code %d, want 1000", code)
	}
	return id, c
}

func TestWholeSession(t *testing.T) {
	r := newTestServer(t, nil)
	sound := speech(6, 1)
	id, c := play(t, r, everyMessage, sound)

	frames := c.all()
	if frames[0].Type != "start_recording" || frames[len(frames)-1].Type != "end_session" {
		t.Errorf("session runs from %s to %s", frames[0].Type, frames[len(frames)-1].Type)
	}
	finals, last := 0, int64(0)
	for _, f := range frames {
		if f.final() != "" {
			finals++
		}
		if from, to, ok := f.byteRange(); ok {
			if from != last {
				t.Errorf("ack from %d after one to %d", from, last)
			}
			last = to
		}
	}
	if finals == 0 || last != int64(len(sound)) {
		t.Errorf("%d finals, %d of %d bytes acknowledged", finals, last, len(sound))
	}

	job := r.job(id)
	if job.Status != messages.StatusDone || job.CompletedAt == nil || job.ErrorCode != nil || job.File == nil {
		t.Errorf("job %+v", job)
	}
	result := r.result(id)
	if got := len(result.Transcription.Utterances); got != finals {
		t.Errorf("%d utterances in the record, %d finals on the socket", got, finals)
	}
	logged := map[string]bool{}
	for _, m := range result.Messages {
		logged[m] = true
	}
	for _, f := range frames {
		keep := f.Acknowledged == nil && (f.Type != "transcript" || f.final() != "")
		if keep != logged[f.text] {
			t.Errorf("logged %v, want %v: %.120s", logged[f.text], keep, f.text)
		}
	}
	if !bytes.Equal(r.recording(id), sound) {
		t.Error("the file is not what was sent")
	}
	if strings.Contains(r.lines.String(), testKey) || strings.Contains(r.lines.String(), "token") {
		t.Error("the log holds a secret")
	}
}

func TestTextFramesAreTheSame(t *testing.T) {
	r := newTestServer(t, nil)
	sound := speech(3, 2)
	id, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	for rest := sound; len(rest) > 0; {
		n := min(3001, len(rest)) // splits samples
		c.mu.Lock()
		c.kept = append(c.kept, rest[:n]...)
		c.mu.Unlock()
		if err := c.text(`{"type":"audio_chunk","data":{"chunk":"` + base64.StdEncoding.EncodeToString(rest[:n]) +
			`"}}`); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != websocket.StatusNormalClosure {
		t.Fatalf("close code %d", code)
	}
	if !bytes.Equal(r.recording(id), sound) {
		t.Error("the file is not what was sent")
	}
}

func TestKeepAliveIsAckedWithAnEmptyRange(t *testing.T) {
	r := newTestServer(t, nil)
	_, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	keepAlives := []func() error{
		func() error { return c.text(`{"type":"audio_chunk","data":{"chunk":""}}`) },
		func() error { return c.send(nil) },
	}
	for i, send := range keepAlives {
		if err := send(); err != nil {
			t.Fatal(err)
		}
		acks := 0
		c.await("empty ack", func(f frame) bool {
			if from, to, ok := f.byteRange(); ok && from == 0 && to == 0 {
				acks++
			}
			return acks > i
		})
	}
	if err := c.send(make([]byte, 10)); err != nil { // far below 100 ms: acknowledged by the timer
		t.Fatal(err)
	}
	c.ackedTo(10)
}

func TestMisuse(t *testing.T) {
	r := newTestServer(t, nil)
	_, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	bad := []string{"", "{", "[]", `{"type":"hello"}`, `{"type":5}`, `{"type":"audio_chunk"}`,
		`{"type":"audio_chunk","data":{"chunk":"!!"}}`, `{"type":"audio_chunk","data":null}`, "\x00", "null"}
	for _, text := range bad {
		if err := c.text(text); err != nil {
			t.Fatal(err)
		}
	}
	if code := c.end(); code != 4400 {
		t.Errorf("close code %d, want 4400", code)
	}
	for i, f := range c.all() {
		if f.Acknowledged == nil || *f.Acknowledged || f.Error == nil || f.Error.Message == "" {
			t.Errorf("answer %d to misuse: %s", i, f.text)
		}
	}
	if got := len(c.all()); got != len(bad) {
		t.Errorf("%d answers to %d messages", got, len(bad))
	}
}

func TestTooLong(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Limits.BinaryFrame, c.Limits.TextFrame = 50_000, 100_000 })
	for name, send := range map[string]func(*caller) error{
		"binary": func(c *caller) error { return c.write(websocket.MessageBinary, make([]byte, 50_001)) },
		"text":   func(c *caller) error { return c.text(strings.Repeat("x", 100_001)) },
	} {
		_, url := r.create(`{"messages_config":{"receive_acknowledgments":false}}`)
		c := call(t, url).mustConnect()
		if err := send(c); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 4413 {
			t.Errorf("%s: close code %d, want 4413", name, code)
		}
	}
	_, url := r.create(`{"messages_config":{"receive_acknowledgments":false}}`)
	c := call(t, url).mustConnect()
	if err := c.write(websocket.MessageBinary, make([]byte, 50_000)); err != nil {
		t.Fatal(err)
	}
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		t.Errorf("longest message allowed: close code %d, want 1000", code)
	}
}

func TestTokens(t *testing.T) {
	r := newTestServer(t, nil)
	_, url := r.create(`{}`)
	base, _, _ := strings.Cut(url, "?")
	for _, query := range []string{"", "?token=", "?token=unknown", "?token=" + strings.Repeat("x", 10_000)} {
		if code := call(t, base+query).mustConnect().end(); code != 4401 {
			t.Errorf("%.20s: close code %d, want 4401", query, code)
		}
	}
	c := call(t, url).mustConnect()
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		t.Fatalf("close code %d, want 1000", code)
	}
	if code := call(t, url).mustConnect().end(); code != 4401 {
		t.Errorf("after everything was delivered: close code %d, want 4401", code)
	}
}

func TestNewestSocketWins(t *testing.T) {
	r := newTestServer(t, nil)
	sound := speech(4, 3)
	id, url := r.create(`{}`)
	old := call(t, url).mustConnect()
	half := len(sound) / 2
	if err := old.send(sound[:half]); err != nil {
		t.Fatal(err)
	}
	old.ackedTo(int64(half))
	c := call(t, url)
	c.acked = int64(half)
	c.mustConnect()
	if code := old.end(); code != 4409 {
		t.Errorf("older socket: close code %d, want 4409", code)
	}
	if err := c.send(sound[half:]); err != nil {
		t.Fatal(err)
	}
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		t.Errorf("newer socket: close code %d, want 1000", code)
	}
	if !bytes.Equal(r.recording(id), sound) {
		t.Error("the file is not what was sent")
	}
}
