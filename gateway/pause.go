package gateway

import (
	"time"

	"steno/messages"
)

// pauseWatch notices that the client has paused: so long without audio on an open socket, and the session takes it for
// silence. The clock decides where silence comes; what becomes of it is the session's, and kept in its journal. Guarded by
// socket.feed.
type pauseWatch struct {
	after time.Duration // 0: the request does not ask for it
	heard time.Time     // when audio came last, or the socket
	timer *time.Timer
	armed bool
}

// pauseOf is how long a pause is for a request; 0: pauses mean nothing.
func pauseOf(r *messages.LiveRequest) time.Duration {
	if r.SilenceAfter == nil {
		return 0
	}
	return time.Duration(*r.SilenceAfter * float64(time.Second))
}

// watchPauses begins the watch: what was said on an earlier socket may still wait for its end.
func (k *socket) watchPauses(after time.Duration) {
	k.feed.Lock()
	defer k.feed.Unlock()
	if after <= 0 || k.silent {
		return
	}
	k.pause = pauseWatch{after: after, heard: time.Now(), armed: true, timer: time.AfterFunc(after, k.paused)}
}

// spoke notes that audio came. Called with feed held.
func (k *socket) spoke() {
	p := &k.pause
	if p.after == 0 {
		return
	}
	p.heard = time.Now()
	if !p.armed {
		p.armed = true
		p.timer.Reset(p.after)
	}
}

// paused is called when a pause may be long enough. Until it is, and while the reader is at a message, the timer goes on;
// after it, audio sets it again.
func (k *socket) paused() {
	k.feed.Lock()
	defer k.feed.Unlock()
	if k.silent {
		return
	}
	p := &k.pause
	left := p.after - time.Since(p.heard)
	if k.reading.within() {
		left = p.after
	}
	if left > 0 {
		p.timer.Reset(left)
		return
	}
	p.armed = false
	if err := k.session.Silence(unbounded); err != nil {
		k.notTaken(err)
	}
}
