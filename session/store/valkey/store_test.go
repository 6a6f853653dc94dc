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

// TestStore runs the suite with blobs in a folder and with blobs in a bucket. Stores have prefixes
// of their own.
func TestStore(t *testing.T) {
	server, bucket := valkeytest.Start(t), blobtest.S3(t, nil)
	var prefixes atomic.Int64
	for name, blobs := range map[string]func(t *testing.T, prefix string) string{
		"folder": func(t *testing.T, _ string) string { return t.TempDir() },
		"bucket": func(_ *testing.T, prefix string) string { return strings.Replace(bucket, "some/folder", prefix, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T, now func() time.Time) store.Store {
				prefix := fmt.Sprint("p", prefixes.Add(1))
				s, err := Open(t.Context(), Options{
					Addr: fmt.Sprintf("valkey://%s?prefix=%s", server.Addr(), prefix), Node: "node", Now: now,
					Blobs: blobs(t, prefix), Spool: t.TempDir(), Failed: func(err error) { t.Error(err) },
				})
				must(t, err)
				return s
			})
		})
	}
}
