package sherpa

import (
	"context"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

const (
	// tail is the silence that streaming models are given after the end, at least: what they heard last comes out late.
	// The library's own examples give 0.66 s.
	tail = asr.Rate * 66 / 100
	// maxLag is how much undecoded audio (3 s) ends an utterance's hope for partials where they are all that is wanted of
	// it.
	maxLag = 3 * asr.Rate
)

// Reasons for which partials are left out, with those of the scheduler.
const (
	ShedReplaced = "replaced" // by a newer one before it was received
	ShedBehind   = "behind"   // steps not taken by the end, and taken for the final
	ShedGivenUp  = "given_up" // steps never taken, of utterances wanted for partials alone and far behind
)

// pace is when a streaming model takes its steps: the first when it has been fed window samples, each other after stride
// more.
type pace struct{ window, stride int }

// due returns how much must have been fed before step n, the first being 0.
func (p pace) due(n int) int { return p.window + n*p.stride }

// steps returns how many steps utterances of n samples take, tail included.
func (p pace) steps(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + max(0, (n+tail-p.window+p.stride-1)/p.stride)
}

// streaming is an utterance in a streaming model. It is fed exactly what each step takes, so nothing of how it was cut
// when it was written can show. One step is waiting or being taken at a time, and who takes it owns the stream.
type streaming struct {
	speech
	hotwords string
	only     bool // partials are all that is wanted

	work   *schedule.Work // the step that is waiting or being taken
	taken  int            // steps
	stream stream         // nil before the first step
}

func (m *model) follow(ctx context.Context, p asr.Params, only bool) (*streaming, error) {
	u := &streaming{hotwords: m.hotwords(p.Vocabulary), only: only}
	if err := u.enter(ctx, m, p, u.let); err != nil {
		return nil, err
	}
	return u, nil
}

func (u *streaming) Write(samples []int16) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.append(samples); err != nil {
		return err
	}
	if lag := u.behind(len(u.samples)); u.only && lag*u.m.pace.stride > maxLag {
		u.m.queue.Shed(ShedGivenUp, lag)
		u.leave(errBehind)
		return errBehind
	}
	u.want()
	return nil
}

func (u *streaming) End() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	u.ended = true
	if len(u.samples) == 0 {
		u.decide(heard{})
		return nil
	}
	u.m.queue.Shed(ShedBehind, u.behind(len(u.samples)))
	if u.work != nil && u.m.queue.Drop(u.work) {
		u.work = nil // is more urgent now
	}
	u.want()
	return nil
}

// behind returns how many of the steps for which n samples suffice are neither taken nor being waited for.
func (u *streaming) behind(n int) int {
	p := u.m.pace
	if n < p.window {
		return 0
	}
	return max(0, 1+(n-p.window)/p.stride-u.taken-1)
}

// want has the next step taken, if its audio is there. Call with the lock held.
func (u *streaming) want() {
	if u.gone || u.work != nil {
		return
	}
	if !u.ended && len(u.samples) < u.m.pace.due(u.taken) {
		return
	}
	u.work = &schedule.Work{Class: u.class(), Samples: len(u.piece()), Task: u}
	u.m.queue.Put(u.work)
}

func (u *streaming) class() schedule.Class {
	switch {
	case u.replay():
		return schedule.Replay
	case u.ended:
		return schedule.Final
	case u.params.Partials && u.text == "":
		return schedule.FirstPartial
	}
	return schedule.Partial
}

// piece returns the samples that the next step takes; silence after the end is left out. Call with the lock held.
func (u *streaming) piece() []int16 {
	from := 0
	if u.taken > 0 {
		from = u.m.pace.due(u.taken - 1)
	}
	n := len(u.samples)
	return u.samples[min(from, n):min(u.m.pace.due(u.taken), n)]
}

// last tells whether the next step is the last. Call with the lock held.
func (u *streaming) last() bool { return u.ended && u.taken+1 >= u.m.pace.steps(len(u.samples)) }

// let frees the stream, unless a step is being taken: then stepped does.
func (u *streaming) let() {
	if u.work != nil && !u.m.queue.Drop(u.work) {
		return
	}
	u.free()
}

func (u *streaming) free() {
	u.work = nil
	if u.stream != nil {
		u.stream.Free()
		u.stream = nil
	}
}

// step takes one step of each utterance. It is the streaming models' Decode.
func (m *model) step(batch []*schedule.Work) {
	var ready []stream
	for _, w := range batch {
		if s := w.Task.(*streaming).feed(); s != nil {
			ready = append(ready, s)
		}
	}
	if len(ready) > 0 {
		m.online.Decode(ready)
	}
	for _, w := range batch {
		w.Task.(*streaming).stepped()
	}
}

// feed gives the stream what it takes for the next step. It returns nil if no step is to be taken.
func (u *streaming) feed() stream {
	u.mu.Lock()
	if u.gone {
		u.mu.Unlock()
		return nil
	}
	piece, size := u.piece(), u.m.pace.stride
	if u.taken == 0 {
		size = u.m.pace.window
	}
	last := u.last()
	u.mu.Unlock()

	if u.stream == nil {
		u.stream = u.m.online.Stream(u.hotwords)
	}
	u.stream.Feed(append(floats(piece), make([]float32, size-len(piece))...))
	if last {
		u.stream.Finish()
	}
	if !u.stream.Ready() {
		return nil
	}
	return u.stream
}

// stepped goes on after a step: with the next, or with the final.
func (u *streaming) stepped() {
	u.mu.Lock()
	last, gone := u.last(), u.gone
	u.mu.Unlock()
	var h heard
	if !gone && (last || u.params.Partials) {
		h = u.stream.Result()
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.work = nil
	u.taken++
	switch {
	case u.gone:
		u.free()
	case last:
		u.decide(h)
		u.free()
	default:
		u.offer(h)
		u.want()
	}
}
