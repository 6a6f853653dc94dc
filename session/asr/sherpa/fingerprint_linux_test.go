package sherpa

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// TestFingerprintOfRights lets a file be read that could not be, which changes none of its times.
func TestFingerprintOfRights(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Chmod(".", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("tokens.txt", nil, 0); err != nil {
		t.Fatal(err)
	}
	look := func() (print string) {
		asNobody(t, func() {
			var err error
			if print, err = fingerprint("."); err != nil {
				t.Fatal(err)
			}
		})
		return print
	}
	before := look()
	if look() != before {
		t.Error("the folder did not change, and its fingerprint did")
	}
	if err := os.Chmod("tokens.txt", 0o644); err != nil {
		t.Fatal(err)
	}
	if look() == before {
		t.Error("a file can be read now, and the fingerprint is as before")
	}
}

// asNobody calls f without root's rights to files, if this process has them.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	runtime.LockOSThread() // the rights are the thread's
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Error(err)
		}
	}()
	f()
}
