package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"steno/gateway/recovery"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/panics"
	"steno/session/store"
)

// keysEvery is how often it is looked whether keys were removed, by whatever process.
const keysEvery = time.Second

// errRevoked says that the API key a session was made with is not known any more.
var errRevoked = errors.New("API key of the session was revoked")

// watchKeys ends the sessions of keys that were removed. It ends with the server's life.
func (s *Sessions) watchKeys() {
	tick := time.NewTicker(keysEvery)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
		}
		err := panics.Catch(func() error { return s.endRevoked(s.life) })
		if err != nil && !failing && s.life.Err() == nil {
			s.cfg.Recoverer.Report(recovery.Task, "keys", err)
			s.cfg.Log.Error().Err(err).Msg("removed keys are not noticed, tried again")
		}
		failing = err != nil
	}
}

// endRevoked begins to end every session whose key is not known any more.
func (s *Sessions) endRevoked(ctx context.Context) error {
	entries := s.registry.list()
	if len(entries) == 0 {
		return nil
	}
	list, err := s.cfg.Store.ListKeys(ctx)
	if err != nil {
		return err
	}
	kept := make(map[string]bool, len(list))
	for _, k := range list {
		kept[string(k.Hash)] = true
	}
	for _, e := range entries {
		if !kept[string(e.record.Key)] && !s.configured(e.record) && !e.revoked.Load() {
			e.background(e.revoke)
		}
	}
	return nil
}

// configured tells whether a record is of a configured key, or of an earlier program, which did not keep it.
func (s *Sessions) configured(r store.Record) bool {
	if len(r.Key) != len(web.KeyHash{}) {
		return true
	}
	return s.cfg.HasKey(web.KeyHash(r.Key))
}

// checkKey tells whether the key that a record was made with is still known. Errors: errRevoked, or the store's.
func (s *Sessions) checkKey(ctx context.Context, r store.Record) error {
	if s.configured(r) {
		return nil
	}
	_, err := s.cfg.Store.KeyAccount(ctx, r.Key)
	if errors.Is(err, store.ErrNotFound) {
		return errRevoked
	}
	if err != nil {
		return fmt.Errorf("find key of session: %w", err)
	}
	return nil
}

// revoke closes the socket and lets no other come. What was recorded is finished as if the client had not come back.
func (e *entry) revoke() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.phase == dropped || e.revoked.Swap(true) {
		return
	}
	e.sessions.cfg.Log.Info().Str("session", e.id).Str("account", e.record.Account).Msg("key of session revoked")
	if k := e.socket; k != nil {
		k.intake.silence()
		e.endSocket(messages.CloseRevoked)
	}
	if e.phase == ended {
		e.delivered.Store(true)
		return
	}
	if e.phase == attached {
		e.phase = detached
	}
	e.since = time.Time{} // there is nothing to wait for
}

// unconnected is the outcome of a session whose socket never came.
func (e *entry) unconnected() store.Outcome {
	if e.revoked.Load() {
		return store.Outcome{ErrorCode: http.StatusUnauthorized, Message: errRevoked.Error()}
	}
	return store.Outcome{
		ErrorCode: http.StatusRequestTimeout,
		Message:   fmt.Sprintf("no socket was opened within %s of the session's creation", e.sessions.cfg.Limits.NeverConnected),
	}
}
