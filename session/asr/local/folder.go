package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"steno/session/filelock"
)

const (
	// folderPrefix begins the names of private folders.
	folderPrefix = "steno-engine-"
	// lockName is the file in a private folder that its owner holds locked for as long as it lives.
	lockName = "lock"
	// maxSocketPath is the bound of Linux, 107 bytes, and of the BSDs, 103, less the file's name.
	maxSocketPath = 103 - len("/0000000000")
)

// folder is a private folder, mode 0700, and a lock that marks it as in use.
type folder struct {
	path string
	lock *os.File
}

// newFolder removes the folders that killed processes of the same user have left, and makes a
// private one.
func newFolder(parent string) (*folder, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, err
	}
	sweep(parent)
	return lockedFolder(parent)
}

// lockedFolder makes a folder with a lock.
func lockedFolder(parent string) (*folder, error) {
	path, err := os.MkdirTemp(parent, folderPrefix)
	if err != nil {
		return nil, err
	}
	if len(path) > maxSocketPath {
		return nil, errors.Join(fmt.Errorf("folder %s is too long a path for a socket", path), os.Remove(path))
	}
	lock, err := newLock(path)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	return &folder{path, lock}, nil
}

// newLock makes the lock of a folder. It has its name once it is locked, so that no sweep finds it
// before.
func newLock(path string) (lock *os.File, err error) {
	name := filepath.Join(path, lockName)
	if lock, err = os.OpenFile(name+".new", os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	if err = filelock.Try(lock); err == nil {
		err = os.Rename(name+".new", name)
	}
	if err != nil {
		return nil, errors.Join(err, filelock.Close(lock))
	}
	return lock, nil
}

// locked reports whether the locked file is still the one at its path.
func (f *folder) locked(current fs.FileInfo, err error) bool {
	if err != nil {
		return false
	}
	own, err := f.lock.Stat()
	return err == nil && os.SameFile(own, current)
}

// remove removes the folder, then releases the lock.
func (f *folder) remove() error { return errors.Join(os.RemoveAll(f.path), filelock.Close(f.lock)) }

// sweep removes the folders of this user whose owner is gone. It leaves a folder without a lock
// file alone, which may be about to get one. Errors are ignored: nothing depends on a sweep.
func sweep(parent string) {
	root, err := os.OpenRoot(parent)
	if err != nil {
		return
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), folderPrefix) && entry.IsDir() {
			sweepFolder(root, entry.Name())
		}
	}
}

func sweepFolder(root *os.Root, name string) {
	if info, err := root.Lstat(name); err != nil || !info.IsDir() || !mine(info) {
		return
	}
	path := filepath.Join(name, lockName)
	if info, err := root.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	lock, err := root.Open(path)
	if err != nil {
		return
	}
	f := folder{lock: lock}
	defer filelock.Close(lock)
	if filelock.Try(lock) != nil || !f.locked(root.Stat(path)) {
		return
	}
	_ = root.RemoveAll(name) // what cannot be removed stays
}

// mine reports whether a file belongs to the user of this process.
func mine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
