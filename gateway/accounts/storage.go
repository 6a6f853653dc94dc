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

// CheckStorage returns a problem, 507, for an account that would have more bytes than it may with
// so many more. Errors: those of the store as well.
func (a *Accounts) CheckStorage(ctx context.Context, account string, more int64) error {
	q := a.Of(account)
	if q.Storage == 0 {
		return nil
	}
	bytes, err := a.bytes(ctx, account)
	if err != nil {
		return err
	}
	if bytes+more > q.Storage {
		return a.storageFull(account, q)
	}
	return nil
}

func (a *Accounts) storageFull(account string, q store.Quota) error {
	a.cfg.Metrics.Refuse(account, metrics.QuotaStorage)
	return web.Problem(http.StatusInsufficientStorage, fmt.Sprintf(
		"the account %s stores as much as its quota allows: %d bytes; deleting jobs makes room", account, q.Storage))
}

// bytes returns how many bytes an account has, as of some seconds ago at most.
func (a *Accounts) bytes(ctx context.Context, account string) (int64, error) {
	a.mu.Lock()
	h, ok := a.stored[account]
	a.mu.Unlock()
	if ok && time.Since(h.asked) < storedFor {
		return h.bytes, nil
	}
	h = holding{asked: time.Now()}
	var err error
	if h.bytes, err = a.cfg.Store.Stored(ctx, account); err != nil {
		return 0, fmt.Errorf("look up storage of account: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.stored) >= maxBlocked {
		clear(a.stored)
	}
	a.stored[account] = h
	return h.bytes, nil
}

// Stored notes that an account has other bytes than before.
func (a *Accounts) Stored(account string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.stored, account)
}
