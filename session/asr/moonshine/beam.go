package moonshine

import (
	"cmp"
	"math"
	"slices"

	"steno/session/asr/moonshine/network"
	"steno/session/asr/whole"
)

const (
	// beamWidth is how many texts a beam follows. A pass for four takes hardly longer than for one;
	// six find no more.
	beamWidth = 4
	// lengthPower is the power of a text's length by which the logarithm of its probability is
	// divided: with 0 short texts win, with 1 longer ones by their likely tokens. Between 0.4 and
	// 0.8 it makes no difference.
	lengthPower = 0.8
)

// branches is a decoder of several texts in one pass, see [network.Decoder].
type branches interface {
	passes
	Branch(from, ids []int) (logits []float32, err error)
}

// beam looks for the most probable text of encoded audio among those that begin like one of the
// most probable few. Of LibriSpeech test-other, whole, 12.5 % of the words are wrong with the
// likeliest token each time, 10.9 % with a beam.
type beam struct {
	net   branches
	width int         // logits in a row
	limit int         // tokens
	yield func() bool // asked before each pass; nil: never

	live []hypothesis // the most probable first
	done []hypothesis
}

// extension is a token that may continue a text.
type extension struct {
	from, id int
	log, sum float64 // of the token, of the text with it
}

// run searches. Errors are those of the passes, and [whole.ErrYielded].
func (b *beam) run() (hypothesis, error) {
	logits, err := b.net.Take([]int{network.Begin})
	b.live = []hypothesis{{}}
	for {
		switch {
		case err != nil:
			return hypothesis{}, err
		case len(logits) < len(b.live)*b.width:
			return hypothesis{}, errFewLogits
		}
		from := b.extend(b.extensions(logits))
		if b.over() {
			return b.first(), nil
		}
		if b.yield != nil && b.yield() {
			return hypothesis{}, whole.ErrYielded
		}
		ids := make([]int, len(b.live))
		for i, h := range b.live {
			ids[i] = h.ids[len(h.ids)-1]
		}
		logits, err = b.net.Branch(from, ids)
	}
}

// extensions returns the likeliest tokens after the live texts, those of the most probable texts
// first.
func (b *beam) extensions(logits []float32) (all []extension) {
	for i, h := range b.live {
		row := logits[i*b.width : (i+1)*b.width]
		ids, norm := likeliest(row, beamWidth+1)
		sum := h.sum()
		for _, id := range ids {
			log := float64(row[id]) - norm
			all = append(all, extension{i, id, log, sum + log})
		}
	}
	slices.SortStableFunc(all, func(x, y extension) int { return cmp.Compare(y.sum, x.sum) })
	return all
}

// extend makes the next live texts of extensions and returns which texts they continue.
func (b *beam) extend(all []extension) (from []int) {
	var next []hypothesis
	for i, x := range all {
		h := b.live[x.from]
		switch {
		case len(next) == beamWidth:
		case x.id == network.End && i < beamWidth:
			h.end, h.stop = x.log, stopEnd
			b.done = append(b.done, h)
		case x.id != network.End:
			h.ids, h.logs = append(slices.Clone(h.ids), x.id), append(slices.Clone(h.logs), x.log)
			if keep := loop(h.ids); keep > 0 {
				h.ids, h.logs, h.stop = h.ids[:keep], h.logs[:keep], stopLoop
				b.done = append(b.done, h)
				continue
			}
			next, from = append(next, h), append(from, x.from)
		}
	}
	b.live = next
	return from
}

// over reports whether no live text is likely to be more probable than the best that ended. A text
// that is too long ends.
func (b *beam) over() bool {
	if len(b.live) == 0 {
		return true
	}
	if first := b.live[0]; len(first.ids) >= b.limit {
		first.stop = stopLimit
		b.done = append(b.done, first)
		return true
	}
	if len(b.done) == 0 {
		return false
	}
	best := b.best()
	return best.score() >= b.live[0].score() && (len(b.done) >= beamWidth || best.total() >= b.live[0].sum())
}

// best returns the most probable text that ended.
func (b *beam) best() hypothesis {
	return slices.MaxFunc(b.done, func(x, y hypothesis) int { return cmp.Compare(x.score(), y.score()) })
}

// first returns the most probable text that ended, and with it the next.
func (b *beam) first() hypothesis {
	slices.SortStableFunc(b.done, func(x, y hypothesis) int { return cmp.Compare(y.score(), x.score()) })
	h := b.done[0]
	if len(b.done) > 1 {
		h.rival = &b.done[1]
	}
	return h
}

// total returns the logarithm of the probability of the text.
func (h hypothesis) total() float64 { return h.sum() + h.end }

// sum returns the logarithm of the probability of the tokens.
func (h hypothesis) sum() (sum float64) {
	for _, l := range h.logs {
		sum += l
	}
	return sum
}

// score compares texts of different lengths.
func (h hypothesis) score() float64 {
	return h.total() / math.Pow(float64(len(h.ids)+1), lengthPower)
}

// likeliest returns the n likeliest tokens of a row, in order, and what a logit has to be reduced
// by to be the logarithm of a probability.
func likeliest(row []float32, n int) (ids []int, norm float64) {
	first, norm := best(row)
	ids = append(ids, first)
	for i, v := range row {
		if i == first || len(ids) == n && v <= row[ids[n-1]] {
			continue
		}
		at := len(ids)
		for at > 1 && row[ids[at-1]] < v {
			at--
		}
		ids = slices.Insert(ids, at, i)
		ids = ids[:min(len(ids), n)]
	}
	return ids, norm
}
