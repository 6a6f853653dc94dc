package embedded

import (
	"context"
	"fmt"
	"syscall"
)

// Free implements store.Store: the room that the data folder's file system has for this process's user.
func (s *Store) Free(ctx context.Context) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("look for room: %w", err)
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(s.dir, &fs); err != nil {
		return 0, fmt.Errorf("look for room in %s: %w", s.dir, err)
	}
	return int64(fs.Bavail) * int64(fs.Bsize), nil
}
