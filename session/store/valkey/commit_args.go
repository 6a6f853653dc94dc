package valkey

import (
	"slices"
	"strconv"

	"steno/messages"
	"steno/session/store"
)

// appendArgs appends the arguments of session_commit that say what is to be made durable.
func (a *accepted) appendArgs(args []string, b batch) []string {
	args = append(args, decimal(b.offset), string(b.audio), decimal(a.durableSeq()))
	args = appendList(args, func(args []string) []string { return appendEvents(args, b.changes) }, 5)
	args = appendList(args, func(args []string) []string { return a.appendCheckpoints(args, b) }, 2)
	sent, silences := b.positions(changeSent), b.positions(changeSilence)
	if args = append(args, flag(b.anew)); b.anew {
		sent, silences = a.marks.Sent, a.silences
	}
	args = appendPositions(args, sent)
	args = append(args, decimal(a.marks.Boundary), decimal(a.marks.Seq))
	args = appendPositions(args, silences)
	later := slices.ContainsFunc(a.queue[len(b.changes):], func(c change) bool { return c.kind == changeStopped })
	return append(args, flag(a.stopped && !later))
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
			args = append(args, decimal(e.Seq), strconv.Itoa(int(e.Kind)), e.Key.String(), string(e.Body),
				flag(store.AccountKinds.Has(e.Kind)))
		}
	}
	return args
}

// appendCheckpoints appends the last checkpoint of each lane in a batch; all of them where they are written anew.
func (a *accepted) appendCheckpoints(args []string, b batch) []string {
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
		args = append(args, decimal(n))
	}
	return args
}

func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

func parseInteger(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	return strconv.ParseInt(text, 10, 64)
}

// eventOf reads an event of the log.
func eventOf(seq int64, kind, key, body string) (messages.Event, error) {
	k, err := strconv.Atoi(kind)
	if err != nil {
		return messages.Event{}, err
	}
	return messages.Event{Seq: seq, Key: messages.ParseKey(messages.Kind(k), key), Body: []byte(body)}, nil
}
