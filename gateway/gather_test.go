package gateway

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// gatheringSockets is a number of sockets at which a server on one processor lets messages
// accumulate.
const gatheringSockets = 81

// newGatheringServer returns a server that lets the messages of that many sockets accumulate,
// however many processors there are.
func newGatheringServer(t *testing.T) *testServer {
	t.Helper()
	processors := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(processors)
	return newTestServer(t, nil)
}

// With many sockets, messages accumulate. Sessions are as with a single socket: for clients that
// send without a break, pause, send other messages than audio, lose their connection or cut it.
func TestMessagesGather(t *testing.T) {
	r := newGatheringServer(t)
	sound := speech(2, 1)
	id, _ := play(t, r, everyMessage, sound)
	want := r.result(id).Transcription
	callers := make([]*caller, gatheringSockets)
	ids := make([]string, gatheringSockets)
	for i := range callers {
		var url string
		ids[i], url = r.create(everyMessage)
		callers[i] = call(t, url).mustConnect()
	}
	var speaking sync.WaitGroup
	for i, c := range callers {
		speaking.Go(func() {
			if err := speakInTime(c, i, sound); err != nil {
				t.Errorf("caller %d: %v", i, err)
			}
			if cuts(i) {
				return
			}
			if err := c.stop(); err != nil {
				t.Errorf("caller %d: %v", i, err)
			}
		})
	}
	speaking.Wait()
	for i, c := range callers {
		if cuts(i) {
			continue
		}
		if code := c.end(); code != websocket.StatusNormalClosure {
			t.Errorf("caller %d: close code %d, want 1000", i, code)
		}
		if got := r.recording(ids[i]); !bytes.Equal(got, sound) {
			t.Errorf("caller %d: %d bytes are recorded, want %d", i, len(got), len(sound))
		}
		if got := r.result(ids[i]).Transcription; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("caller %d: the result is not that of a socket alone", i)
		}
	}
}

// While their messages accumulate, sockets have no goroutine. On a busy machine clients are late,
// and their sockets wait for them, so most sockets have none at some time, if not all at the same
// time.
func TestGatheringNeedsNoGoroutine(t *testing.T) {
	r := newGatheringServer(t)
	var speaking sync.WaitGroup
	defer speaking.Wait()
	callers := make([]*caller, gatheringSockets)
	for i := range callers {
		_, url := r.create(everyMessage)
		callers[i] = call(t, url).mustConnect()
	}
	// counted from here: a busy machine takes long to connect them all
	over, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	for _, c := range callers {
		speaking.Go(func() {
			if err := c.hum(over); err != nil {
				t.Error(err)
			}
		})
	}
	for _, c := range callers { // so that all sockets are there
		c.ackedTo(1)
	}
	for goroutinesOfSockets() > gatheringSockets/2 {
		select {
		case <-over.Done():
			t.Fatalf("of %d sockets more than half had a goroutine for %v", gatheringSockets, patience)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// hum sends silence as a microphone would until ctx ends, and then hangs up.
func (c *caller) hum(ctx context.Context) error {
	defer c.hangUp()
	frames := time.NewTicker(20 * time.Millisecond)
	defer frames.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-frames.C:
			if err := c.send(make([]byte, 640)); err != nil {
				return err
			}
		}
	}
}

// goroutinesOfSockets returns the number of goroutines that read sockets.
func goroutinesOfSockets() int {
	stacks := make([]byte, 4<<20)
	return bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte("live.(*socket).run("))
}

// cuts reports whether a caller cuts its connection and does not reconnect.
func cuts(i int) bool { return i%9 == 7 }

// speakInTime sends a sound as a microphone would, in a way of the caller's own, without a stop.
func speakInTime(c *caller, i int, sound []byte) error {
	const frame = 640
	half := len(sound) / frame / 2
	began := time.Now()
	for n, p := range slices.Collect(slices.Chunk(sound, frame)) {
		time.Sleep(time.Until(began.Add(time.Duration(n) * 20 * time.Millisecond)))
		if n == half {
			switch i % 9 {
			case 1:
				time.Sleep(400 * time.Millisecond)
			case 3:
				if err := c.text("not JSON"); err != nil {
					return err
				}
			case 5:
				c.hangUp()
				if err := c.connect(); err != nil {
					return err
				}
			case 7:
				c.hangUp()
				return nil
			}
		}
		if err := c.send(p); err != nil {
			return err
		}
	}
	return nil
}
