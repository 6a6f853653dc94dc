// Package filelock locks files, for one process of the machine at a time. A lock ends with its
// process, however that dies.
package filelock

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ErrHeld is the error of a lock that is held elsewhere.
const ErrHeld = syscall.EWOULDBLOCK

// Open opens a file, which is made with the mode if it is not there, and locks it, without waiting.
// The caller must call Close. Errors: ErrHeld.
func Open(path string, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	if err := Try(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Try locks an open file, without waiting. Errors: ErrHeld.
func Try(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EINTR {
			return os.NewSyscallError("flock", err)
		}
	}
}

// Close unlocks a file and closes it. To close it would not be enough while another goroutine
// starts a program, which has the file too until it runs.
func Close(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}
