package claims

import (
	"slices"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/store"
	"steno/session/store/valkey/tier"
)

const (
	// maxBatchAudio and maxBatchChanges bound what one call makes durable: bytes of audio, and of
	// the bodies of events; changes.
	maxBatchAudio   = 1 << 20
	maxBatchChanges = 256
	// keptFor is how long events that are durable are kept to be written again to a server that has
	// forgotten them; maxKept and maxKeptBytes bound how many, and their bodies.
	keptFor      = time.Minute
	maxKept      = 4096
	maxKeptBytes = 4 << 20
)

// acceptedState is what a handle has in memory: all that the server does not have, and what it may
// come to lack because it was replaced by a replica that lagged. It is not safe for concurrent use.
type acceptedState struct {
	journal     tier.Tail
	durable     int64    // bytes of the journal that the server has, in segments or its tail
	pieces      []int64  // ends of the pieces of the server's tail; it may have more of them, where an answer was lost
	queue       []change // what the server does not have, in the order in which it was accepted
	kept        []keptEvent
	seq         int64 // number of the last event
	seqs        map[messages.Key]int64
	checkpoints map[int][]byte // of each lane the last one
	saved       map[int][]byte // of each lane the last one that is durable
	marks       store.Marks
	silences    []int64 // ascending
	notes       []session.Note
	stopped     bool
	segments    []tier.Segment // the manifest as far as it is committed
	pages       []tier.Segment // of events, likewise: ranges of numbers, without the first one
	logged      int64          // bytes of the events on the server that are in no page, about
	archived    bool           // the first events are in the archive
	anew        bool           // marks and checkpoints are to be written as a whole

	// The server's list of boundaries sent grows by each commit, and is written as a whole where it
	// is to shrink. It may have boundaries that are forgotten here, and some of them twice: see
	// loadSent.
	sentListed  int // how many entries it has at most
	sentChanges int // counts changes here that are none of its end
	sentWritten int // of them, those that it has
}

// keptEvent is a durable event.
type keptEvent struct {
	messages.Event
	since time.Time
}

// change is something accepted that is not audio.
type change struct {
	kind       changeKind
	at         int64          // size of the journal when it was accepted
	n          int64          // of an event its number, else a position of the journal
	event      messages.Event // of changeEvent
	lane       int            // of a checkpoint
	checkpoint []byte
}

type changeKind uint8

const (
	changeEvent      changeKind = iota // an event, with a checkpoint where lane >= 0
	changeCheckpoint                   // a checkpoint alone
	changeSent                         // a boundary about to be acknowledged
	changeSync                         // one that is in the marks already
	changeConfirmed
	changeSilence
	changeNote // n is its number, from 1
	changeStopped
)

func (a *acceptedState) add(c change) {
	c.at = a.journal.End()
	a.queue = append(a.queue, c)
}

// addEvent numbers an event, unless one of its key is known.
func (a *acceptedState) addEvent(e messages.Event, lane int, checkpoint []byte) (seq int64, fresh bool) {
	seq, known := a.seqs[e.Key]
	if lane < 0 {
		checkpoint = nil
	} else {
		checkpoint = append([]byte{}, checkpoint...)
		a.checkpoints[lane] = checkpoint
	}
	switch {
	case !known:
		a.seq++
		seq = a.seq
		a.seqs[e.Key] = seq
		e.Seq, e.Message, e.Body = seq, nil, append([]byte{}, e.Body...)
		a.add(change{kind: changeEvent, n: seq, event: e, lane: lane, checkpoint: checkpoint})
	case lane >= 0:
		a.add(change{kind: changeCheckpoint, lane: lane, checkpoint: checkpoint})
	}
	return seq, !known
}

// addBoundary remembers a boundary that is about to be acknowledged.
func (a *acceptedState) addBoundary(b int64) {
	kind := changeSync
	if at, known := slices.BinarySearch(a.marks.Sent, b); b > a.marks.Boundary && !known {
		kind = changeSent
		a.marks.Sent = thinSent(slices.Insert(a.marks.Sent, at, b))
	}
	a.add(change{kind: kind, n: b})
}

// addConfirmed remembers what a client has confirmed, and tells whether that is new.
func (a *acceptedState) addConfirmed(boundary, seq int64) bool {
	m := &a.marks
	if boundary <= m.Boundary && seq <= m.Seq {
		return false
	}
	m.Boundary, m.Seq = max(m.Boundary, boundary), max(m.Seq, seq)
	above, known := slices.BinarySearch(m.Sent, m.Boundary)
	if known {
		above++
	}
	m.Sent = slices.Delete(m.Sent, 0, above)
	a.sentChanges++
	a.add(change{kind: changeConfirmed})
	return true
}

// thinSent forgets boundaries in the middle of more than are remembered.
func thinSent(sent []int64) []int64 {
	if more := len(sent) - store.MaxSent; more > 0 {
		sent = slices.Delete(sent, store.MaxSent/2, store.MaxSent/2+more)
	}
	return sent
}

// loadSent takes the server's list of boundaries.
func (a *acceptedState) loadSent(listed []int64) {
	a.sentListed = len(listed)
	slices.Sort(listed)
	listed = slices.Compact(listed)
	above, known := slices.BinarySearch(listed, a.marks.Boundary)
	if known {
		above++
	}
	a.marks.Sent = thinSent(listed[above:])
}

// addSilence remembers a place of silence, and tells whether it is new.
func (a *acceptedState) addSilence(at int64) bool {
	i, known := slices.BinarySearch(a.silences, at)
	if known {
		return false
	}
	a.silences = slices.Insert(a.silences, i, at)
	a.add(change{kind: changeSilence, n: at})
	return true
}

// addNote remembers a note.
func (a *acceptedState) addNote(n session.Note) {
	a.notes = append(a.notes, session.Note{At: n.At, Body: slices.Clone(n.Body)})
	a.add(change{kind: changeNote, n: int64(len(a.notes))})
}

// pending tells whether the server lacks anything.
func (a *acceptedState) pending() bool {
	return a.anew || len(a.queue) > 0 || a.durable < a.journal.End()
}

// batch is what one call makes durable.
type batch struct {
	offset, size int64 // of the journal
	audio        []byte
	changes      []change // the first ones of the queue
	anew         bool
	seq          int64 // of the last event in it; 0: none
	boundary     int64 // the highest of Sync in it
	sentChanges  int   // of accepted, when it was made
}

// next returns what is to be made durable next, in the order of the queue: audio that was accepted
// before a change comes with it or before it.
func (a *acceptedState) next() batch {
	b := batch{offset: a.durable, size: min(a.journal.End(), a.durable+maxBatchAudio), anew: a.anew,
		sentChanges: a.sentChanges}
	b.audio = a.journal.Slice(b.offset, b.size)
	n, bytes := 0, 0
	for n < len(a.queue) && n < maxBatchChanges && bytes < maxBatchAudio && a.queue[n].at <= b.size {
		c := &a.queue[n]
		bytes += len(c.event.Body)
		switch c.kind {
		case changeEvent:
			b.seq = c.n
		case changeSent, changeSync:
			b.boundary = max(b.boundary, c.n)
		}
		n++
	}
	b.changes = a.queue[:n:n]
	return b
}

// settle notes that a batch is durable.
func (a *acceptedState) settle(b batch, now time.Time) {
	a.durable = max(a.durable, b.size)
	if len(b.audio) > 0 {
		a.pieces = append(a.pieces, b.size)
	}
	for i := range b.changes {
		c := &b.changes[i]
		if c.kind == changeEvent {
			a.keep(c.event, now)
		}
		if c.checkpoint != nil {
			a.saved[c.lane] = c.checkpoint
		}
	}
	a.queue = append([]change(nil), a.queue[len(b.changes):]...)
	a.anew = a.anew && !b.anew
	a.sentWritten = max(a.sentWritten, b.sentChanges)
	a.forget(now)
}

// keep keeps an event that is durable.
func (a *acceptedState) keep(e messages.Event, now time.Time) {
	a.kept = append(a.kept, keptEvent{e, now})
	if e.Seq > a.paged() {
		a.logged += loggedBytes(&e)
	}
}

// paged is the number of the last event that is in a page.
func (a *acceptedState) paged() int64 {
	if len(a.pages) == 0 {
		return 0
	}
	return a.pages[len(a.pages)-1].End
}

// forget drops the events that were kept long enough, or are beyond the bounds.
func (a *acceptedState) forget(now time.Time) {
	bytes := 0
	for i := range a.kept {
		bytes += len(a.kept[i].Body)
	}
	old := 0
	for old < len(a.kept) &&
		(len(a.kept)-old > maxKept || bytes > maxKeptBytes || now.Sub(a.kept[old].since) > keptFor) {
		bytes -= len(a.kept[old].Body)
		old++
	}
	a.kept = slices.Delete(a.kept, 0, old)
}

// base is the number of the last durable event that is not kept.
func (a *acceptedState) base() int64 {
	if len(a.kept) > 0 {
		return a.kept[0].Seq - 1
	}
	return a.durableSeq()
}

// durableSeq is the number of the last durable event.
func (a *acceptedState) durableSeq() int64 {
	for i := range a.queue {
		if a.queue[i].kind == changeEvent {
			return a.queue[i].n - 1
		}
	}
	return a.seq
}

// piecesWithin is how many pieces of the server's tail end at a position or before it.
func (a *acceptedState) piecesWithin(end int64) int {
	n, _ := slices.BinarySearch(a.pieces, end+1)
	return n
}

// dropSegment forgets the bytes of a segment that is in the manifest.
func (a *acceptedState) dropSegment(s tier.Segment) {
	a.segments = append(a.segments[:len(a.segments):len(a.segments)], s)
	a.pieces = slices.Delete(a.pieces, 0, a.piecesWithin(s.End))
	a.journal.Drop(s.End)
}

// rollBack notes that the server has the journal up to a size and the events up to a number alone.
func (a *acceptedState) rollBack(size, seq int64) {
	a.durable = min(max(size, a.journal.Start), a.journal.End())
	a.pieces = a.pieces[:a.piecesWithin(a.durable)]
	if a.durable == a.journal.Start {
		a.pieces = nil
	}
	first, _ := slices.BinarySearchFunc(a.kept, seq+1, func(e keptEvent, n int64) int { return int(e.Seq - n) })
	again := make([]change, 0, len(a.kept)-first+len(a.queue))
	for _, e := range a.kept[first:] {
		if e.Seq > a.paged() {
			a.logged -= loggedBytes(&e.Event)
		}
		again = append(again, change{kind: changeEvent, n: e.Seq, event: e.Event, lane: -1})
	}
	a.kept = a.kept[:first]
	a.queue = append(again, a.queue...)
	a.anew = true
}

// eventsAfter returns events from memory up to last, the last one that was reported durable, and
// whether all that follow the number after are there. A server that has lost some of them may not
// have them again yet.
func (a *acceptedState) eventsAfter(after, last int64, limit int) ([]messages.Event, bool) {
	if after < a.base() {
		return nil, false
	}
	var events []messages.Event
	add := func(e *messages.Event) {
		if e.Seq > after && e.Seq <= last && len(events) < limit {
			events = append(events, *e)
		}
	}
	for i := range a.kept {
		add(&a.kept[i].Event)
	}
	for i := range a.queue {
		if c := &a.queue[i]; c.kind == changeEvent {
			add(&c.event)
		}
	}
	return events, true
}

// eventBytes is what an event takes in a stream beside its body.
const eventBytes = 80

// loggedBytes is about what an event takes on the server.
func loggedBytes(e *messages.Event) int64 { return int64(len(e.Body)) + eventBytes }
