package claims

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkeytest"
)

// The first events that are kept may all be of records that were deleted since: a follower still
// learns that others before them are not kept.
func TestAccountLogIsCutBeforeDeleted(t *testing.T) {
	n := openNode(t, valkeytest.Start(t).Addr(), "node", t.TempDir())
	for _, id := range []string{"oldest", "deleted", "newest"} {
		n.create(id)
		l := n.claim(id, store.IfFree)
		logEvent(t, l, id)
		settled(t, l)
		must(t, l.Finish(t.Context(), store.Outcome{}))
		must(t, l.Close())
	}
	all, _, err := n.AccountEvents(t.Context(), "acme", 0, 10)
	must(t, err)
	// The log is cut as account_append does where there are too many.
	must(t, n.Client.Do(t.Context(),
		n.Client.B().Xtrim().Key(n.Prefix+"account:acme").Maxlen().Threshold("2").Build()).Error())
	must(t, n.Client.Do(t.Context(), n.Client.B().Hset().Key(n.Prefix+"accounts:trimmed").FieldValue().
		FieldValue("acme", server.Decimal(all[0].N)).Build()).Error())
	must(t, n.Delete(t.Context(), "acme", "deleted"))
	for limit := range 3 {
		list, whole, err := n.AccountEvents(t.Context(), "acme", 0, limit+1)
		must(t, err)
		if len(list) != 1 || list[0].Kind != messages.KindFinal || list[0].Session != "newest" || whole {
			t.Errorf("at most %d events: %v, whole %v", limit+1, list, whole)
		}
	}
}

// countingBlobs counts the objects that are read as a whole.
type countingBlobs struct {
	tier.Blobs
	read int
}

func (b *countingBlobs) ReadAll(ctx context.Context, name string, limit int64) ([]byte, error) {
	b.read++
	return b.Blobs.ReadAll(ctx, name, limit)
}

// TestAccountLogOfArchives lists events of sessions that spoke at the same time and were archived
// since: each archive is read once.
func TestAccountLogOfArchives(t *testing.T) {
	n := openNode(t, valkeytest.Start(t).Addr(), "node", t.TempDir())
	const sessions, rounds = tier.MaxCached + 2, 3
	handles := make([]*Live, sessions)
	var want []string
	for round := range rounds {
		for i := range handles {
			id := fmt.Sprint("session-", i)
			if round == 0 {
				n.create(id)
				handles[i] = n.claim(id, store.IfFree)
			}
			name := fmt.Sprint(i, ".", round)
			logEvent(t, handles[i], name)
			settled(t, handles[i])
			want = append(want, name)
		}
	}
	for _, l := range handles {
		must(t, l.Finish(t.Context(), store.Outcome{}))
		must(t, l.Close())
		must(t, n.Tier.Archive(t.Context(), l.id))
	}
	counted := &countingBlobs{Blobs: n.Tier.Blobs}
	n.Tier.Blobs = counted
	list, whole, err := n.AccountEvents(t.Context(), "acme", 0, 100)
	must(t, err)
	var got []string
	for _, e := range list {
		got = append(got, e.Subject)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") || !whole {
		t.Errorf("events %s, want %s; whole %v", got, want, whole)
	}
	if counted.read > sessions {
		t.Errorf("%d archives were read %d times", sessions, counted.read)
	}
}
