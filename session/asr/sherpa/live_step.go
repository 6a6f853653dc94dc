package sherpa

import (
	"steno/session/asr"
	"steno/session/asr/schedule"
)

const (
	// tail is the silence that streaming models are given after the end, at least: their last words
	// come out late. The library's own examples have 0.66 s.
	tail = asr.Rate * 66 / 100
	// maxLag is the undecoded audio (3 s) beyond which an utterance that is wanted for partials
	// only gets no more.
	maxLag = 3 * asr.Rate
)

// pace is when a streaming model runs its steps: the first when it has been fed window samples,
// each other one after stride more.
type pace struct{ window, stride int }

// due returns how much must have been fed before step n, the first being 0.
func (p pace) due(n int) int { return p.window + n*p.stride }

// steps returns how many steps an utterance of n samples takes, tail included.
func (p pace) steps(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + max(0, (n+tail-p.window+p.stride-1)/p.stride)
}

// outstanding returns how many of the steps for which n samples suffice have neither run nor wait.
func (u *liveStream) outstanding(n int) int {
	p := u.m.pace
	if n < p.window {
		return 0
	}
	return max(0, 1+(n-p.window)/p.stride-u.taken-1)
}

// want queues the next step if its audio is there. The caller holds the lock.
func (u *liveStream) want() {
	if u.gone || u.work != nil {
		return
	}
	if !u.ended && len(u.samples) < u.m.pace.due(u.taken) {
		return
	}
	u.work = &schedule.Work{Class: u.class(), Samples: len(u.piece()), Task: u, Party: u.params.Party}
	u.m.queue.Put(u.work)
}

func (u *liveStream) class() schedule.Class {
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

// piece returns the samples that the next step takes, without the silence after the end. The caller
// holds the lock.
func (u *liveStream) piece() []int16 {
	from := 0
	if u.taken > 0 {
		from = u.m.pace.due(u.taken - 1)
	}
	n := len(u.samples)
	return u.samples[min(from, n):min(u.m.pace.due(u.taken), n)]
}

// last reports whether the next step is the last. The caller holds the lock.
func (u *liveStream) last() bool { return u.ended && u.taken+1 >= u.m.pace.steps(len(u.samples)) }

// discard frees the library's stream, unless a step is running: then stepped does.
func (u *liveStream) discard() {
	if u.work != nil && !u.m.queue.Drop(u.work) {
		return
	}
	u.free()
}

func (u *liveStream) free() {
	u.work = nil
	if u.stream != nil {
		u.stream.Free()
		u.stream = nil
	}
}

// step runs one step of each utterance. It is the streaming models' Decode.
func (m *model) step(batch []*schedule.Work) {
	var ready []libraryStream
	for _, w := range batch {
		if s := w.Task.(*liveStream).feed(); s != nil {
			ready = append(ready, s)
		}
	}
	if len(ready) > 0 {
		m.online.Decode(ready)
	}
	for _, w := range batch {
		w.Task.(*liveStream).stepped()
	}
}

// feed feeds the library's stream for the next step. It returns nil if no step is to run.
func (u *liveStream) feed() libraryStream {
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

// stepped continues after a step: with the next one, or with the final.
func (u *liveStream) stepped() {
	u.mu.Lock()
	last, gone := u.last(), u.gone
	u.mu.Unlock()
	var h hypothesis
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
