package valkey

import (
	"crypto/sha256"
	"io"
	"testing"
	"time"

	"steno/session/store"
	"steno/session/store/valkeytest"
)

// nodeWithClock opens the store of a node whose clock is ahead of the server's, and returns that
// clock.
func nodeWithClock(t *testing.T, addr, name, blobs string, ahead time.Duration) (n node, now func() time.Time) {
	t.Helper()
	n = openNode(t, addr, name, blobs)
	n.Here = func() time.Time { return time.Now().Add(ahead) }
	return n, n.Here
}

// digest is a hash that a text stands for.
func digest(text string) []byte {
	hash := sha256.Sum256([]byte(text))
	return hash[:]
}

// TestClocksOfNodes checks that what lasts for a time lasts as long on every node, whichever node
// has set it.
func TestClocksOfNodes(t *testing.T) {
	addr, blobs := valkeytest.Start(t).Addr(), t.TempDir()
	late, lateNow := nodeWithClock(t, addr, "late", blobs, -10*time.Minute)
	early, earlyNow := nodeWithClock(t, addr, "early", blobs, 10*time.Minute)
	ctx := t.Context()

	t.Run("tickets", func(t *testing.T) {
		must(t, late.AddTicket(ctx, store.Ticket{Hash: digest("a"), Credential: digest("k"),
			ExpiresAt: lateNow().Add(time.Minute)}))
		if _, err := early.UseTicket(ctx, digest("a")); err != nil {
			t.Errorf("a ticket of a minute: %v", err)
		}
		must(t, early.AddTicket(ctx, store.Ticket{Hash: digest("b"), Credential: digest("k"), ExpiresAt: earlyNow()}))
		if _, err := late.UseTicket(ctx, digest("b")); err == nil {
			t.Error("a ticket that has expired is used")
		}
	})
	t.Run("tokens", func(t *testing.T) {
		token := store.Token{
			ID: "token-1", Hash: digest("1"), Account: "acme", Key: digest("k"), Scopes: store.ScopeRead,
			CreatedAt: lateNow(), ExpiresAt: lateNow().Add(time.Minute),
		}
		must(t, late.AddToken(ctx, token))
		for now, n := range map[*node]func() time.Time{&late: lateNow, &early: earlyNow} {
			got, err := now.Token(ctx, token.Hash)
			must(t, err)
			if left := got.ExpiresAt.Sub(n()); left <= 0 || left > 2*time.Minute {
				t.Errorf("a token of a minute lasts %s", left)
			}
		}
		list, err := early.ListTokens(ctx, "acme")
		if err != nil || len(list) != 1 || list[0].ExpiresAt.UnixMilli() != token.ExpiresAt.UnixMilli() {
			t.Errorf("listed is %v, %v, not what was told", list, err)
		}
	})
	t.Run("deadlines", func(t *testing.T) {
		due := func(n node) (ids []string) {
			list, err := n.Adopt(ctx, 10)
			must(t, err)
			for _, r := range list {
				ids = append(ids, r.ID)
			}
			return ids
		}
		soon, over := liveRecord("soon"), liveRecord("over")
		soon.Deadline, over.Deadline = lateNow().Add(time.Minute), earlyNow()
		must(t, late.Create(ctx, soon))
		must(t, early.Create(ctx, over))
		if ids := due(early); len(ids) != 1 || ids[0] != "over" {
			t.Errorf("due are %v, not the session whose time is over", ids)
		}
	})
	t.Run("retention", func(t *testing.T) {
		done := liveRecord("done")
		must(t, late.Create(ctx, done))
		h := late.claim("done", store.TakeOver)
		must(t, h.Finish(ctx, store.Outcome{}))
		must(t, h.Close())
		before := store.Expired{Before: earlyNow().Add(-time.Minute)}
		if list, err := early.Expired(ctx, before, 10); err != nil || len(list) != 0 {
			t.Errorf("finished a minute ago: %v, %v", list, err)
		}
		before = store.Expired{Before: lateNow().Add(time.Minute)}
		if list, err := late.Expired(ctx, before, 10); err != nil || len(list) != 1 {
			t.Errorf("finished by now: %v, %v", list, err)
		}
	})
	t.Run("uploads", func(t *testing.T) {
		w, err := late.NewUpload(ctx, "file")
		must(t, err)
		_, err = io.WriteString(w, "audio")
		must(t, err)
		_, err = w.Commit(ctx, store.Upload{Account: "acme", CreatedAt: lateNow()})
		must(t, err)
		if list, err := early.UnusedUploads(ctx, earlyNow().Add(-time.Minute), 10); err != nil || len(list) != 0 {
			t.Errorf("unused for a minute: %v, %v", list, err)
		}
		if list, err := late.UnusedUploads(ctx, lateNow().Add(time.Minute), 10); err != nil || len(list) != 1 {
			t.Errorf("unused by now: %v, %v", list, err)
		}
	})
	t.Run("deliveries", func(t *testing.T) {
		addJob(t, early.Store, "job")
		must(t, early.Enqueue(ctx, callback("job", "end")))
		must(t, late.Sent(ctx, claimOne(t, late.Store, time.Minute, "end")))
		if n, err := early.PruneDeliveries(ctx, earlyNow().Add(-time.Minute)); err != nil || n != 0 {
			t.Errorf("%d deliveries of a minute ago are forgotten, %v", n, err)
		}
		if n, err := late.PruneDeliveries(ctx, lateNow().Add(time.Minute)); err != nil || n != 1 {
			t.Errorf("%d deliveries are forgotten, %v", n, err)
		}
	})
}
