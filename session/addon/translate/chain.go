package translate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"steno/session/addon/remote"
)

const (
	// cooldown is how long a translator that hung or failed is tried after the others.
	cooldown = 30 * time.Second
	// hangThreshold is how long a translator must have had for its silence to count as hanging.
	hangThreshold = 500 * time.Millisecond
	// ampleFactor is how many times the wait of its outage a translator must have, to be tried in
	// its place nevertheless: one that is too slow for a live session may be fast enough for a
	// recording.
	ampleFactor = 2

	forever = time.Duration(math.MaxInt64)
)

// chain is several translators, the preferred first.
type chain struct {
	all []Translator

	mu      sync.Mutex
	outages []outage // the last of each translator
}

// outage is that a translator hung or failed.
type outage struct {
	until  time.Time     // it is tried after the others
	waited time.Duration // without an answer; forever where it failed
}

// First uses the first translator that knows the languages, and the next where it fails. Each has
// half of the time that the context leaves, the last one all. One that fails comes after the others
// for the next 30 s; so does one that hangs, unless it would now have more than twice the time. An
// answer that is none does not count, for it may be the text's fault.
func First(translators ...Translator) Translator {
	return &chain{all: translators, outages: make([]outage, len(translators))}
}

func (c *chain) Name() string {
	names := make([]string, len(c.all))
	for i, t := range c.all {
		names[i] = t.Name()
	}
	return strings.Join(names, ", ")
}

func (c *chain) Can(ctx context.Context, from, to string) error {
	return c.each(ctx, from, to, func(context.Context, Translator) error { return nil })
}

// Translate leaves to each translator what those before have not translated.
func (c *chain) Translate(ctx context.Context, texts []string, from, to string, o Options) ([]string, error) {
	out, left := make([]string, len(texts)), slices.Clone(texts)
	err := c.each(ctx, from, to, func(ctx context.Context, t Translator) error {
		said, err := t.Translate(ctx, left, from, to, o)
		if len(said) != len(left) {
			return cmp.Or(err, invalid("it has another number of texts"))
		}
		for i, s := range said {
			if left[i] != "" && s != "" {
				out[i], left[i] = s, ""
			}
		}
		return err
	})
	return out, err
}

// each has the translators that know the languages do work, until one succeeds. The error is that
// of the first that failed, or that none knows them.
func (c *chain) each(ctx context.Context, from, to string, work func(context.Context, Translator) error) error {
	var first error
	order, resting := c.order(ctx)
	for n, i := range order {
		others := order[n+1:]
		last := len(others) == 0 || resting == 0 && !c.able(ctx, others, from, to)
		err := c.attempt(ctx, i, last, from, to, work)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errUnknown):
			continue
		case first == nil:
			first = fmt.Errorf("%s: %w", c.all[i].Name(), err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if first == nil {
		first = unknown(from, to)
	}
	return first
}

// attempt has one translator do work in its share of the time.
func (c *chain) attempt(ctx context.Context, i int, last bool, from, to string, work func(context.Context,
	Translator) error) error {
	within, cancel := share(ctx, last)
	defer cancel()
	began := time.Now()
	err := c.all[i].Can(within, from, to)
	if err == nil {
		err = work(within, c.all[i])
	}
	if waited := outageWait(err, time.Since(began)); waited > 0 && ctx.Err() != context.Canceled {
		c.note(i, waited)
	}
	return err
}

// outageWait returns how long a translator was waited for in vain, where it failed after the time
// took: forever if the failure was not just a lack of time; 0 if the failure is no evidence of an
// outage.
func outageWait(err error, took time.Duration) time.Duration {
	told := remote.Addon(err)
	switch {
	case told == nil, errors.Is(err, errUnknown), strings.HasSuffix(told.Exception, "Invalid"),
		strings.HasSuffix(told.Exception, "InvalidAnswer"),
		strings.HasSuffix(told.Exception, "Declined"):
		return 0
	case told.StatusCode == http.StatusGatewayTimeout && took < hangThreshold:
		return 0
	case told.StatusCode == http.StatusGatewayTimeout:
		return took
	case told.StatusCode >= http.StatusInternalServerError, told.StatusCode == http.StatusTooManyRequests:
		return forever
	}
	return 0
}

// note has a translator rest from now on. The longest time that it was waited for counts.
func (c *chain) note(i int, waited time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if now.Before(c.outages[i].until) {
		waited = max(waited, c.outages[i].waited)
	}
	c.outages[i] = outage{now.Add(cooldown), waited}
}

// order lists the translators as they are to be tried: last those that rest, and how many they are.
func (c *chain) order(ctx context.Context) (list []int, resting int) {
	half := forever
	if deadline, ok := ctx.Deadline(); ok {
		half = time.Until(deadline) / 2
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var later []int
	for i, l := range c.outages {
		if time.Now().Before(l.until) && half/ampleFactor <= l.waited {
			later = append(later, i)
		} else {
			list = append(list, i)
		}
	}
	return append(list, later...), len(later)
}

// able reports whether one of the translators knows the languages.
func (c *chain) able(ctx context.Context, list []int, from, to string) bool {
	ctx, cancel := share(ctx, false)
	defer cancel()
	return slices.ContainsFunc(list, func(i int) bool { return c.all[i].Can(ctx, from, to) == nil })
}

// share is a context with half of the time that is left, or with all of it.
func share(ctx context.Context, all bool) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok || all {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)/2)
}
