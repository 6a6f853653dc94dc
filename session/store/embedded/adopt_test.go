package embedded

import (
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

// TestAdoptAfterRestart opens a folder again, in which sessions were left in every state: what was
// claimed has a resume window from then on, or its own grace, what never was the rest of its time,
// what was stopped is due immediately.
func TestAdoptAfterRestart(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	now := time.UnixMilli(1e12)
	open := func() *Store {
		t.Helper()
		s, err := OpenWith(ctx, dir, Options{Now: func() time.Time { return now }, ResumeWindow: 10 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s := open()
	for id, deadline := range map[string]time.Duration{"short": time.Second, "long": time.Minute, "left": time.Second,
		"stopped": time.Second, "over": time.Second, "brief": time.Second} {
		r := newRecord(id)
		if id == "brief" {
			r.Grace = 2 * time.Second
		}
		r.Deadline = now.Add(deadline)
		check(s.Create(ctx, r))
		if id == "short" || id == "long" {
			continue
		}
		check(s.SetStatus(ctx, "acme", id, messages.StatusProcessing))
		l, err := s.Claim(ctx, id, store.IfFree)
		check(err)
		if id == "stopped" {
			check(l.SetStopped(ctx))
		}
		if id == "over" {
			check(l.Finish(ctx, store.Outcome{}))
		}
		check(l.Release(time.Hour))
	}
	check(s.Close())
	now = now.Add(5 * time.Second)
	s = open()
	for _, step := range []struct {
		after time.Duration
		due   string
	}{{0, "stopped"}, {2 * time.Second, "stopped brief"}, {7 * time.Second, "stopped brief"},
		{time.Second, "stopped brief left short"}, {45 * time.Second, "stopped brief left short long"}} {
		now = now.Add(step.after)
		due, err := s.Adopt(ctx, 10)
		check(err)
		var ids []string
		for _, r := range due {
			ids = append(ids, r.ID)
		}
		got := map[string]bool{}
		for _, id := range ids {
			got[id] = true
		}
		for _, id := range strings.Fields(step.due) {
			if !got[id] {
				t.Errorf("%s is not due after %s: %v", id, step.after, ids)
			}
		}
		if len(ids) != len(strings.Fields(step.due)) || ids[0] != "stopped" {
			t.Errorf("due after %s are %v, want %s", step.after, ids, step.due)
		}
	}
	check(s.Close())
}
