package live

import (
	"testing"

	"steno/session/store"
)

// Records of earlier versions have no key; their sessions are not revoked.
func TestRecordWithoutKey(t *testing.T) {
	if err := new(Sessions).checkKey(t.Context(), store.Record{}); err != nil {
		t.Errorf("a session without a known key: %v", err)
	}
}
