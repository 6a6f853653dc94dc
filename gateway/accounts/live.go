package accounts

import (
	"context"
	"time"

	"steno/gateway/metrics"
)

// BoundsAudio reports whether the account's audio of a day has a bound.
func (a *Accounts) BoundsAudio(account string) bool { return a.Of(account).AudioHours > 0 }

// Exhausted returns the text for clients of an account that has used its audio of this day, and
// whose live sessions are to end; empty for one that has not. running is the audio of its
// unfinished sessions, on all nodes. Errors: the store's.
func (a *Accounts) Exhausted(ctx context.Context, account string, running time.Duration) (string, error) {
	q := a.Of(account)
	if q.AudioHours == 0 {
		return "", nil
	}
	s, err := a.cfg.Store.Standing(ctx, account)
	if err != nil || s.Audio+running < q.Audio() {
		return "", err
	}
	return audioUsed(account, q), nil
}

// End counts a session that ends since its account has used its audio.
func (a *Accounts) End(account string) { a.cfg.Metrics.Refuse(account, metrics.QuotaAudioLive) }
