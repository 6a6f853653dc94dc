package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"steno/session/retry"
	"steno/session/store"
)

// Kept is the audit log in a store. Its methods may be called from any goroutine. That of nil is
// one that keeps nothing.
type Kept struct {
	store  store.Audit
	bounds store.AuditBounds
	failed func(error)
	lines  queue[store.AuditEntry]
	life   context.Context // of attempts to reach the store
	end    context.CancelFunc
}

// Keep keeps lines in a store, within bounds. failed is called with the first of errors that follow
// each other. The caller must Close it before the store.
func Keep(s store.Audit, b store.AuditBounds, failed func(error)) *Kept {
	k := &Kept{store: s, bounds: b, failed: failed}
	k.lines.init()
	k.life, k.end = context.WithCancel(context.Background())
	go k.run()
	return k
}

// Write has a line kept soon. It waits for nothing.
func (k *Kept) Write(line *Line) {
	if k == nil {
		return
	}
	e := store.AuditEntry{At: line.Time.Truncate(time.Millisecond), Account: line.Account, Action: line.Action}
	var err error
	e.Body, err = json.Marshal(line)
	k.lines.add(e, err == nil)
}

// Lost returns how many lines were dropped because there was no room, or by errors of the store.
func (k *Kept) Lost() (full, unwritten int64) {
	if k == nil {
		return 0, 0
	}
	return k.lines.lost()
}

// Close keeps what waits, as far as the store takes it within some seconds.
func (k *Kept) Close() {
	if k == nil {
		return
	}
	k.lines.close()
	stop := time.AfterFunc(closeGrace, k.end)
	<-k.lines.ended
	stop.Stop()
	k.end()
}

func (k *Kept) run() {
	defer close(k.lines.ended)
	for lines := k.lines.next(); lines != nil; lines = k.lines.next() {
		for some := range slices.Chunk(lines, store.MaxAudit) {
			if err := k.put(some); err != nil {
				k.lines.lose(int64(len(some)))
			}
		}
	}
}

// put adds lines to the store, again and again while that is out of reach.
func (k *Kept) put(lines []store.AuditEntry) error {
	pause := retry.Backoff{First: 100 * time.Millisecond, Longest: 5 * time.Second}
	for first := true; ; first = false {
		err := k.store.AddAudit(k.life, lines, k.bounds)
		if err == nil {
			return nil
		}
		if first {
			k.failed(fmt.Errorf("keep audit log: %w", err))
		}
		if !errors.Is(err, store.ErrAway) {
			return err
		}
		if retry.Sleep(k.life, pause.Next()) != nil {
			return err
		}
	}
}
