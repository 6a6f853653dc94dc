package redact

import (
	"slices"
	"strings"
	"unicode"

	"steno/messages"
	"steno/session/addon/entities"
)

const (
	// reach is how many words before and after an utterance are searched, for a value that is
	// dictated in pieces and the words that announce it.
	reach = 40
	// pauseLimit is the silence of a channel, in seconds, after which no value continues.
	pauseLimit = 20
)

// turn is an utterance and its place in a conversation.
type turn struct {
	messages.Utterance
	words []messages.Word // the utterance's words, or else those of its text
	rows  []*row          // the row of its channel, that of its speaker, an exchange; none if it has no words
	at    []int           // its index in each of them
	after int             // number of turns of all voices before it
}

// row is consecutive turns; continuations[i] is between turns i and i+1.
type row struct {
	turns         []*turn
	continuations []continuation
	cards         bool // only numbers of cards count, which have a checksum
}

// continuation is whether a value may continue from one turn to the next.
type continuation int

const (
	mayContinue continuation = iota // a number or the like may continue
	continues                       // a number or the like probably continues
	separate                        // no value continues
)

// voice is a channel, or a speaker of it.
type voice struct{ channel, speaker int }

// conversation holds the turns of a job, in order: those of all voices, and those of each voice. A
// turn of nothing but "okay" or the like does not interrupt another voice, and is not in the rows.
type conversation struct {
	turns  []*turn
	all    row
	voices []*row // those of channels, of speakers, and exchanges
}

func newConversation(us []messages.Utterance) *conversation {
	k, rows := &conversation{}, map[voice]*row{}
	join := func(t *turn, v voice) {
		r := rows[v]
		if r == nil {
			r = &row{}
			rows[v], k.voices = r, append(k.voices, r)
		}
		t.rows, t.at = append(t.rows, r), append(t.at, len(r.turns))
		r.add(t)
		if n := len(r.turns); n > 1 && k.asksBetween(r.turns[n-2], t) {
			r.continuations[n-2] = separate
		}
	}
	for _, u := range us {
		t := &turn{Utterance: u, words: u.Words, after: len(k.all.turns)}
		if len(u.Words) == 0 {
			t.words = split(u.Text)
		}
		k.turns = append(k.turns, t)
		if isBackchannel(t.words) {
			continue
		}
		k.all.add(t)
		join(t, voice{u.Channel, -1})
		if u.Speaker != nil {
			join(t, voice{u.Channel, max(0, *u.Speaker)})
		}
	}
	k.exchanges()
	return k
}

// asksBetween reports whether a turn between two others asks for a number, so that what follows is
// another one.
func (k *conversation) asksBetween(last, next *turn) bool {
	for _, t := range k.all.turns[last.after+1 : next.after] {
		if entities.Announces(t.words, t.Language) {
			return true
		}
	}
	return false
}

func (r *row) add(t *turn) {
	if n := len(r.turns); n > 0 {
		r.continuations = append(r.continuations, r.turns[n-1].continuation(t))
	}
	r.turns = append(r.turns, t)
}

// continuation returns the continuation between a turn and a later one. A number does not continue
// on another channel.
func (t *turn) continuation(next *turn) continuation {
	switch {
	case next.Start-t.End > pauseLimit:
		return separate
	case !entities.Continues(t.words[len(t.words)-1], next.words[0], t.Language):
		return mayContinue
	case t.Channel != next.Channel:
		return separate
	}
	return continues
}

// listening are words that only show that the speaker listens.
const listening = "|mhm|mm|mmm|mmhmm|mm-hmm|mhmm|hm|hmm|uh|huh|uh-huh|uhhuh|uh " +
	"huh|um|er|ah|okay|ok|yes|yeah|yep|yup|sure|right|alright|all right|" +
	"good|great|perfect|fine|thanks|thank you|got it|i see|go on|go ahead|"

// isBackchannel reports whether words only show that the speaker listens, or there are none.
func isBackchannel(words []messages.Word) bool {
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

// view holds the words of a turn and some before and after it.
type view struct {
	words  []messages.Word
	begins []int        // of turns, in words; the first begins with the view
	at     int          // of the turn that is searched, in words
	short  bool         // the words after that turn are left out
	lead   continuation // the continuation after the last turn
	cards  bool         // only numbers of cards count
}

// add appends the turns [from,to) of a row.
func (v *view) add(r *row, from, to int) {
	for i := from; i < to; i++ {
		if n := len(v.words); n > 0 {
			last := &v.words[n-1]
			switch v.lead {
			case continues:
				last.Word = strings.TrimRight(last.Word, ".,;:!?…")
			case separate:
				last.Word += "."
			}
			v.begins = append(v.begins, n)
		}
		v.words = append(v.words, r.turns[i].words...)
		v.lead = r.before(i + 1)
	}
}

// before returns the continuation before turn i of the row. After the last turn it is unknown:
// mayContinue.
func (r *row) before(i int) continuation {
	if i == 0 || i > len(r.continuations) {
		return mayContinue
	}
	return r.continuations[i-1]
}

// views returns the turn in several contexts: with the turns of its channel before and after it;
// with the turns of all voices, such as a question, that precede the place where a value in it may
// begin; both for its speaker in the place of the channel, if several speak there; and without the
// words after it, because these may hide a value within it.
func (k *conversation) views(t *turn) []view {
	var list []view
	for n, r := range t.rows {
		at := t.at[n]
		from, to := r.back(at), r.ahead(at+1)
		if n > 0 && slices.Equal(r.turns, t.rows[0].turns) {
			continue // no other voice speaks there
		}
		list = append(list, r.view(view{}, from, at, to))
		first := at
		for words := 0; first > 0 && r.continuations[first-1] == continues &&
			words < reach; words += len(r.turns[first].words) {
			first--
		}
		for _, begin := range slices.Compact([]int{first, at}) {
			if v, asked := k.question(r, begin); asked {
				list = append(list, r.view(v, begin, at, to))
			}
		}
		if n == 0 && to > at+1 {
			list = append(list, r.view(view{}, from, at, at+1))
		}
	}
	return list
}

// question returns a view of the turns of all voices before turn i of a row; false if no other
// voice is among them.
func (k *conversation) question(r *row, i int) (v view, asked bool) {
	before := r.turns[i].after
	from := k.all.back(before)
	if !slices.ContainsFunc(k.all.turns[from:before], func(o *turn) bool { return !slices.Contains(o.rows, r) }) {
		return v, false
	}
	v.add(&k.all, from, before)
	v.lead = k.all.before(before)
	return v, true
}

// view returns the view of the turns [from,to) of the row in which turn at is searched.
func (r *row) view(v view, from, at, to int) view {
	v.add(r, from, at+1)
	n := len(r.turns[at].words)
	v.at, v.short = len(v.words)-n, to == at+1 && to < len(r.turns)
	v.add(r, at+1, to)
	v.cards = r.cards
	return v.within(max(0, v.at-2*reach), min(len(v.words), v.at+n+reach))
}

// within returns the words [from,to) of a view.
func (v view) within(from, to int) view {
	w := view{words: v.words[from:to], at: v.at - from, short: v.short, cards: v.cards}
	for _, b := range v.begins {
		if b > from && b < to {
			w.begins = append(w.begins, b-from)
		}
	}
	return w
}

// back returns the index from which on the turns before a place have as many words as are searched.
func (r *row) back(at int) int {
	for n := 0; at > 0 && n < reach; n += len(r.turns[at].words) {
		at--
	}
	return at
}

// ahead returns the index up to which the turns from a place on have as many words as are searched.
func (r *row) ahead(at int) int {
	for n := 0; at < len(r.turns) && n < reach; at++ {
		n += len(r.turns[at].words)
	}
	return at
}

// split divides a text into words with the white space before them; joined they are the text.
func split(s string) []messages.Word {
	var list []messages.Word
	from, inside := 0, false
	for i, c := range s {
		space := unicode.IsSpace(c)
		if space && inside {
			list = append(list, messages.Word{Word: s[from:i]})
			from = i
		}
		inside = !space
	}
	switch {
	case inside || len(list) == 0 && s != "":
		list = append(list, messages.Word{Word: s[from:]})
	case from < len(s):
		list[len(list)-1].Word += s[from:]
	}
	return list
}
