package accounts

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"steno/gateway/metrics"
	"steno/gateway/web"
	"steno/session/store"
)

// leastWork is how many bytes of audio new work is expected to bring at least.
const leastWork = 256 << 10

// Admit takes one of the sessions and jobs that an account may open. It returns how many live
// sessions of the account may be unfinished, which the store ensures when it keeps the record; 0
// for any number. h tells the client what its quota is and what remains, with a refusal as well.
// Errors: problems, 429 and 507, or the store's.
func (a *Accounts) Admit(ctx context.Context, h http.Header, account string, live bool) (sessions int64, err error) {
	q := a.Of(account)
	if q == (store.Quota{}) {
		return 0, nil
	}
	if err := a.blockedNow(account, q); err != nil {
		remains{quota: store.Quota{Opens: q.Opens}}.announce(h)
		return 0, err
	}
	left, err := a.remaining(ctx, account, q)
	if err != nil {
		return 0, err
	}
	err = a.refusal(account, q, left, live)
	if err == nil {
		err = a.open(ctx, account, q, &left)
	}
	if err == nil && live {
		left.sessions--
	}
	left.announce(h)
	if !live {
		return 0, err
	}
	return q.Sessions, err
}

// remaining asks the store what remains of a quota; opens are not known yet.
func (a *Accounts) remaining(ctx context.Context, account string, q store.Quota) (r remains, err error) {
	r = remains{quota: q, opens: q.Opens, reset: time.Until(tomorrow(time.Now()))}
	if q.Sessions == 0 && q.AudioHours == 0 && q.Storage == 0 {
		return r, nil
	}
	s, err := a.cfg.Store.Standing(ctx, account)
	if err != nil {
		return r, fmt.Errorf("look up account: %w", err)
	}
	r.sessions, r.audio = q.Sessions-s.Sessions, q.Audio()-s.Audio-a.cfg.Running(account)
	if q.Storage > 0 {
		bytes, err := a.bytes(ctx, account)
		if err != nil {
			return r, err
		}
		r.storage = q.Storage - bytes
	}
	return r, nil
}

// refusal returns why an account may open nothing more; nil if it may.
func (a *Accounts) refusal(account string, q store.Quota, left remains, live bool) error {
	switch {
	case live && q.Sessions > 0 && left.sessions <= 0:
		return a.SessionsFull(account)
	case q.AudioHours > 0 && left.audio <= 0:
		a.cfg.Metrics.Refuse(account, metrics.QuotaAudio)
		return web.Refuse(http.StatusTooManyRequests, audioUsed(account, q), left.reset)
	case live && q.Storage > 0 && left.storage < leastWork:
		return a.storageFull(account, q)
	}
	return nil
}

// SessionsFull returns the problem of an account that has as many unfinished sessions as it may.
func (a *Accounts) SessionsFull(account string) error {
	a.cfg.Metrics.Refuse(account, metrics.QuotaSessions)
	return web.Refuse(http.StatusTooManyRequests, fmt.Sprintf(
		"the account %s has as many unfinished sessions as its quota of concurrent sessions allows: %d", account,
		a.Of(account).Sessions), a.cfg.Retry)
}

// audioUsed is the text for clients of an account that has transcribed as much as it may today.
func audioUsed(account string, q store.Quota) string {
	return fmt.Sprintf("the account %s has used its quota of audio of this day (UTC): %.6g hours", account,
		q.AudioHours)
}

// open takes one of the account's opens of this minute.
func (a *Accounts) open(ctx context.Context, account string, q store.Quota, left *remains) error {
	if q.Opens == 0 {
		return nil
	}
	n, wait, err := a.cfg.Store.Spend(ctx, account, "opens", q.Opens, time.Minute)
	if err != nil {
		return err
	}
	if left.opens = n; wait == 0 {
		return nil
	}
	a.mu.Lock()
	if len(a.blocked) >= maxBlocked {
		clear(a.blocked)
	}
	a.blocked[account] = time.Now().Add(wait)
	a.mu.Unlock()
	return a.opensFull(account, q, wait)
}

func (a *Accounts) opensFull(account string, q store.Quota, wait time.Duration) error {
	a.cfg.Metrics.Refuse(account, metrics.QuotaOpens)
	return web.Refuse(http.StatusTooManyRequests, fmt.Sprintf(
		"the account %s opens more sessions and jobs than its quota allows: %d a minute", account, q.Opens), wait)
}

// blockedNow refuses an account of which the store has said that it has nothing to open yet, so
// that those who ask again and again cost the store nothing.
func (a *Accounts) blockedNow(account string, q store.Quota) error {
	a.mu.Lock()
	until, ok := a.blocked[account]
	wait := time.Until(until)
	if ok && wait <= 0 {
		delete(a.blocked, account)
	}
	a.mu.Unlock()
	if !ok || wait <= 0 || q.Opens == 0 {
		return nil
	}
	return a.opensFull(account, q, wait)
}

// tomorrow is the beginning of the next day, UTC.
func tomorrow(now time.Time) time.Time { return store.DayOf(store.Day(now) + 1) }
