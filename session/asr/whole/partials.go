package whole

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// wantPartial queues the next partial if one is due, none waits, and the pieces before it are
// decoded. The caller holds the lock.
func (u *stream) wantPartial() {
	if !u.params.Partials || u.quiet || u.gone || u.part != nil || u.work != nil || u.last.done || len(u.samples) <
		u.next {
		return
	}
	if u.tooLong() || u.rest() < u.m.config.Every && len(u.pieces) > 0 {
		return
	}
	class := schedule.Partial
	if len(u.shown) == 0 {
		class = schedule.FirstPartial
	}
	u.part = &schedule.Work{Class: class, Samples: len(u.samples) - u.heard, Task: task{u: u},
		Party: u.params.Party}
	u.m.queue.Put(u.part)
}

// late is called for partials that have waited too long.
func (m *Model) late(w *schedule.Work) {
	u := w.Task.(task).u
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.part == w {
		u.part = nil
		u.next = u.afterwards(len(u.samples))
	}
}

// wordless is how much of an utterance may be heard without a word for which partials are made as
// often as they may be: 2 s. The first words should come soon, and what has none for longer is
// hardly speech.
const wordless = 2 * asr.Rate

// afterwards returns at how many samples the next partial is due after one of n samples.
func (u *stream) afterwards(n int) int {
	if len(u.shown) == 0 && n < wordless {
		return n + u.m.config.Every
	}
	return n + u.m.pace.step(u.params.Party)
}

// dropPartial drops the partial that waits. One that is being decoded has no effect, but the next
// waits for it to end.
func (u *stream) dropPartial() {
	u.void = u.part != nil
	if u.void && u.m.queue.Drop(u.part) {
		u.part, u.void = nil, false
	}
}

// decodePartial decodes the samples that are there now.
func (u *stream) decodePartial(w *schedule.Work) {
	p, before, ok := u.takePartial(w)
	if !ok {
		return
	}
	began := time.Now()
	outcome, after, err := u.m.config.Decoder.Partial(p, before)
	if err == nil { // an abandoned decode is no measure of the cost
		u.m.pace.took(time.Since(began))
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.gone || u.part != w {
		return
	}
	u.part = nil
	void := u.void
	u.void = false
	if err == nil && !void { // else the final will meet the same fault, if it is one
		u.heard, u.after = len(p.Samples), after
		u.offer(u.result(outcome, true))
	}
	u.next = u.afterwards(len(p.Samples))
	u.wantPartial()
}

func (u *stream) takePartial(w *schedule.Work) (p Piece, before any, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.gone || u.part != w {
		return Piece{}, nil, false
	}
	if u.void {
		u.part, u.void = nil, false
		return Piece{}, nil, false
	}
	n := len(u.samples)
	return Piece{
		Samples: u.samples[:n:n], From: u.from(), To: n, Before: u.outcomes(len(u.pieces)), Params: u.params,
		Spare: u.m.pace.spare(), Yield: func() bool { return u.skips(w) },
	}, u.after, true
}

// skips reports whether a partial should be abandoned.
func (u *stream) skips(w *schedule.Work) bool {
	u.mu.Lock()
	gone := u.gone || u.void
	u.mu.Unlock()
	return gone || u.m.queue.Outranked(w.Class, time.Time{}, w.Party)
}

// offer replaces the partial that was not received yet, unless the texts are the same. The caller
// holds the lock.
func (u *stream) offer(r asr.Result) {
	if !u.params.Partials || u.quiet {
		return
	}
	r.Words = opened(r.Words)
	if len(r.Words) == 0 || slices.EqualFunc(r.Words, u.shown, func(a, b asr.Word) bool { return a.Text == b.Text }) {
		return
	}
	u.replacePartial()
	u.partial, u.shown = &r, r.Words
	u.news.Signal()
}

// replacePartial drops the partial that was not received yet. The caller holds the lock.
func (u *stream) replacePartial() {
	if u.partial != nil {
		u.m.queue.Shed(ShedReplaced, 1)
		u.partial = nil
	}
}

// opened returns the words of an utterance that continues: without the punctuation at their end,
// which may be taken back.
func opened(words []asr.Word) []asr.Word {
	words = slices.Clone(words)
	for n := len(words); n > 0; n = len(words) {
		last := &words[n-1]
		if last.Text = strings.TrimRightFunc(last.Text, ends); last.Text != "" {
			break
		}
		words = words[:n-1]
	}
	return words
}

// ends reports whether a character at the end of a word is punctuation that the next partial may
// take back.
func ends(r rune) bool { return unicode.IsPunct(r) && !strings.ContainsRune("%‰&@#*", r) }
