package valkey

import (
	"testing"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkeytest"
)

// The first events that are kept may all be of records that were deleted since: a follower still learns that others before them
// are not kept.
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
	must(t, n.client.Do(t.Context(), n.client.B().Xtrim().Key(n.prefix+"account:acme").Maxlen().Threshold("2").Build()).Error())
	must(t, n.client.Do(t.Context(), n.client.B().Hset().Key(n.prefix+"accounts:trimmed").FieldValue().
		FieldValue("acme", decimal(all[0].N)).Build()).Error())
	must(t, n.Delete(t.Context(), "acme", "deleted"))
	for limit := range 3 {
		list, whole, err := n.AccountEvents(t.Context(), "acme", 0, limit+1)
		must(t, err)
		if len(list) != 1 || list[0].Kind != messages.KindFinal || list[0].Session != "newest" || whole {
			t.Errorf("at most %d events: %v, whole %v", limit+1, list, whole)
		}
	}
}
