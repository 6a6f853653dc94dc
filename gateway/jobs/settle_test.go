package jobs

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A job's end waits for a store that is away during the service's life, and for a moment after.
func TestSettling(t *testing.T) {
	for _, c := range []struct{ life, want time.Duration }{
		{time.Hour, longestOutage},
		{time.Minute, time.Minute + settleTime},
		{0, settleTime},
	} {
		synctest.Test(t, func(t *testing.T) {
			life, end := context.WithTimeout(t.Context(), c.life)
			defer end()
			began := time.Now()
			ctx, cancel := (&attempt{service: &Service{life: life}}).settling()
			defer cancel()
			<-ctx.Done()
			if lasted := time.Since(began); lasted != c.want {
				t.Errorf("with a life of %s: lasted %s, want %s", c.life, lasted, c.want)
			}
		})
	}
	life, end := context.WithCancel(t.Context())
	ctx, cancel := (&attempt{service: &Service{life: life}}).settling()
	cancel()
	if end(); ctx.Err() == nil {
		t.Error("not cancelled")
	}
}
