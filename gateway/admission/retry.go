package admission

import (
	"math"
	"slices"
	"time"
)

// wait returns when so many speakers of an engine's and a key's sessions will have made room: when
// new sessions do not count as speaking any more, or else when sessions end as often as they did
// lately. It is called with mu held.
func (c *Controller) wait(now time.Time, engine, holder string, over float64) time.Duration {
	type release struct {
		at    time.Time
		frees float64
	}
	var due []release
	for s := range c.speakers {
		if (engine == "" || s.engine == engine) && (holder == "" || s.holder == holder) && s.isNew(now) {
			due = append(due, release{s.newUntil, s.channels - s.forecast()})
		}
	}
	slices.SortFunc(due, func(a, b release) int { return a.at.Compare(b.at) })
	free := 0.0
	for _, r := range due {
		if free += r.frees; free >= over {
			return retryOf(r.at.Sub(now).Seconds())
		}
	}
	rate := c.endings * math.Exp(-now.Sub(c.endedAt).Seconds()/endingsFor.Seconds()) / endingsFor.Seconds()
	if rate < 1/mostRetry.Seconds() {
		return max(c.retry, leastRetry)
	}
	return retryOf((over - free) / rate)
}

// ended notes that a session has ended. It is called with mu held.
func (c *Controller) ended(now time.Time) {
	c.endings = c.endings*math.Exp(-now.Sub(c.endedAt).Seconds()/endingsFor.Seconds()) + 1
	c.endedAt = now
}

// retryOf returns a wait of so many seconds within its bounds.
func retryOf(seconds float64) time.Duration {
	return min(max(time.Duration(seconds*float64(time.Second)), leastRetry), mostRetry)
}
