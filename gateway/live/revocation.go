package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/session/store"
)

// keysEvery is how often the store is asked for removed and expired API keys.
const keysEvery = time.Second

// endRevoked starts to end every session whose key was removed or has expired.
func (s *Sessions) endRevoked() error {
	entries := s.registry.list()
	if len(entries) == 0 {
		return nil
	}
	list, err := s.cfg.Store.ListKeys(s.life)
	if err != nil {
		return err
	}
	kept := make(map[string]bool, len(list))
	now := time.Now()
	for _, k := range list {
		kept[string(k.Hash)] = k.Outlived || !k.Expired(now)
	}
	for _, e := range entries {
		if !kept[string(e.record.Key)] && !s.configured(e.record) && !e.revoked.Load() {
			e.background(e.revoke)
		}
	}
	return nil
}

// configured reports whether a record has a valid key of the configuration, or none, as records of
// earlier versions.
func (s *site) configured(r store.Record) bool {
	if len(r.Key) != len(web.KeyHash{}) {
		return true
	}
	return s.cfg.HasKey(web.KeyHash(r.Key))
}

// checkKey returns nil if the key of a record is still known and valid. Errors: errRevoked, or the
// store's.
func (s *site) checkKey(ctx context.Context, r store.Record) error {
	if s.configured(r) {
		return nil
	}
	key, err := s.cfg.Store.Key(ctx, r.Key)
	if errors.Is(err, store.ErrNotFound) || err == nil && key.Expired(time.Now()) && !key.Outlived {
		return errRevoked
	}
	if err != nil {
		return fmt.Errorf("find key of session: %w", err)
	}
	return nil
}

// revoke closes the socket and admits no other. The recording is finished as if the client had not
// reconnected.
func (e *entry) revoke() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.phase == dropped || e.revoked.Swap(true) {
		return
	}
	e.site.cfg.Log.Info().Str("session", e.id).Str("account", e.record.Account).Msg("key of session revoked")
	if k := e.client; k != nil {
		k.Silence()
		e.endSocket(dialect.Revoked)
	}
	if e.phase == ended {
		e.seat.Delivered.Store(true)
		return
	}
	e.since = time.Time{} // so that it is finished immediately
}

// neverConnected returns the outcome of a session that was never connected.
func neverConnected(e *entry) store.Outcome {
	if e.revoked.Load() {
		return store.Outcome{ErrorCode: http.StatusUnauthorized, Message: errRevoked.Error()}
	}
	return store.Outcome{
		ErrorCode: http.StatusRequestTimeout,
		Message: fmt.Sprintf("no socket was opened within %s of the session's creation",
			e.site.cfg.Limits.NeverConnected),
	}
}
