package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"steno/session/store"
)

// smallDisk is a folder on a file system of so many bytes. Tests are skipped where none can be
// mounted.
func smallDisk(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skip("no file system can be mounted:", err)
	}
	t.Cleanup(func() { fatal(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// fill writes a file until not one byte more is taken.
func fill(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "everything"))
	fatal(t, err)
	for block := make([]byte, 1<<16); len(block) > 0; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2]
		} else {
			fatal(t, err)
		}
	}
	fatal(t, f.Close())
}

// TestDeletionOnAFullDisk fills the disk to the last byte, by what is not the store's. Records,
// uploads, keys and tokens are deleted all the same, and when there is room again the next time as
// well.
func TestDeletionOnAFullDisk(t *testing.T) {
	dir := smallDisk(t, 32<<20)
	s := openIn(t, filepath.Join(dir, "data"))
	all := leaveTraces(t, s, 40)
	token := traceToken(&traces{id: "own", next: all[0].next})
	token.Sessions = nil
	fatal(t, s.AddToken(t.Context(), token), s.awaitErased(t.Context()))
	for round := range 2 {
		fill(t, dir)
		for i := range 10 {
			fatal(t, s.Delete(t.Context(), "acme", all[10*round+i].id))
		}
		if round == 0 {
			fatal(t, s.RemoveToken(t.Context(), "acme", token.ID))
		}
		fatal(t, os.Remove(filepath.Join(dir, "everything")), s.awaitErased(t.Context()))
		fatal(t, s.Create(t.Context(), newRecord(fmt.Sprint("new-", round))))
	}
	if _, err := s.Get(t.Context(), "acme", all[30].id); err != nil {
		t.Error(err)
	}
	if _, err := s.Get(t.Context(), "acme", all[3].id); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	fatal(t, s.Close())
}
