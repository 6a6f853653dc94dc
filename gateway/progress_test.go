package gateway

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/messages"
)

// wire connects a socket and returns its connection, for writes without the library. Nothing is
// read from it; it ends with the test.
func (w *bubble) wire(url string) net.Conn {
	w.t.Helper()
	_, raw := w.unread(url)
	return raw
}

// frameHeader returns the header of a client's frame: mostly one longer than its payload.
func frameHeader(first byte, size int) []byte {
	h := binary.BigEndian.AppendUint64([]byte{first, 0x80 | 127}, uint64(size))
	return append(h, 0, 0, 0, 0) // a mask that changes nothing
}

// A message that stalls, or arrives at an unreasonable rate, costs its socket, and the session ends
// as after any other loss.
func TestUnfinishedMessage(t *testing.T) {
	trickle := func(c net.Conn) {
		for {
			time.Sleep(5 * time.Second)
			if _, err := c.Write([]byte("x")); err != nil {
				return
			}
		}
	}
	nothing := func(net.Conn) {}
	for name, tc := range map[string]struct {
		begin []byte
		then  func(net.Conn)
	}{
		"text":          {append(frameHeader(0x81, 31<<20), make([]byte, 100)...), nothing},
		"binary":        {append(frameHeader(0x82, 4<<20), make([]byte, 100)...), nothing},
		"trickled":      {frameHeader(0x82, 4<<20), trickle},
		"trickled text": {frameHeader(0x81, 31<<20), trickle},
		"empty parts":   {append(frameHeader(0x02, 0), frameHeader(0x00, 0)...), nothing},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *bubble) {
				id, url := w.create()
				c := w.wire(url)
				if _, err := c.Write(tc.begin); err != nil {
					t.Fatal(err)
				}
				go tc.then(c)
				// 20 s, and the resume window
				w.after(id, 50*time.Second, messages.StatusProcessing, messages.StatusDone)
				if n := counted(t, w.server, "steno_dropped_total", metrics.DropUnfinished); n != 1 {
					t.Errorf("%v counted", n)
				}
			})
		})
	}
}

// counted returns the sum of a counter of a server, of all labels or of one.
func counted(t *testing.T, s *Server, name, label string) float64 {
	t.Helper()
	families, err := s.metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && (label == "" || m.GetLabel()[0].GetValue() == label) {
				sum += m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

// gauge returns the value of a gauge of a server.
func gauge(t *testing.T, s *Server, name string) float64 {
	t.Helper()
	families, err := s.metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// A slow message is accepted, however long it takes.
func TestSlowMessage(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		id, url := w.create()
		c := w.wire(url)
		sound := speech(60, 1)
		if _, err := c.Write(frameHeader(0x82, len(sound))); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for rest := sound; len(rest) > 0; rest = rest[6400:] {
			time.Sleep(time.Second)
			if _, err := c.Write(rest[:6400]); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took < 120*time.Second {
			t.Fatalf("only %v", took)
		}
		stop := []byte(`{"type":"stop_recording"}`)
		if _, err := c.Write(append(frameHeader(0x81, len(stop)), stop...)); err != nil {
			t.Fatal(err)
		}
		w.after(id, 2*time.Second, messages.StatusDone, messages.StatusDone)
		if job := w.job(id); *job.File.AudioDuration != 60 {
			t.Errorf("%v s recorded", *job.File.AudioDuration)
		}
	})
}

// Audio that arrives faster than the pace is read at the pace, all of it, with acks meanwhile, and
// no limit on waiting for the client counts that. Another socket has no new allowance.
func TestPace(t *testing.T) {
	inBubbleWith(t, limits.Limits{Pace: 4, Burst: 20 * time.Second, Idle: 3 * time.Second, FrameStall: time.Second,
		FrameRate: 1 << 30, Ping: time.Second}, func(t *testing.T, w *bubble) {
		id, url := w.create()
		sound := speech(120, 1)
		began := time.Now()
		c := w.call(url)
		if err := c.send(sound[:20*32000]); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(20 * 32000)
		if took := time.Since(began); took > time.Second {
			t.Errorf("what may come at once took %v", took)
		}
		// A ping before the message could not be answered within it, for which the client's library
		// waits five seconds.
		synctest.Wait()
		go func() { _ = c.send(sound[20*32000 : 100*32000]) }() // one message
		c.ackedTo(60 * 32000)                                   // in the middle of the message
		if took := time.Since(began); took < 9*time.Second || took > 12*time.Second {
			t.Errorf("60 s of audio took %v", took)
		}
		c.ackedTo(100 * 32000)
		again := call(t, url)
		again.dial, again.acked = w.net.Dial, 100*32000
		again.mustConnect()
		again.connectAudio(t, sound[100*32000:])
		again.ackedTo(120 * 32000)
		if took := time.Since(began); took < 24*time.Second || took > 27*time.Second {
			t.Errorf("all took %v", took)
		}
		if err := again.stop(); err != nil {
			t.Fatal(err)
		}
		if code := again.end(); code != 1000 {
			t.Errorf("close code %d", code)
		}
		if job := w.job(id); *job.File.AudioDuration != 120 || job.Status != messages.StatusDone {
			t.Errorf("job %+v", job)
		}
		if n := counted(t, w.server, "steno_audio_paced_seconds_total", ""); n < 20 || n > 26 {
			t.Errorf("%v s of pauses counted", n)
		}
		for _, f := range append(c.all(), again.all()...) {
			if from, to, ok := f.byteRange(); ok && from == to {
				t.Errorf("an empty ack: %s", f.text)
			}
		}
	})
}

// connectAudio sends audio in ordinary messages.
func (c *caller) connectAudio(t *testing.T, sound []byte) {
	t.Helper()
	for ; len(sound) > 0; sound = sound[min(len(sound), 3200):] {
		if err := c.send(sound[:min(len(sound), 3200)]); err != nil {
			t.Fatal(err)
		}
	}
}

// A session that is kept open by keep-alives ends at its time limit.
func TestSessionTime(t *testing.T) {
	inBubbleWith(t, limits.Limits{MaxAudio: 10 * time.Minute}, func(t *testing.T, w *bubble) {
		id, url := w.create()
		c := w.call(url)
		go func() {
			for c.text(`{"type":"audio_chunk","data":{"chunk":""}}`) == nil {
				time.Sleep(time.Minute)
			}
		}()
		defer time.Sleep(time.Minute)
		w.after(id, 70*time.Minute, messages.StatusProcessing, messages.StatusDone)
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d", code)
		}
	})
}

// A client that sends all it kept in one text message is understood, whatever the order of the
// keys, at any length that a frame may have; other messages may not be as long.
func TestLongTextMessages(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Limits.TextMessage, c.Limits.TextFrame = 256<<10, 1<<20 })
	sound := bytes.Repeat(speech(2, 1), 10)
	chunk := base64.StdEncoding.EncodeToString(sound)
	for _, text := range []string{
		`{"type":"audio_chunk","data":{"chunk":"` + chunk + `"}}`,
		`{"data":{"chunk":"` + chunk + `"},"type":"audio_chunk"}`,
	} {
		id, url := r.create(`{}`)
		c := call(t, url).mustConnect()
		c.loose = true
		if err := c.text(text); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(int64(len(sound)))
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d", code)
		}
		if !bytes.Equal(r.recording(id), sound) {
			t.Error("the file is not what was sent")
		}
	}
	long := strings.Repeat("x", 256<<10)
	for text, want := range map[string]websocket.StatusCode{
		`{"type":"stop_recording","x":"` + long[:100<<10] + `"}`:                                        1000,
		`{"type":"stop_recording","x":"` + long + `"}`:                                                  4413,
		`{"type":"audio_chunk","x":"` + long + `","data":{"chunk":"` + chunk + `"}}`:                    4413,
		`{"type":"audio_chunk","data":{"chunk":"` + strings.Repeat("AAAA", 256<<10) + `"}}`:             4413,
		`{"data":{"chunk":"` + strings.Repeat("AAAA", 256<<10) + `"},"type":"audio_chunk"}`:             4413,
		`{"type":"audio_chunk","data":{"chunk":"` + strings.Repeat("AAAA", 50<<10) + `"}, "n":"` + long: 4413,
	} {
		_, url := r.create(`{"messages_config":{"receive_acknowledgments":false}}`)
		c := call(t, url).mustConnect()
		_ = c.text(text) // may be refused half-way
		if code := c.end(); code != want {
			t.Errorf("%.60s: close code %d, want %d", text, code, want)
		}
	}
}

// One key sends the beginnings of as many long messages as all sockets together may hold. Those of
// another key are still received.
func TestLongMessagesOfOneKey(t *testing.T) {
	inBubbleWith(t, limits.Limits{SocketBytes: 8 << 20, FrameRate: 1}, func(t *testing.T, w *bubble) {
		begun := append([]byte(`{"type":"stop_recording","x":"`), bytes.Repeat([]byte("x"), 200_000)...)
		for range 5 {
			_, url := w.create()
			if _, err := w.wire(url).Write(append(frameHeader(0x81, len(begun)+2), begun...)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		_, url := w.createWith(w.addKey("another", "key-of-another"))
		c, at := w.call(url), time.Now()
		go func() { _ = c.text(string(begun) + `"}`) }()
		if code, took := c.end(), time.Since(at); code != 1000 || took > time.Second {
			t.Errorf("close code %d after %v", code, took)
		}
	})
}

// Sockets that hold long messages together hold no more than they may: the next one waits, and is
// closed if it waits too long.
func TestRoomForLongMessages(t *testing.T) {
	inBubbleWith(t, limits.Limits{SocketBytes: 3 << 20, FrameRate: 1}, func(t *testing.T, w *bubble) {
		_, holding := w.create()
		holder := w.wire(holding)
		half := append([]byte(`{"type":"stop_recording","x":"`), bytes.Repeat([]byte("x"), 200_000)...)
		if _, err := holder.Write(append(frameHeader(0x81, len(half)+2), half...)); err != nil {
			t.Fatal(err)
		}
		whole := string(half) + `"}`
		_, url := w.create()
		c := w.call(url)
		go func() { _ = c.text(whole) }()
		if code := c.end(); code != 4503 {
			t.Errorf("close code %d, want 4503", code)
		}
		if n := counted(t, w.server, "steno_dropped_total", metrics.DropOverload); n != 1 {
			t.Errorf("%v counted", n)
		}
		_, url = w.create()
		c = w.call(url)
		c.loose = true
		if err := c.text(`{"type":"audio_chunk","data":{"chunk":"` + strings.Repeat("AAAA", 50_000) + `"}}`); err !=
			nil {
			t.Fatal(err)
		}
		c.ackedTo(150_000) // audio needs no room
		go func() { _ = c.text(whole) }()
		// The client may have a ping to answer, for which its library waits five seconds.
		time.Sleep(3 * time.Second)
		if _, err := holder.Write([]byte(`"}`)); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
	})
}
