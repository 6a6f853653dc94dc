package accounts

import (
	"context"
	"time"

	"steno/gateway/metrics"
)

// Callback takes one of the callbacks that an account may be sent a second. It returns how long it
// is until there is one, where there is none, and how long each takes; 0: the callback may be sent.
// Where the store does not answer it may.
func (a *Accounts) Callback(ctx context.Context, account string) (wait, each time.Duration) {
	most := a.Of(account).Callbacks
	if most == 0 {
		return 0, 0
	}
	_, wait, err := a.cfg.Store.Spend(ctx, account, "callbacks", most, time.Second)
	if err != nil || wait == 0 {
		return 0, 0
	}
	a.cfg.Metrics.Refuse(account, metrics.QuotaCallbacks)
	return wait, time.Second / time.Duration(most)
}
