package twopass

import (
	"context"
	"sync"

	"steno/session/asr"
	"steno/session/panics"
)

// queue is the audio that the stream for partials has not been given yet. The lock of the stream
// guards it.
type queue struct {
	samples []int16
	spare   []int16 // just given to the stream for partials, to be reused
	lag     int     // samples waiting or being given
	pause   bool    // a pause follows the samples
}

// feed queues samples for partials.
func (s *stream) feed(samples []int16) {
	if !s.admit(samples) {
		s.dropPartials(DropBehind)
		return
	}
	wake(s.fed)
}

// admit queues samples, and returns false if too many wait already.
func (s *stream) admit(samples []int16) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := &s.queue
	if s.quiet || len(samples) == 0 {
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

// feedPause queues a pause. Samples that follow before it was given cancel it.
func (s *stream) feedPause() {
	s.mu.Lock()
	s.queue.pause = !s.quiet
	s.mu.Unlock()
	wake(s.fed)
}

// take empties the queue. The samples may be used until the next call, which counts them as given.
func (s *stream) take() (samples []int16, pause bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := &s.queue
	samples, pause = q.samples, q.pause
	q.samples, q.spare, q.pause = q.spare[:0], samples, false
	q.lag = len(samples)
	return samples, pause
}

// follow opens a stream for partials and feeds it for as long as partials are wanted.
func (s *stream) follow(ctx context.Context, p asr.Params) {
	partials, err := s.r.partials.Open(ctx, p)
	if err != nil {
		s.dropPartials(DropRefused)
		return
	}
	var relaying sync.WaitGroup
	relaying.Go(func() {
		if err := panics.Try(func() { s.relay(partials) }); err != nil {
			s.finish(nil, err)
		}
	})
	defer relaying.Wait()
	for ctx.Err() == nil {
		samples, pause := s.take()
		if len(samples) == 0 && !pause {
			select {
			case <-s.fed:
			case <-ctx.Done():
			}
			continue
		}
		switch err := give(partials, samples, pause); {
		case panics.In(err) != nil:
			s.finish(nil, err)
		case err != nil:
			s.dropPartials(DropLost)
		}
	}
}

func give(partials asr.Stream, samples []int16, pause bool) (err error) {
	defer panics.To(&err)
	if len(samples) > 0 {
		if err := partials.Write(samples); err != nil {
			return err
		}
	}
	if pause {
		return partials.Pause()
	}
	return nil
}

// relay passes partials on. The stream is never ended, so any other result is an error.
func (s *stream) relay(partials asr.Stream) {
	for {
		result, err := partials.Recv()
		if err != nil || result.Final {
			s.dropPartials(DropLost)
			return
		}
		s.offer(result)
	}
}
