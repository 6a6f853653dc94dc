package uploads

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"steno/session/filelock"
)

const (
	folderMode = 0o700
	fileMode   = 0o600
)

// Spool is a folder of this process alone, for uploads on their way in and copies of those that are
// read. A lock in it ends with the process; the next one that shares the parent removes what it
// left.
type Spool struct {
	Dir  string
	lock *os.File
}

// OpenSpool makes a folder within parent, which is made if it is not there, and removes those of
// dead processes.
func OpenSpool(parent string) (*Spool, error) {
	if err := os.MkdirAll(parent, folderMode); err != nil {
		return nil, fmt.Errorf("make spool: %w", err)
	}
	if err := sweepSpools(parent); err != nil {
		return nil, fmt.Errorf("sweep spool: %w", err)
	}
	// The name without a dot is given when the lock is held, so that no other process takes the
	// folder for a dead one's.
	dir, err := os.MkdirTemp(parent, ".new-")
	if err != nil {
		return nil, fmt.Errorf("make spool: %w", err)
	}
	lock, err := lockSpool(dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make spool: %w", err), os.RemoveAll(dir))
	}
	s := &Spool{Dir: filepath.Join(parent, "process-"+rand.Text()), lock: lock}
	if err := os.Rename(dir, s.Dir); err != nil {
		return nil, errors.Join(fmt.Errorf("make spool: %w", err), filelock.Close(lock), os.RemoveAll(dir))
	}
	return s, nil
}

// lockSpool takes the lock of a spool. Errors: filelock.ErrHeld where its process lives.
func lockSpool(dir string) (*os.File, error) {
	return filelock.Open(filepath.Join(dir, "lock"), fileMode)
}

func sweepSpools(parent string) error {
	dirs, err := filepath.Glob(filepath.Join(parent, "process-*"))
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		lock, err := lockSpool(dir)
		if errors.Is(err, filelock.ErrHeld) || errors.Is(err, os.ErrNotExist) {
			continue // it lives, or another process sweeps it
		}
		if err != nil {
			return err
		}
		if err := errors.Join(os.RemoveAll(dir), filelock.Close(lock)); err != nil {
			return err
		}
	}
	return nil
}

// create makes an empty file.
func (s *Spool) create() (*os.File, error) {
	return os.OpenFile(filepath.Join(s.Dir, rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
}

// Free is the room on its disk for this process's user, in bytes.
func (s *Spool) Free() (int64, error) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(s.Dir, &fs); err != nil {
		return 0, fmt.Errorf("look for room in %s: %w", s.Dir, err)
	}
	return int64(fs.Bavail) * int64(fs.Bsize), nil
}

// Close removes the folder with all that is in it.
func (s *Spool) Close() error { return errors.Join(os.RemoveAll(s.Dir), filelock.Close(s.lock)) }
