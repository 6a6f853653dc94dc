// Package limittest runs tests in a process whose files cannot grow beyond a size, as on a full
// disk.
package limittest

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

// variable makes the test binary one whose files cannot grow beyond Size.
const variable = "STENO_STORE_LIMITED"

// Size is the limit, in bytes: no whole number of blocks.
const Size = 1<<20 - 100

// Run runs the test again in a process of its own, under the limit, and reports whether this is
// that process. Where it is not, the test has nothing more to do.
func Run(t *testing.T) (limited bool) {
	t.Helper()
	if os.Getenv(variable) != "" {
		limit(t)
		return true
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), variable+"=1")
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return false
}

// limit sets the limit for this process. Writes beyond it fail; the signal sent with that is not
// wanted.
func limit(t *testing.T) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: Size, Max: Size}); err != nil {
		t.Fatal("limit file size:", err)
	}
}
