package embedded

import (
	"strings"
	"testing"

	"steno/messages"
	"steno/session/store"
)

// The kinds that the statements and the index name are those of the account's log, and the index is
// used.
func TestAccountLogIndex(t *testing.T) {
	s := openIn(t, t.TempDir())
	defer s.Close()
	for _, k := range messages.Kinds() {
		var listed bool
		if err := s.read.QueryRow(`SELECT ? IN (4, 7, 11)`, int64(k)).Scan(&listed); err != nil ||
			listed != store.AccountKinds.Has(k) {
			t.Errorf("kind %d in the index: %v, %v", k, listed, err)
		}
	}
	for _, statement := range []string{accountEvents, accountTail, accountEnd} {
		var id, parent, unused int
		var plan string
		if err := s.read.QueryRow("EXPLAIN QUERY PLAN "+statement, "acme", 0, 10).Scan(&id, &parent, &unused,
			&plan); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plan, "events_of_account") {
			t.Errorf("%s\nis done by %s", statement, plan)
		}
	}
}
