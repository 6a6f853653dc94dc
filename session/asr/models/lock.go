package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"steno/session/filelock"
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
		err := filelock.Try(file)
		if err == nil {
			return func() { _ = filelock.Close(file) }, nil
		}
		if !errors.Is(err, filelock.ErrHeld) {
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
