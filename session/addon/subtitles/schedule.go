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

const (
	// closeBy is a distance in ms. In style compliance captions that are closer are extended to the gap, because a short
	// blank between them would flicker.
	closeBy = 500
	// minStagger is the least time in ms between the beginnings of two captions of speakers who begin at the same time.
	minStagger = 250
)

// schedule sets the times of captions. Each begins with its words, after the one before, and lasts the maximum duration at
// most. It lasts the minimum duration unless the next caption begins, or the recording ends, before.
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

// joined returns the captions. Those that could not be shown for the minimum duration by themselves are joined.
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

// join appends another caption of the same speaker, if both fit into one.
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

// begins returns when the captions begin to be shown, in ascending order: with their words. Captions that begin within one stagger
// of each other share the time until the next one, and so begin up to one stagger later each.
func (l limits) begins(all []caption) []int64 {
	at := make([]int64, len(all))
	for i, n := 0, 0; i < len(all); i = n {
		for n = i + 1; n < len(all) && all[n].start() < all[i].start()+l.stagger(); n++ {
		}
		next := l.end
		if n < len(all) {
			next = min(next, all[n].start())
		}
		l.share(at[i:n], all[i:n], next)
	}
	return l.spread(at)
}

// share divides the time until the next caption among captions that begin at the same time.
func (l limits) share(at []int64, all []caption, next int64) {
	at[0] = all[0].start()
	latest := all[len(all)-1].start() + l.stagger()
	for i := 1; i < len(all); i++ {
		left, before := int64(len(all)-i), at[i-1]
		step := max(min(l.stagger(), (next-before)/(left+1), (latest-before)/left), 0)
		at[i] = max(all[i].start(), min(before+step, all[i].start()+l.stagger()))
	}
}

// stagger returns the least time between the beginnings of captions, where there is enough time.
func (l limits) stagger() int64 { return min(l.min, minStagger) }

// spread moves times so that they are in ascending order, and before the end of the recording if that has as many
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

// lastMoment returns the latest end of the last of n captions: the end of the recording.
func (l limits) lastMoment(n int) int64 { return max(l.end, int64(n)) }

// until returns the end of a caption that begins at from if no other follows: when its words have ended, the minimum duration
// is over and the caption can have been read, but not after the maximum duration or the end of the recording.
func (l limits) until(c caption, from int64) int64 {
	to := max(c.end(), from+l.min)
	if l.speed > 0 {
		to = max(to, from+l.readingTime(c))
	}
	return max(min(to, from+l.max, l.end), from+1)
}

// before returns the end of a caption that would last from one time to another, if the next one begins at next: earlier by the
// gap, as far as there is time for a gap.
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
