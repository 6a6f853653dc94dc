package embedded

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

// limitVariable makes the test binary one whose files cannot grow beyond limitedSize.
const limitVariable = "STENO_STORE_LIMITED"

const limitedSize = 1<<20 - 100 // no whole number of blocks

// runLimited runs the calling test again in a process of its own, under the limit.
func runLimited(t *testing.T) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), limitVariable+"=1")
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// limitFiles sets the limit for this process. Writes beyond it fail; the signal sent with that is
// not wanted.
func limitFiles() {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limitedSize, Max: limitedSize}); err != nil {
		fmt.Fprintln(os.Stderr, "limit file size:", err)
		os.Exit(1)
	}
}
