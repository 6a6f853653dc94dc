package subtitles

import (
	"cmp"
	"slices"
)

// shown is a caption and the time for which it is shown.
type shown struct {
	caption
	from, to int64 // ms
}

// closeBy is a distance in ms. In style compliance captions that are closer are extended to the
// gap, because a short blank between them would flicker.
const closeBy = 500

// schedule sets the times of captions, each voice's on its own, and returns them in order of time.
// Each begins with its words, after the one before of its voice, and lasts the maximum duration at
// most. It lasts as long as its words and the minimum duration unless the next of its voice begins,
// or the recording ends, before. Captions of other voices only shorten the time that is left for
// reading.
func (l limits) schedule(all []caption) []shown {
	var done []shown
	for _, v := range voices(all) {
		done = append(done, l.sequence(v)...)
	}
	slices.SortStableFunc(done, func(a, b shown) int {
		return cmp.Or(cmp.Compare(a.from, b.from),
			cmp.Compare(a.to, b.to))
	})
	for i, s := range done {
		later := func(next shown) bool { return next.from > s.from }
		if n := slices.IndexFunc(done[i+1:], later); n >= 0 && done[i+1+n].voice != s.voice {
			done[i].to = max(l.before(done[i+1+n].from, s.from, s.to), min(l.needed(s.caption, s.from), s.to))
		}
	}
	return done
}

// voices divides captions by their voices, each in order of start.
func voices(all []caption) [][]caption {
	index := map[voice]int{}
	var list [][]caption
	for _, c := range all {
		i, ok := index[c.voice]
		if !ok {
			i, index[c.voice] = len(list), len(list)
			list = append(list, nil)
		}
		list[i] = append(list[i], c)
	}
	for _, one := range list {
		slices.SortStableFunc(one, func(a, b caption) int { return cmp.Compare(a.start(), b.start()) })
	}
	return list
}

// sequence sets the times of one voice's captions.
func (l limits) sequence(all []caption) []shown {
	all = l.joined(all)
	begins := l.begins(all)
	done := make([]shown, len(all))
	for i, c := range all {
		from := begins[i]
		to := l.until(c, from)
		if i+1 < len(all) {
			to = l.before(begins[i+1], from, to)
		}
		done[i] = shown{c, from, to}
	}
	return done
}

// joined returns the captions. Those that could not be shown for the minimum duration alone are
// joined.
func (l limits) joined(all []caption) []caption {
	var list []caption
	for i := 0; i < len(all); i++ {
		c := all[i]
		for i+1 < len(all) && all[i+1].start()-l.gap-c.start() < l.min && l.join(&c, all[i+1]) {
			i++
		}
		list = append(list, c)
	}
	return list
}

// join appends another caption of the voice, if both fit into one.
func (l limits) join(c *caption, next caption) bool {
	if c.language != next.language || len(c.tokens)+len(next.tokens) > mostTokens || next.end()-c.start() > l.max {
		return false
	}
	both := slices.Concat(c.tokens, next.tokens)
	if l.rowsOf(both) > l.rows {
		return false
	}
	c.tokens = both
	return true
}

// begins returns when the captions of a voice begin to be shown, in ascending order: with their
// words. Captions that begin at the same time, whose words have no times, share the time until the
// next one.
func (l limits) begins(all []caption) []int64 {
	at := make([]int64, len(all))
	for i, n := 0, 0; i < len(all); i = n {
		for n = i + 1; n < len(all) && all[n].start() == all[i].start(); n++ {
		}
		next := l.end
		if n < len(all) {
			next = min(next, all[n].start())
		}
		for k := i; k < n; k++ {
			step := min(l.stagger(), (next-all[i].start())/int64(n-i+1))
			at[k] = all[i].start() + max(step, 0)*int64(k-i)
		}
	}
	return l.spread(at)
}

// stagger returns the least time between the beginnings of captions, where there is enough time.
func (l limits) stagger() int64 { return min(l.min, minStagger) }

// minStagger is the least time in ms between the beginnings of two captions of a voice that begin
// at the same time.
const minStagger = 250

// spread moves times so that they are in ascending order, and before the end of the recording if
// that has as many milliseconds.
func (l limits) spread(at []int64) []int64 {
	for i := 1; i < len(at); i++ {
		at[i] = max(at[i], at[i-1]+1)
	}
	end := l.lastMoment(len(at))
	for i := range at {
		at[i] = min(at[i], end-int64(len(at)-i))
	}
	return at
}

// lastMoment returns the latest end of the last of n captions: the end of the recording.
func (l limits) lastMoment(n int) int64 { return max(l.end, int64(n)) }

// needed returns when a caption that begins at from has been shown for as long as its words and the
// minimum duration.
func (l limits) needed(c caption, from int64) int64 { return max(c.end(), from+l.min) }

// until returns the end of a caption that begins at from if no other follows: when its words have
// ended, the minimum duration has passed and the caption can have been read, but not after the
// maximum duration or the end of the recording.
func (l limits) until(c caption, from int64) int64 {
	to := l.needed(c, from)
	if l.speed > 0 {
		to = max(to, from+l.readingTime(c))
	}
	return max(min(to, from+l.max, l.end), from+1)
}

// before returns the end of a caption that would last from one time to another, if the next one
// begins at next: earlier by the gap, as far as there is time for a gap.
func (l limits) before(next, from, to int64) int64 {
	latest := max(next-l.gap, next-(next-from)/2)
	if to > latest || l.compliance && latest-to < closeBy {
		to = latest
	}
	return min(to, from+l.max)
}

// readingTime returns how long it takes to read a caption, in ms.
func (l limits) readingTime(c caption) int64 {
	width := 0
	for _, t := range c.tokens {
		width += t.gap() + t.width
	}
	return int64(1000 * float64(width) / l.speed)
}
