package valkeytest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// slowSync delays the calls by which a server has the disk sync a file.
const slowSync = `
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
int fdatasync(int fd) {
	usleep(%d);
	return syscall(SYS_fdatasync, fd);
}
`

// StartOnSlowDisk is Start of a server whose disk takes a time for each sync. While it syncs with
// appendfsync everysec, a server puts off writing to its append-only file, for two seconds at most,
// and answers all the same: that is what a Kill takes from it. The test is skipped where there is
// no C compiler.
func StartOnSlowDisk(t testing.TB, sync time.Duration, options ...string) *Server {
	t.Helper()
	compiler, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc: make deps installs it")
	}
	dir := t.TempDir()
	source, library := filepath.Join(dir, "slow.c"), filepath.Join(dir, "slow.so")
	if err := os.WriteFile(source, fmt.Appendf(nil, slowSync, sync.Microseconds()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("compile: %v\n%s", err, out)
	}
	return start(t, []string{"LD_PRELOAD=" + library}, options)
}
