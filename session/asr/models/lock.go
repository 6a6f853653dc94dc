package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"steno/session/retry"
)

// lockPoll is how often a lock that another process holds is tried again.
const lockPoll = 50 * time.Millisecond

// lock locks the model's name for this process until unlock is called. While another process holds
// the lock it waits, and calls busy once. The lock ends with the process. Its file stays, since
// removing it would let two processes in.
func lock(ctx context.Context, dir, name string, busy func()) (unlock func(), err error) {
	file, err := os.OpenFile(filepath.Join(dir, "."+name+".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for waited := false; ; waited = true {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { letGo(file) }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			_ = file.Close()
			return nil, fmt.Errorf("lock %s: %w", file.Name(), err)
		}
		if !waited {
			busy()
		}
		if err := retry.Sleep(ctx, lockPoll); err != nil {
			_ = file.Close()
			return nil, err
		}
	}
}

// letGo unlocks and closes a file. To close it would not be enough while another goroutine starts
// a program, which has the file too until it runs.
func letGo(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	_ = file.Close()
}
