package gateway

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/messages"
)

const everyMessage = `{"messages_config":{"receive_partial_transcripts":true,"receive_lifecycle_events":true}}`

// play streams a whole recording on one undisturbed socket and returns the finished job's id and the caller.
func play(t *testing.T, r *rig, body string, sound []byte) (string, *caller) {
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
	r := newRig(t, nil)
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
	r := newRig(t, nil)
	sound := speech(3, 2)
	id, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	for rest := sound; len(rest) > 0; {
		n := min(3001, len(rest)) // splits samples
		c.mu.Lock()
		c.kept = append(c.kept, rest[:n]...)
		c.mu.Unlock()
		if err := c.text(`{"type":"audio_chunk","data":{"chunk":"` + base64.StdEncoding.EncodeToString(rest[:n]) + `"}}`); err != nil {
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
	r := newRig(t, nil)
	_, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	if err := c.text(`{"type":"audio_chunk","data":{"chunk":""}}`); err != nil {
		t.Fatal(err)
	}
	c.await("empty ack", func(f frame) bool { from, to, ok := f.byteRange(); return ok && from == 0 && to == 0 })
	if err := c.send(make([]byte, 10)); err != nil { // far below 100 ms: shares an ack that comes by itself
		t.Fatal(err)
	}
	c.ackedTo(10)
}

func TestMisuse(t *testing.T) {
	r := newRig(t, nil)
	_, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	bad := []string{"", "{", "[]", `{"type":"hello"}`, `{"type":5}`, `{"type":"audio_chunk"}`,
		`{"type":"audio_chunk","data":{"chunk":"!!"}}`, `{"type":"audio_chunk","data":null}`, "\xff\xfe", "null"}
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
	r := newRig(t, func(c *Config) { c.Limits.BinaryFrame, c.Limits.TextFrame = 50_000, 100_000 })
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
	r := newRig(t, nil)
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
	r := newRig(t, nil)
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

func TestAudioAfterStop(t *testing.T) {
	r, gate := newGatedRig(t)
	_, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	if err := c.send(speech(6, 5)); err != nil {
		t.Fatal(err)
	}
	c.await("speech that waits for its final", func(f frame) bool { return f.Type == "speech_start" })
	for _, step := range []func() error{c.stop, func() error { return c.write(websocket.MessageBinary, []byte{1, 2}) }} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	f := c.await("refusal", func(f frame) bool { return f.Acknowledged != nil && !*f.Acknowledged })
	if f.Type != "audio_chunk" || f.Error == nil || f.Error.Message != "Recording already stopped" {
		t.Errorf("answer %s", f.text)
	}
	close(gate)
	if code := c.end(); code != 1000 {
		t.Errorf("close code %d, want 1000", code)
	}
	for _, f := range c.all() {
		if from, to, ok := f.byteRange(); ok && from == to {
			t.Errorf("acknowledged: %s", f.text)
		}
	}
}

func TestClientCloseIsAStop(t *testing.T) {
	for _, code := range []websocket.StatusCode{websocket.StatusNormalClosure, websocket.StatusGoingAway} {
		r := newRig(t, nil)
		sound := speech(3, 5)
		id, url := r.create(`{}`)
		c := call(t, url).mustConnect()
		if err := c.send(sound); err != nil {
			t.Fatal(err)
		}
		_ = c.conn.Close(code, "")
		r.awaitStatus(id, messages.StatusDone)
		if !bytes.Equal(r.recording(id), sound) {
			t.Errorf("after close %d the file is not what was sent", code)
		}
	}
}

func TestLongestRecording(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Limits.MaxAudio = 2e9 })
	id, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	if err := c.send(make([]byte, 3*32000)); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		t.Errorf("close code %d, want 1000", code)
	}
	if got := len(r.recording(id)); got != 2*32000 {
		t.Errorf("%d bytes recorded", got)
	}
}

func TestLeadingHeaderIsNotInTheFile(t *testing.T) {
	r := newRig(t, nil)
	sound := speech(1, 6)
	header := fmt.Sprintf("RIFF\xff\xff\xff\xffWAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00%s%s\x02\x00\x10\x00data\xff\xff\xff\xff",
		"\x80\x3e\x00\x00", "\x00\x7d\x00\x00")
	id, _ := play(t, r, `{}`, append([]byte(header), sound...))
	if !bytes.Equal(r.recording(id), sound) {
		t.Error("the file is not what was sent")
	}
}

func TestForeignHeaderEndsAsError(t *testing.T) {
	r := newRig(t, nil)
	id, url := r.create(`{"sample_rate":8000}`)
	c := call(t, url).mustConnect()
	header := "RIFF\xff\xff\xff\xffWAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\xff\xff\xff\xff"
	if err := c.send([]byte(header)); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		t.Errorf("close code %d, want 1000", code)
	}
	if job := r.job(id); job.Status != messages.StatusError || job.ErrorCode == nil || *job.ErrorCode != 400 {
		t.Errorf("job %+v", job)
	}
}

// TestCloseWhileSpeaking: a gateway that is closed in the middle of a message loses nothing of what it has taken.
func TestCloseWhileSpeaking(t *testing.T) {
	r := newRig(t, nil)
	sound := speech(20, 9)
	id, url := r.create(`{}`)
	c := call(t, url)
	sent := 0
	for range 6 {
		c.url = r.http.URL + "/v2/live?" + afterQuestion(url)
		seen := c.acked // nobody else looks: there is no connection
		c.mustConnect()
		speaking := make(chan struct{})
		go func() {
			defer close(speaking)
			for sent < len(sound) {
				n := min(4000, len(sound)-sent)
				sent += n
				if c.send(sound[sent-n:sent]) != nil {
					return
				}
			}
		}()
		if seen < int64(len(sound)) {
			c.ackedTo(seen + 1)
		}
		r.restart()
		<-speaking
		if code := c.end(); code != websocket.StatusServiceRestart && code != -1 {
			t.Errorf("close code %d", code)
		}
	}
	c.url = r.http.URL + "/v2/live?" + afterQuestion(url)
	c.mustConnect()
	for ; sent < len(sound); sent += min(4000, len(sound)-sent) {
		if err := c.send(sound[sent : sent+min(4000, len(sound)-sent)]); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		t.Errorf("close code %d, want 1000", code)
	}
	if !bytes.Equal(r.recording(id), sound) {
		t.Error("the file is not what was sent")
	}
	if job := r.job(id); job.Status != messages.StatusDone {
		t.Errorf("job %+v", job)
	}
}

// TestResentAfterStop: a client that lost its socket after the stop sends again what was not acknowledged. That is
// acknowledged, while new audio is refused.
func TestResentAfterStop(t *testing.T) {
	r, gate := newGatedRig(t)
	sound := speech(3, 8)
	id, url := r.create(`{}`)
	deaf, _, err := websocket.Dial(t.Context(), url, nil) // reads nothing: no acks, no pongs
	if err != nil {
		t.Fatal(err)
	}
	if err := deaf.Write(t.Context(), websocket.MessageBinary, sound); err != nil {
		t.Fatal(err)
	}
	if err := deaf.Write(t.Context(), websocket.MessageText, []byte(`{"type":"stop_recording"}`)); err != nil {
		t.Fatal(err)
	}
	for {
		record, err := r.store.Get(t.Context(), defaultAccount, id)
		if err != nil {
			t.Fatal(err)
		}
		if record.Stopped {
			break
		}
	}
	_ = deaf.CloseNow()
	c := call(t, url)
	c.kept = sound
	c.mustConnect()
	c.ackedTo(int64(len(sound)))
	if err := c.write(websocket.MessageBinary, []byte{1, 2, 3, 4}); err != nil {
		t.Fatal(err)
	}
	c.await("refusal", func(f frame) bool { return f.Acknowledged != nil && !*f.Acknowledged })
	close(gate)
	if code := c.end(); code != 1000 {
		t.Errorf("close code %d, want 1000", code)
	}
	refusals := 0
	for _, f := range c.all() {
		if f.Acknowledged != nil && !*f.Acknowledged {
			refusals++
		}
	}
	if refusals != 1 {
		t.Errorf("%d refusals, want one for the new audio", refusals)
	}
	if !bytes.Equal(r.recording(id), sound) {
		t.Error("the file is not what was sent")
	}
}
