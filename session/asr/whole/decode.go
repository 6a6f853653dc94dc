package whole

import (
	"errors"
	"slices"
	"strings"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// decode is the Decode of the model's queue, which takes one piece of work at a time.
func (m *Model) decode(batch []*schedule.Work) {
	for _, w := range batch {
		u := w.Task.(*stream)
		switch w.Class {
		case schedule.FirstPartial, schedule.Partial:
			u.decodePartial(w)
		default:
			u.decodeWhole(w)
		}
	}
}

// late is called for partials that have waited too long.
func (m *Model) late(w *schedule.Work) {
	u := w.Task.(*stream)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.part == w {
		u.part = nil
		u.next = len(u.samples) + m.pace.step()
	}
}

// decodeWhole decodes the final, or a guess at it.
func (u *stream) decodeWhole(w *schedule.Work) {
	began := time.Now()
	what, ok := u.take(w, func() bool { return u.whole == w })
	if !ok {
		return
	}
	what.Yield = func() bool { return u.yields(w) }
	r, err := u.m.config.Decoder.Final(what)
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.gone || u.whole != w:
		return
	case errors.Is(err, ErrYielded):
		u.again(w)
		return
	}
	u.whole = nil
	switch {
	case err != nil:
		u.wrong(err)
	case u.ended:
		r.Queued = max(0, began.Sub(u.endedAt))
		u.decide(r)
	default:
		u.guess = &r
		u.offer(r)
	}
}

// take returns what there is to decode if the work is still wanted.
func (u *stream) take(w *schedule.Work, wanted func() bool) (Utterance, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.gone || !wanted() {
		return Utterance{}, false
	}
	return Utterance{Samples: u.samples, Params: u.params}, true
}

// again queues work that gave way, or work that has become more urgent than it was.
func (u *stream) again(w *schedule.Work) {
	class := w.Class
	if u.ended && class == schedule.Guess {
		class = schedule.Final
	}
	u.whole = &schedule.Work{Class: class, Samples: w.Samples, Task: u, Rest: true}
	u.m.queue.Put(u.whole)
}

// yields reports whether the decoding of a final or a guess should be given up. A final is never: it is as urgent as
// what it would give way to.
func (u *stream) yields(w *schedule.Work) bool {
	u.mu.Lock()
	gone, ended := u.gone || u.whole != w, u.ended
	u.mu.Unlock()
	switch {
	case gone:
		return true
	case w.Class == schedule.Replay:
		return u.m.queue.Outranked(schedule.Replay, time.Time{})
	case ended || w.Class == schedule.Final:
		return false
	}
	return u.m.queue.Outranked(w.Class, time.Time{})
}

// wantPartial queues the next partial if one is due and none waits. The caller holds the lock.
func (u *stream) wantPartial() {
	if !u.params.Partials || u.quiet || u.part != nil || u.whole != nil || len(u.samples) < u.next {
		return
	}
	class := schedule.Partial
	if len(u.shown) == 0 {
		class = schedule.FirstPartial
	}
	u.part = &schedule.Work{Class: class, Samples: len(u.samples) - u.heard, Task: u}
	u.m.queue.Put(u.part)
}

// dropPartial drops the partial that waits. One that is being decoded has no effect.
func (u *stream) dropPartial() {
	if u.part != nil {
		u.m.queue.Drop(u.part)
		u.part = nil
	}
}

// decodePartial decodes the samples that are there now.
func (u *stream) decodePartial(w *schedule.Work) {
	began := time.Now()
	what, ok := u.take(w, func() bool { return u.part == w })
	if !ok {
		return
	}
	what.Yield = func() bool { return u.skips(w) }
	r, after, err := u.m.config.Decoder.Partial(what, u.after)
	u.m.pace.took(time.Since(began))
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.gone || u.part != w {
		return
	}
	u.part = nil
	u.next = len(what.Samples) + u.m.pace.step()
	if err != nil {
		return // the final will meet the same fault, if it is one
	}
	u.heard, u.after = len(what.Samples), after
	u.offer(r)
	u.wantPartial()
}

// skips reports whether a partial should be given up.
func (u *stream) skips(w *schedule.Work) bool {
	u.mu.Lock()
	gone := u.gone || u.part != w
	u.mu.Unlock()
	return gone || u.m.queue.Outranked(w.Class, time.Time{})
}

// offer replaces the partial that was not received yet, unless it says the same. The caller holds the lock.
func (u *stream) offer(r asr.Result) {
	if !u.params.Partials || u.quiet {
		return
	}
	r.Words = open(r.Words)
	if len(r.Words) == 0 || slices.EqualFunc(r.Words, u.shown, func(a, b asr.Word) bool { return a.Text == b.Text }) {
		return
	}
	if u.partial != nil {
		u.m.queue.Shed(ShedReplaced, 1)
	}
	u.partial, u.shown = &r, r.Words
	u.news.Signal()
}

// open returns the words of an utterance that continues: without the punctuation at their end, which may be taken back.
func open(words []asr.Word) []asr.Word {
	words = slices.Clone(words)
	for n := len(words); n > 0; n = len(words) {
		last := &words[n-1]
		if last.Text = strings.TrimRight(last.Text, ".,;:!?…-–—。、？！"); last.Text != "" {
			break
		}
		words = words[:n-1]
	}
	return words
}
