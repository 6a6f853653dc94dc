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

// closeBy is the distance in ms below which style compliance brings captions together: a flicker otherwise.
const closeBy = 500

// schedule gives captions their times: one after another, each for the minimum duration at least and the maximum at most.
func (l limits) schedule(all []caption) []shown {
	slices.SortStableFunc(all, func(a, b caption) int { return cmp.Compare(a.start(), b.start()) })
	var done []shown
	var free int64 // when the next may begin
	for i := 0; i < len(all); i++ {
		c := all[i]
		from := max(c.start(), free)
		for i+1 < len(all) && all[i+1].start()-l.gap-from < l.min && l.join(&c, all[i+1]) {
			i++
		}
		to := l.until(c, from)
		if i+1 < len(all) {
			to = l.before(all[i+1].start()-l.gap, from, to)
		}
		done = append(done, shown{c, from, to})
		free = to + l.gap
	}
	return done
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

// until is the end of a caption that begins at from, if nothing follows.
func (l limits) until(c caption, from int64) int64 {
	to := max(c.end(), from+l.min)
	if l.speed > 0 {
		to = max(to, min(from+l.readingTime(c), l.end))
	}
	return min(to, from+l.max)
}

// before is the end of a caption from one time to another that should be gone by next, which may lie before its beginning,
// or before all.
func (l limits) before(next, from, to int64) int64 {
	if to > next || l.compliance && next-to < closeBy {
		to = next
	}
	return min(max(to, from+l.min), from+l.max)
}

// readingTime is in ms.
func (l limits) readingTime(c caption) int64 {
	width := 0
	for _, t := range c.tokens {
		width += t.gap() + t.width
	}
	return int64(1000 * float64(width) / l.speed)
}
