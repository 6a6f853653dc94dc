package embedded

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// visitorVariable makes the test binary one that would remove the write-ahead log of the data
// folder it names, if it could: as programs of SQLite do that are the last to close a database.
const visitorVariable = "STENO_STORE_VISITOR"

// visit takes the lock that it takes to be the last one: SQLite's for writing, on all the bytes of
// which each connection has one locked for reading. It returns 0 if others have the database.
func visit(dir string) int {
	f, err := os.OpenFile(filepath.Join(dir, "steno.db"), os.O_RDWR, 0)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	defer f.Close()
	const sharedFirst, sharedSize = 0x40000000 + 2, 510
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_WRLCK, Start: sharedFirst,
		Len: sharedSize}); err != nil {
		return 0
	}
	fmt.Println("nobody has the database")
	return 1
}

// TestOthersSeeThatItIsOpen has another process look whether it may remove the write-ahead log,
// before and after the store has erased something. If it did, what the store writes would go into a
// file without a name.
func TestOthersSeeThatItIsOpen(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	others := func() {
		t.Helper()
		visitor := exec.CommandContext(t.Context(), os.Args[0])
		visitor.Env = append(os.Environ(), visitorVariable+"="+dir)
		if out, err := visitor.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
	all := leaveTraces(t, s, 4)
	others()
	deleteEven(t, s, all)
	fatal(t, s.awaitErased(t.Context()))
	others()
	fatal(t, s.Close())
}

// A folder is free once its store is closed, though a program that was being started meanwhile has
// its lock file too.
func TestFreeOnceClosed(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	theirs, err := syscall.Dup(int(s.lock.Fd())) // as a child has it before it runs its program
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(theirs)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
