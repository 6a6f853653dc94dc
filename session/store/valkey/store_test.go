package valkey

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/session/store"
	"steno/session/store/blob/blobtest"
	"steno/session/store/storetest"
	"steno/session/store/valkeytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestStore runs the suite with blobs in a folder, and what is kept in blobs with a bucket. Stores
// have prefixes of their own.
func TestStore(t *testing.T) {
	server, bucket := valkeytest.Start(t), blobtest.S3(t, nil)
	var prefixes atomic.Int64
	open := func(t *testing.T, now func() time.Time, blobs func(prefix string) string) store.Store {
		prefix := fmt.Sprint("p", prefixes.Add(1))
		s, err := Open(t.Context(), Options{
			Addr: fmt.Sprintf("valkey://%s?prefix=%s", server.Addr(), prefix), Node: "node", Now: now,
			Blobs: blobs(prefix), Spool: t.TempDir(), Failed: func(err error) { t.Error(err) },
		})
		must(t, err)
		return s
	}
	t.Run("folder", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T, now func() time.Time) store.Store {
			return open(t, now, func(string) string { return t.TempDir() })
		})
	})
	t.Run("bucket", func(t *testing.T) {
		storetest.RunFiles(t, func(t *testing.T, now func() time.Time) store.Store {
			return open(t, now, func(prefix string) string { return strings.Replace(bucket, "some/folder", prefix, 1) })
		})
	})
}
