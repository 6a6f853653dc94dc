package gateway

import (
	"strconv"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A client that states its offset may have missed acks whose receipt was confirmed, like a page
// whose script lags its browser. That holds in silence too, where the audio identifies no position.
func TestClientSaysWhereItGoesOn(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		id, url := w.create()
		c := w.call(url)
		if err := c.send(make([]byte, 96000)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(96000)
		time.Sleep(time.Second) // its receipt is confirmed
		c.hangUp()
		again := w.callAt(url, 32000)
		if err := again.send(make([]byte, 128000)); err != nil {
			t.Fatal(err)
		}
		again.ackedTo(160000)
		again.hangUp()
		ahead := w.callAt(url, 160000) // nothing is sent again
		if err := ahead.send(make([]byte, 32000)); err != nil {
			t.Fatal(err)
		}
		if err := ahead.stop(); err != nil {
			t.Fatal(err)
		}
		if code := ahead.end(); code != websocket.StatusNormalClosure {
			t.Errorf("close code %d", code)
		}
		if got := *w.job(id).File.AudioDuration; got != 6 {
			t.Errorf("%v s were recorded, want 6", got)
		}
	})
}

// callAt connects a client that states that acked bytes were acknowledged.
func (w *bubble) callAt(url string, acked int64) *caller {
	w.t.Helper()
	c := call(w.t, url+"&offset="+strconv.FormatInt(acked, 10))
	c.acked = acked
	c.mustConnectTo(w)
	return c
}

func TestOffsetIsANumberOfBytes(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		_, url := w.create()
		for _, offset := range []string{"-1", "half", "1.5", "99999999999999999999"} {
			c := call(t, url+"&offset="+offset)
			c.dial = w.net.Dial
			if err := c.connect(); err == nil {
				t.Errorf("offset %s is taken", offset)
			}
		}
	})
}
