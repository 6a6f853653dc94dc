package gateway

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// Where there are many sockets, messages are left to gather, and sockets have no goroutine meanwhile. Everything is as it is for a
// socket alone: for clients that send without a break, pause, say other things than audio, lose their connection or cut it.
func TestMessagesGather(t *testing.T) {
	const sockets = 81
	processors := runtime.GOMAXPROCS(1) // for each of which there must be many sockets
	r := newTestServer(t, nil)
	runtime.GOMAXPROCS(processors)
	sound := speech(2, 1)
	id, _ := play(t, r, everyMessage, sound)
	want := r.result(id).Transcription
	callers := make([]*caller, sockets)
	ids := make([]string, sockets)
	for i := range callers {
		var url string
		ids[i], url = r.create(everyMessage)
		callers[i] = call(t, url).mustConnect()
	}
	fewest := sockets
	said := make(chan struct{}) // by a first one: sockets end from then on
	var first sync.Once
	var watching, speaking sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-said:
				return
			case <-time.After(20 * time.Millisecond):
				fewest = min(fewest, goroutinesOfSockets())
			}
		}
	})
	for i, c := range callers {
		speaking.Go(func() {
			if err := speakInTime(c, i, sound); err != nil {
				t.Errorf("caller %d: %v", i, err)
			}
			if cuts(i) {
				return
			}
			first.Do(func() { close(said) })
			if err := c.stop(); err != nil {
				t.Errorf("caller %d: %v", i, err)
			}
		})
	}
	speaking.Wait()
	watching.Wait()
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
	if fewest > sockets/2 { // where the machine is busy clients come late, and their sockets wait for them
		t.Errorf("sockets had never less than %d goroutines", fewest)
	}
}

// goroutinesOfSockets is how many there are that read.
func goroutinesOfSockets() int {
	stacks := make([]byte, 4<<20)
	return bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte("live.(*socket).run("))
}

// cuts reports whether a caller cuts its connection and does not come back.
func cuts(i int) bool { return i%9 == 7 }

// speakInTime sends a sound as a microphone would, in a way of the caller's own, and does not say that it is the end.
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
