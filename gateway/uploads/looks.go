package uploads

import (
	"context"
	"errors"
	"time"

	"steno/audio/media"
	"steno/session/semaphore"
	"steno/session/store"
)

// shortLook is how long the decoder looks at a file at first. What takes longer, since it decodes to much, is looked at again among its
// like, however few bytes it has: of headers, which say what it decodes to, none is believed.
const shortLook = 3 * time.Second

// maxLooks bounds the files that wait to be looked at.
const maxLooks = 4096

// looks bounds how many files the decoder looks at. Files that take long have places of their own, so that others pass them, and in
// both the keys take turns. Its methods may be called from any goroutine.
type looks struct{ short, long *semaphore.Fair }

func newLooks(n int) looks {
	half := max(1, n/2)
	return looks{semaphore.NewFair(max(2, n), half, maxLooks), semaphore.NewFair(half, max(1, half/2), maxLooks)}
}

// look looks at a party's file. Errors: semaphore.ErrFull, those of the probe and of ctx.
func (l looks) look(ctx context.Context, party string, probe Probe, path string) (media.Info, error) {
	info, err := within(ctx, l.short, party, shortLook, probe, path)
	if errors.Is(err, errLong) {
		return within(ctx, l.long, party, 0, probe, path)
	}
	return info, err
}

// errLong says that a probe took longer than it may.
var errLong = errors.New("takes long")

// within runs a probe in a place of its party, for so long at most; 0: as long as it takes. Errors: errLong, and those of look.
func within(ctx context.Context, places *semaphore.Fair, party string, most time.Duration, probe Probe, path string) (media.Info, error) {
	if err := places.Acquire(ctx, party); err != nil {
		return media.Info{}, err
	}
	defer places.Release(party)
	bounded := ctx
	if most > 0 {
		var cancel context.CancelFunc
		bounded, cancel = context.WithTimeoutCause(ctx, most, errLong)
		defer cancel()
	}
	info, err := probe(bounded, path)
	switch {
	case ctx.Err() != nil:
		return info, ctx.Err()
	case err != nil && errors.Is(context.Cause(bounded), errLong):
		return info, errLong
	}
	return info, err
}

// partyOf is for whom an upload is looked at: its key, or its account where that is not known.
func partyOf(u *store.Upload) string {
	if len(u.Key) > 0 {
		return string(u.Key)
	}
	return u.Account
}
