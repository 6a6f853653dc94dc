package gateway

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/coder/websocket"

	"steno/messages"
)

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
