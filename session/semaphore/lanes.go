package semaphore

import (
	"context"
	"errors"
	"time"
)

// Lanes bound how much work is done at a time whose length nobody knows before. All of it begins
// among what is short. What takes longer than that is begun once more among its like, so that
// others pass it. In both lanes parties take turns. Its methods may be called from any goroutine.
type Lanes struct {
	short, long *Semaphore
	most        time.Duration
}

// NewLanes returns lanes for n pieces of work, 2 at least, and half as many that take longer than
// most; of one party for half of each. At most waiting others may wait in each.
func NewLanes(n int, most time.Duration, waiting int) *Lanes {
	n = max(2, n)
	half := n / 2
	return &Lanes{New(int64(n), int64(half), waiting), New(int64(half), int64(max(1, half/2)), waiting), most}
}

// errLong means that work takes longer than short work may.
var errLong = errors.New("takes long")

// Do does a party's work, which ends with its context and can be done again. Errors: ErrFull, those
// of the work and of ctx.
func (l *Lanes) Do(ctx context.Context, party string, work func(context.Context) error) error {
	err := l.within(ctx, party, work)
	if !errors.Is(err, errLong) {
		return err
	}
	if err := l.long.Acquire(ctx, party, 1); err != nil {
		return err
	}
	defer l.long.Release(party, 1)
	return work(ctx)
}

// within does work that is short. Errors: errLong, and those of Do.
func (l *Lanes) within(ctx context.Context, party string, work func(context.Context) error) error {
	if err := l.short.Acquire(ctx, party, 1); err != nil {
		return err
	}
	defer l.short.Release(party, 1)
	bounded, cancel := context.WithTimeoutCause(ctx, l.most, errLong)
	defer cancel()
	err := work(bounded)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(bounded), errLong) {
		return errLong
	}
	return err
}
