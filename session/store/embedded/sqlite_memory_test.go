package embedded

import (
	"encoding/binary"
	"testing"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"
)

// TestCachedPages wants the pages that connections cache to be in the memory that keepPages
// provides.
func TestCachedPages(t *testing.T) {
	s := openIn(t, t.TempDir())
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if used := sqliteStatus(t, sqlite.SQLITE_STATUS_PAGECACHE_USED); used == 0 || used > cachedPages {
		t.Errorf("%d pages are cached, want from 1 to %d", used, cachedPages)
	}
	if size := sqliteStatus(t, sqlite.SQLITE_STATUS_PAGECACHE_SIZE); size <= 4096 || size > cachedPage {
		t.Errorf("a cached page takes %d bytes, want at most %d", size, cachedPage)
	}
}

// sqliteStatus is the current value of a figure of the whole process, or the highest one for the
// size of a page.
func sqliteStatus(t *testing.T, figure int32) int {
	t.Helper()
	thread := libc.NewTLS()
	defer thread.Close()
	const size = 8 // of a figure
	at := libc.NewVaListN(2)
	defer libc.Xfree(thread, at)
	if code := sqlite.Xsqlite3_status64(thread, figure, at, at+size, 0); code != sqlite.SQLITE_OK {
		t.Fatalf("status of SQLite: %d", code)
	}
	b := libc.GoBytes(at, 2*size)
	return int(max(binary.NativeEndian.Uint64(b), binary.NativeEndian.Uint64(b[size:])))
}
