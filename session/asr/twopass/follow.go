package twopass

import (
	"context"
	"sync"

	"steno/session/asr"
	"steno/session/panics"
)

// queue is what the partials' side has not been given yet. The utterance's lock guards it.
type queue struct {
	samples []int16
	spare   []int16 // given to the side just now, to be used again
	lag     int     // samples waiting or being given
	pause   bool    // a pause follows the samples
}

// feed queues samples for the partials' side.
func (u *utterance) feed(samples []int16) {
	if !u.admit(samples) {
		u.mute(DropBehind)
		return
	}
	wake(u.fed)
}

// admit tells whether the partials' side can still keep up.
func (u *utterance) admit(samples []int16) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	q := &u.queue
	if u.quiet || len(samples) == 0 {
		return true
	}
	if q.lag+len(samples) > MaxLag {
		return false
	}
	q.samples = append(q.samples, samples...)
	q.lag += len(samples)
	q.pause = false
	return true
}

// feedPause queues a pause. Samples that come before it was given take it back.
func (u *utterance) feedPause() {
	u.mu.Lock()
	u.queue.pause = !u.quiet
	u.mu.Unlock()
	wake(u.fed)
}

// take empties the queue. The samples may be used until the next call, which counts them as given.
func (u *utterance) take() (samples []int16, pause bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	q := &u.queue
	samples, pause = q.samples, q.pause
	q.samples, q.spare, q.pause = q.spare[:0], samples, false
	q.lag = len(samples)
	return samples, pause
}

// follow gives the partials' side the utterance for as long as partials are wanted.
func (u *utterance) follow(ctx context.Context, p asr.Params) {
	side, err := u.r.partials.Open(ctx, p)
	if err != nil {
		u.mute(DropRefused)
		return
	}
	var relaying sync.WaitGroup
	relaying.Go(func() {
		if err := panics.Try(func() { u.relay(side) }); err != nil {
			u.finish(nil, err)
		}
	})
	defer relaying.Wait()
	for ctx.Err() == nil {
		samples, pause := u.take()
		if len(samples) == 0 && !pause {
			select {
			case <-u.fed:
			case <-ctx.Done():
			}
			continue
		}
		switch err := give(side, samples, pause); {
		case panics.In(err) != nil:
			u.finish(nil, err)
		case err != nil:
			u.mute(DropLost)
		}
	}
}

func give(side asr.Utterance, samples []int16, pause bool) (err error) {
	defer panics.To(&err)
	if len(samples) > 0 {
		if err := side.Write(samples); err != nil {
			return err
		}
	}
	if pause {
		return side.Pause()
	}
	return nil
}

// relay passes partials on. The side is never ended, so whatever else it says is wrong.
func (u *utterance) relay(side asr.Utterance) {
	for {
		result, err := side.Recv()
		if err != nil || result.Final {
			u.mute(DropLost)
			return
		}
		u.offer(result)
	}
}
