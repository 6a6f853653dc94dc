package redact

import (
	"slices"
	"strings"

	"steno/messages"
	"steno/session/addon/entities"
)

const (
	// reach is how many words before and behind an utterance are looked at: a value dictated in pieces and what told of it.
	reach = 40
	// pauseLimit is the silence of a channel, in seconds, after which nothing goes on.
	pauseLimit = 20
)

// turn is an utterance in its place in a talk.
type turn struct {
	messages.Utterance
	words []messages.Word // of the utterance, or of its text where it has none
	// next and heard are what lies between this and the next turn of its channel, and of all.
	next, heard seam
	// own and all are how many turns come before this in talk.own of its channel and in talk.all.
	own, all int
}

// seam is what lies between two turns.
type seam int

const (
	loose  seam = iota // maybe something goes on
	sewn               // a number or the like may go on
	parted             // nothing goes on
)

// talk is what was said in a job, in order.
type talk struct {
	turns []*turn
	// all are the turns that say something, own those of each channel: who only says "okay" interrupts nobody.
	all []*turn
	own map[int][]*turn
}

func newTalk(us []messages.Utterance) *talk {
	k := &talk{own: map[int][]*turn{}}
	for _, u := range us {
		t := &turn{Utterance: u, words: u.Words, own: len(k.own[u.Channel]), all: len(k.all)}
		if len(u.Words) == 0 {
			t.words = split(u.Text)
		}
		k.turns = append(k.turns, t)
		if listens(t.words) {
			continue
		}
		if t.own > 0 {
			last := k.own[u.Channel][t.own-1]
			last.next = last.seam(t)
		}
		if t.all > 0 {
			last := k.all[t.all-1]
			last.heard = last.seam(t)
		}
		k.own[u.Channel], k.all = append(k.own[u.Channel], t), append(k.all, t)
	}
	return k
}

// seam is what lies between a turn and one behind it. What one says is not the rest of the other's number.
func (t *turn) seam(next *turn) seam {
	switch {
	case next.Start-t.End > pauseLimit:
		return parted
	case !entities.Continues(t.words[len(t.words)-1], next.words[0], t.Language):
		return loose
	case t.Channel != next.Channel:
		return parted
	}
	return sewn
}

// listening is what is said to show that one listens.
const listening = "|mhm|mm|mmm|mmhmm|mm-hmm|mhmm|hm|hmm|uh|huh|uh-huh|uhhuh|uh huh|um|er|ah|okay|ok|yes|yeah|yep|yup|sure|right|alright|all right|" +
	"good|great|perfect|fine|thanks|thank you|got it|i see|go on|go ahead|"

// listens says whether words only show that one listens, or are none.
func listens(words []messages.Word) bool {
	var low []string
	for _, w := range words {
		for _, f := range strings.Fields(w.Word) {
			low = append(low, strings.ToLower(strings.TrimLeft(strings.TrimRight(f, closing), opening)))
		}
	}
	for len(low) > 0 {
		n := min(2, len(low))
		if n == 2 && !strings.Contains(listening, "|"+low[0]+" "+low[1]+"|") {
			n = 1
		}
		if n == 1 && (low[0] != "" && !strings.Contains(listening, "|"+low[0]+"|")) {
			return false
		}
		low = low[n:]
	}
	return true
}

// view is a turn's words with some before and behind.
type view struct {
	words  []messages.Word
	begins []int // of turns, in words; the first begins with the view
	at     int   // of the turn looked at, in words
	ahead  bool  // what its channel says next is in it
}

// add goes on with a turn, after what lies between.
func (v *view) add(t *turn, between seam) {
	if n := len(v.words); n > 0 {
		last := &v.words[n-1]
		switch between {
		case sewn:
			last.Word = strings.TrimRight(last.Word, ".,;:!?…")
		case parted:
			last.Word += "."
		}
		v.begins = append(v.begins, n)
	}
	v.words = append(v.words, t.words...)
}

// views are the turn with what its channel says before and behind; with what anybody says before what begins in it, or in
// turns before it; and with nothing behind it, since that may hide what is in it.
func (k *talk) views(t *turn) []view {
	own := k.own[t.Channel]
	before, after := tail(own[:t.own]), head(own[t.own+1:])
	list := []view{assemble(nil, before, t, after)}
	first := t.own
	for n := 0; first > 0 && own[first-1].next == sewn && n < reach; n += len(own[first].words) {
		first--
	}
	asked := tail(k.all[:own[first].all])
	if slices.ContainsFunc(asked, func(o *turn) bool { return o.Channel != t.Channel }) {
		list = append(list, assemble(asked, own[first:t.own], t, after))
	}
	if len(after) > 0 {
		list = append(list, assemble(nil, before, t, nil))
	}
	return list
}

// assemble puts together what anybody said before, what the channel said before, the turn, and what the channel says then.
func assemble(asked, before []*turn, t *turn, after []*turn) view {
	var v view
	between := loose
	for _, o := range asked {
		v.add(o, between)
		between = o.heard
	}
	for _, o := range before {
		v.add(o, between)
		between = o.next
	}
	v.add(t, between)
	v.at, v.ahead = len(v.words)-len(t.words), len(after) > 0
	between = t.next
	for _, o := range after {
		v.add(o, between)
		between = o.next
	}
	return v.within(max(0, v.at-2*reach), min(len(v.words), v.at+len(t.words)+reach))
}

// within are the words [from,to) of a view.
func (v view) within(from, to int) view {
	w := view{words: v.words[from:to], at: v.at - from, ahead: v.ahead}
	for _, b := range v.begins {
		if b > from && b < to {
			w.begins = append(w.begins, b-from)
		}
	}
	return w
}

// tail are the last turns that have as many words as are looked at.
func tail(list []*turn) []*turn {
	n, from := 0, len(list)
	for from > 0 && n < reach {
		from--
		n += len(list[from].words)
	}
	return list[from:]
}

// head are the first turns that have as many words as are looked at.
func head(list []*turn) []*turn {
	n, to := 0, 0
	for to < len(list) && n < reach {
		n += len(list[to].words)
		to++
	}
	return list[:to]
}
