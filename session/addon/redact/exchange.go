package redact

import (
	"strings"

	"steno/messages"
	"steno/session/addon/entities"
)

// exchanges makes rows of turns of several voices one after another through which a number may
// continue: one reads the first half of a card, the other the rest. There is one without the turns
// that repeat what another voice has just said, and one of all turns if that is another: both
// halves of a card may be the same.
func (k *conversation) exchanges() {
	turns := k.all.turns
	for from := 0; from < len(turns); {
		to := from + 1
		for to < len(turns) && turns[to-1].mayPassTo(turns[to]) {
			to++
		}
		all, answers := exchange(turns[from:to], false), exchange(turns[from:to], true)
		k.join(answers)
		if all != nil && (answers == nil || len(all.turns) > len(answers.turns)) {
			all.cards = true
			k.join(all)
		}
		from = to
	}
}

// join adds an exchange, if there is one, to the rows of its turns.
func (k *conversation) join(r *row) {
	if r == nil {
		return
	}
	k.voices = append(k.voices, r)
	for i, t := range r.turns {
		t.rows, t.at = append(t.rows, r), append(t.at, i)
	}
}

// mayPassTo reports whether a number may continue from a turn to the next, whoever speaks.
func (t *turn) mayPassTo(next *turn) bool {
	last, first := t.words[len(t.words)-1], next.words[0]
	return next.Start-t.End <= pauseLimit && entities.Continues(last, first, t.Language) &&
		(t.sameVoice(next) || isNumber(last, t.Language) && isNumber(first, next.Language))
}

// isNumber reports whether a word is digits, spoken or written.
func isNumber(w messages.Word, language string) bool {
	text := said([]messages.Word{w}, language)
	return text == "o" || text == "oh" || text != "" && strings.Trim(text, "0123456789") == ""
}

// exchange is the row of turns, without those that repeat the one before if so wanted; nil unless
// several voices are left in it.
func exchange(turns []*turn, unrepeated bool) *row {
	r, mixed := &row{}, false
	for _, t := range turns {
		if n := len(r.turns); n > 0 {
			last := r.turns[n-1]
			if unrepeated && !last.sameVoice(t) && strings.HasSuffix(last.digits(), t.digits()) {
				continue
			}
			mixed = mixed || !last.sameVoice(t)
			r.continuations = append(r.continuations, continues)
		}
		r.turns = append(r.turns, t)
	}
	if !mixed {
		return nil
	}
	return r
}

func (t *turn) sameVoice(o *turn) bool {
	if t.Channel != o.Channel {
		return false
	}
	return t.Speaker == nil || o.Speaker == nil || *t.Speaker == *o.Speaker
}

// digits is the digits and the single letters that are said in a turn.
func (t *turn) digits() string {
	text := ""
	for _, c := range entities.Chunks(t.words, t.Language) {
		if len(c.Text) == 1 || strings.Trim(c.Text, "0123456789") == "" {
			text += c.Text
		}
	}
	return text
}

const (
	// echoReach is within how many turns a piece of a number is read back.
	echoReach = 3
	// echoLeast is how many letters and digits of a piece that is read back must have.
	echoLeast = 2
)

// echoes adds to the hits of each turn what other voices read back of it in the turns directly
// after: the pieces of a number that is dictated in several turns.
func (k *conversation) echoes(hits map[*turn][]hit) {
	for i, t := range k.all.turns {
		for _, h := range hits[t] {
			if len(h.piece) < echoLeast || h.size == h.to-h.from || strings.Trim(h.piece, "0123456789") != "" {
				continue
			}
			for _, o := range k.all.turns[i+1 : min(len(k.all.turns), i+1+echoReach)] {
				if !t.sameVoice(o) && o.Start-t.End <= pauseLimit {
					hits[o] = append(hits[o], o.echo(h)...)
				}
			}
		}
	}
}

// echo finds a piece of a number in a turn.
func (t *turn) echo(h hit) []hit {
	var list []hit
	chunks := entities.Chunks(t.words, t.Language)
	for i := range chunks {
		text := ""
		for k := i; k < len(chunks) && len(text) < len(h.piece); k++ {
			if text += chunks[k].Text; text == h.piece {
				list = append(list, hit{from: chunks[i].From, to: chunks[k].To, kind: h.kind, marker: h.marker,
					size: k + 1 - i})
			}
		}
	}
	return list
}
