package claims

import (
	"slices"
	"strconv"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

// maxSentListed is how many boundaries the server's list may have before it is rewritten.
const maxSentListed = store.MaxSent + store.MaxSent/4

// commitOf returns what makes a batch durable: first are the arguments of session_commit that come
// before the number of the last event.
func (a *acceptedState) commitOf(b batch, account string, follow bool, first ...string) *sessionCommit {
	sent, flags := b.positions(changeSent), ""
	if a.sentListed += len(sent); b.anew || a.sentChanges != a.sentWritten || a.sentListed > maxSentListed {
		sent, flags, a.sentListed = a.marks.Sent, "s", len(a.marks.Sent)
	}
	if b.anew {
		flags += "r"
	}
	if follow {
		flags += "f"
	}
	changes := b.weight()
	if b.anew || changes > 0 {
		flags += "c"
	}
	args := append(make([]string, 0, len(first)+5+len(sent)), first...)
	// the bytes of a journal never change
	args = append(args, server.Decimal(a.durableSeq()), server.Decimal(b.offset), valkey.BinaryString(b.audio), flags)
	args = appendPositions(args, sent)
	if b.anew || changes > 0 {
		args = a.appendChanges(args, b, account)
	}
	c := &sessionCommit{args: args, changes: changes}
	for _, arg := range args {
		c.bytes += len(arg)
	}
	return c
}

// weight is how many changes of a batch are no boundaries.
func (b *batch) weight() int {
	n := 0
	for i := range b.changes {
		if kind := b.changes[i].kind; kind != changeSent && kind != changeSync {
			n++
		}
	}
	return n
}

// appendChanges appends what a batch has besides audio and boundaries.
func (a *acceptedState) appendChanges(args []string, b batch, account string) []string {
	args = append(args, account)
	args = appendList(args, func(args []string) []string { return appendEvents(args, b.changes) }, 5)
	args = appendList(args, func(args []string) []string { return a.appendCheckpoints(args, b) }, 2)
	silences := b.positions(changeSilence)
	if b.anew {
		silences = a.silences
	}
	args = append(args, server.Decimal(a.marks.Boundary), server.Decimal(a.marks.Seq))
	args = appendPositions(args, silences)
	args = a.appendNotes(args, b)
	later := slices.ContainsFunc(a.queue[len(b.changes):], func(c change) bool { return c.kind == changeStopped })
	return append(args, server.Flag(a.stopped && !later))
}

// appendNotes appends the notes of a batch, with their numbers; all of them where they are written
// as a whole.
func (a *acceptedState) appendNotes(args []string, b batch) []string {
	numbers := b.positions(changeNote)
	if b.anew {
		numbers = numbers[:0]
		for i := range a.notes {
			numbers = append(numbers, int64(i+1))
		}
	}
	args = append(args, strconv.Itoa(len(numbers)))
	for _, number := range numbers {
		n := a.notes[number-1]
		args = append(args, server.Decimal(number), server.Decimal(n.At)+" "+string(n.Body))
	}
	return args
}

// appendList appends the number of entries that f appends, and these. An entry has size arguments.
func appendList(args []string, f func([]string) []string, size int) []string {
	at := len(args)
	args = f(append(args, ""))
	args[at] = strconv.Itoa((len(args) - at - 1) / size)
	return args
}

func appendEvents(args []string, changes []change) []string {
	for i := range changes {
		if c := &changes[i]; c.kind == changeEvent {
			e := &c.event
			args = append(args, server.Decimal(e.Seq), strconv.Itoa(int(e.Kind)), e.Key.String(), string(e.Body),
				server.Flag(store.AccountKinds.Has(e.Kind)))
		}
	}
	return args
}

// appendCheckpoints appends the last checkpoint of each lane in a batch; all of them where they are
// rewritten.
func (a *acceptedState) appendCheckpoints(args []string, b batch) []string {
	last := map[int][]byte{}
	if b.anew {
		for lane, checkpoint := range a.saved {
			last[lane] = checkpoint
		}
	}
	for i := range b.changes {
		if c := &b.changes[i]; c.checkpoint != nil {
			last[c.lane] = c.checkpoint
		}
	}
	for lane, checkpoint := range last {
		args = append(args, strconv.Itoa(lane), string(checkpoint))
	}
	return args
}

// positions returns those of the changes of a kind, ascending in the order of the queue.
func (b *batch) positions(kind changeKind) (list []int64) {
	for i := range b.changes {
		if c := &b.changes[i]; c.kind == kind {
			list = append(list, c.n)
		}
	}
	return list
}

func appendPositions(args []string, list []int64) []string {
	args = append(args, strconv.Itoa(len(list)))
	for _, n := range list {
		args = append(args, server.Decimal(n))
	}
	return args
}
