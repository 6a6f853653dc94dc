package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/gateway/callbacks"
	"steno/messages"
)

func TestAudioAfterStop(t *testing.T) {
	r, gate := newGatedServer(t)
	_, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	if err := c.send(speech(6, 5)); err != nil {
		t.Fatal(err)
	}
	c.await("speech that waits for its final", func(f frame) bool { return f.Type == "speech_start" })
	for _, step := range []func() error{c.stop, func() error {
		return c.write(websocket.MessageBinary,
			[]byte{1, 2})
	}} {
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

// TestRepeatedStop: a second stop on a socket is refused. The first one on a new socket is
// acknowledged there, since its client may not have seen the first ack; callbacks receive one stop.
func TestRepeatedStop(t *testing.T) {
	r := callbackServer(t)
	g := newGatedRecognizer()
	r.engines.asr = g
	receiver := newReceiver(t)
	_, url := r.create(wantsCallback(receiver.url, `,"receive_acknowledgments":true`))
	c := call(t, url).mustConnect()
	if err := errors.Join(c.send(speech(6, 5)), c.stop(), c.stop()); err != nil {
		t.Fatal(err)
	}
	f := c.await("refusal", func(f frame) bool { return f.Acknowledged != nil && !*f.Acknowledged })
	if f.Type != "stop_recording" || f.Error == nil || f.Error.Message != "Recording already stopped" ||
		string(f.Data) != "null" {
		t.Errorf("second stop: %s", f.text)
	}
	isAck := func(f frame) bool { return f.Type == "stop_recording" && *f.Acknowledged }
	c.await("ack of the stop", isAck)
	c.hangUp()
	c = call(t, url).mustConnect()
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if f := c.await("ack of the stop", isAck); f.Error != nil {
		t.Errorf("first stop on a new socket: %s", f.text)
	}
	close(g.gate)
	if code := c.end(); code != 1000 {
		t.Errorf("close code %d, want 1000", code)
	}
	stops := 0
	for _, h := range receiver.await(t, callbacks.EndSession) {
		if h.Event == "live.stop_recording" && strings.Contains(string(h.Payload), `"acknowledged":true`) {
			stops++
		}
	}
	if stops != 1 {
		t.Errorf("callbacks tell of %d stops", stops)
	}
}

// TestCallbackAcks: callbacks are sent acks of audio if they ask for them, whatever the socket asks
// for.
func TestCallbackAcks(t *testing.T) {
	for _, socket := range []bool{true, false} {
		r := callbackServer(t)
		receiver := newReceiver(t)
		body := wantsCallback(receiver.url, `,"receive_acknowledgments":true`)
		body = fmt.Sprintf(`{"messages_config":{"receive_acknowledgments":%v},%s`, socket, body[1:])
		id, url := r.create(body)
		c := call(t, url).mustConnect()
		c.loose = true
		sound := speech(3, 4)
		if err := errors.Join(c.send(sound), c.stop()); err != nil {
			t.Fatal(err)
		}
		c.end()
		acked := int64(0)
		for _, h := range receiver.await(t, callbacks.EndSession) {
			var ack struct {
				Data struct {
					ByteRange [2]int64 `json:"byte_range"`
				}
			}
			if h.Event != "live.audio_chunk" || json.Unmarshal(h.Payload, &ack) != nil {
				continue
			}
			if ack.Data.ByteRange[0] != acked {
				t.Errorf("range %v after %d", ack.Data.ByteRange, acked)
			}
			acked = ack.Data.ByteRange[1]
		}
		if acked != int64(len(sound)) {
			t.Errorf("socket's acks %v: callbacks acknowledged %d of %d bytes", socket, acked, len(sound))
		}
		if shown := slices.ContainsFunc(c.all(), func(f frame) bool { return f.Type == "audio_chunk" }); shown !=
			socket {
			t.Errorf("socket's acks %v: shown %v", socket, shown)
		}
		if !bytes.Equal(r.recording(id), sound) {
			t.Error("the file is not what was sent")
		}
	}
}

func TestClientCloseIsAStop(t *testing.T) {
	for _, code := range []websocket.StatusCode{websocket.StatusNormalClosure, websocket.StatusGoingAway} {
		r := newTestServer(t, nil)
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
	r := newTestServer(t, func(c *Config) { c.Limits.MaxAudio = 2e9 })
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
	r := newTestServer(t, nil)
	sound := speech(1, 6)
	header := fmt.Sprintf("RIFF\xff\xff\xff\xffWAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00%s%s\x02\x00\x10\x00data\xff\xff\xff\xff",
		"\x80\x3e\x00\x00", "\x00\x7d\x00\x00")
	id, _ := play(t, r, `{}`, append([]byte(header), sound...))
	if !bytes.Equal(r.recording(id), sound) {
		t.Error("the file is not what was sent")
	}
}

func TestForeignHeaderEndsAsError(t *testing.T) {
	r := newTestServer(t, nil)
	id, url := r.create(`{"sample_rate":8000,"messages_config":{"receive_errors":true}}`)
	c := call(t, url).mustConnect()
	header := "RIFF\xff\xff\xff\xffWAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\xff\xff\xff\xff"
	if err := c.send([]byte(header)); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 4400 || c.reason == "" {
		t.Errorf("closed with %d %q, want 4400 and a reason", code, c.reason)
	}
	f := c.await("error", func(f frame) bool { return f.Type == "error" })
	job := r.job(id)
	if job.Status != messages.StatusError || job.ErrorCode == nil || *job.ErrorCode != 400 {
		t.Errorf("job %+v", job)
	}
	why, _ := job.PostSessionMetadata["error_message"].(string)
	if f.Error == nil || f.Error.Message != why || !strings.Contains(why, "16000 Hz") ||
		!strings.Contains(why, "8000 Hz") {
		t.Errorf("event says %+v, the record %q", f.Error, why)
	}
}

// TestCloseWhileSpeaking: a gateway that is closed in the middle of a message loses no accepted
// audio.
func TestCloseWhileSpeaking(t *testing.T) {
	r := newTestServer(t, nil)
	sound := speech(20, 9)
	id, url := r.create(`{}`)
	c := call(t, url)
	sent := 0
	for range 6 {
		c.url = r.http.URL + "/v2/live?" + afterQuestion(url)
		seen := c.acked // not read elsewhere: there is no connection
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

// TestResentAfterStop: a client that lost its socket after the stop sends again what was not
// acknowledged. That audio is acknowledged, while new audio is refused.
func TestResentAfterStop(t *testing.T) {
	r, gate := newGatedServer(t)
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
		record, err := r.store.Get(t.Context(), DefaultAccount, id)
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
