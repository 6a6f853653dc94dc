package subtitles

import (
	"cmp"
	"slices"
)

// shown is a caption with its times.
type shown struct {
	caption
	from, to int64 // ms
}

const (
	// closeBy is the distance in ms below which style compliance brings captions together: a flicker otherwise.
	closeBy = 500
	// glance is how long, in ms, a caption is left alone at least where another one is said while it has just begun.
	glance = 250
)

// schedule gives captions their times: each from its words on, one after another, up to the maximum duration. Each stays for
// the minimum duration unless the next one, or the end of the recording, comes before.
func (l limits) schedule(all []caption) []shown {
	slices.SortStableFunc(all, func(a, b caption) int { return cmp.Compare(a.start(), b.start()) })
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

// joined are the captions, some of them together that would not be shown for the minimum duration one by one.
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

// join appends another caption of the same voice, if both fit into one.
func (l limits) join(c *caption, next caption) bool {
	if c.voice != next.voice || len(c.tokens)+len(next.tokens) > mostTokens || next.end()-c.start() > l.max {
		return false
	}
	both := slices.Concat(c.tokens, next.tokens)
	if l.rowsOf(both) > l.rows {
		return false
	}
	c.tokens = both
	return true
}

// begins are when the captions are shown, each later than the one before: when they are said. Those that are said within a
// glance of one another share the time until the next, and begin up to a glance later for that.
func (l limits) begins(all []caption) []int64 {
	at := make([]int64, len(all))
	for i, n := 0, 0; i < len(all); i = n {
		for n = i + 1; n < len(all) && all[n].start() < all[i].start()+l.glance(); n++ {
		}
		next := l.end
		if n < len(all) {
			next = min(next, all[n].start())
		}
		l.share(at[i:n], all[i:n], next)
	}
	return l.spread(at)
}

// share gives captions that are said at once their times, until the next.
func (l limits) share(at []int64, all []caption, next int64) {
	at[0] = all[0].start()
	latest := all[len(all)-1].start() + l.glance()
	for i := 1; i < len(all); i++ {
		left, before := int64(len(all)-i), at[i-1]
		step := max(min(l.glance(), (next-before)/(left+1), (latest-before)/left), 0)
		at[i] = max(all[i].start(), min(before+step, all[i].start()+l.glance()))
	}
}

// glance is how far captions begin from one another at least, where there is time for it.
func (l limits) glance() int64 { return min(l.min, glance) }

// spread moves times so that each is later than the one before, and all are before the end of the recording if it has as many
// milliseconds.
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

// lastMoment is when the last of n captions is gone: when the recording ends.
func (l limits) lastMoment(n int) int64 { return max(l.end, int64(n)) }

// until is the end of a caption that begins at from, if nothing follows: with its words, or when it has been read, but no
// later than the recording.
func (l limits) until(c caption, from int64) int64 {
	to := max(c.end(), from+l.min)
	if l.speed > 0 {
		to = max(to, from+l.readingTime(c))
	}
	return max(min(to, from+l.max, l.end), from+1)
}

// before is the end of a caption from one time to another where another one begins at next: at the distance that has to be
// between them, which yields where they follow more closely.
func (l limits) before(next, from, to int64) int64 {
	latest := max(next-l.gap, next-(next-from)/2)
	if to > latest || l.compliance && latest-to < closeBy {
		to = latest
	}
	return min(to, from+l.max)
}

// readingTime is in ms.
func (l limits) readingTime(c caption) int64 {
	width := 0
	for _, t := range c.tokens {
		width += t.gap() + t.width
	}
	return int64(1000 * float64(width) / l.speed)
}
