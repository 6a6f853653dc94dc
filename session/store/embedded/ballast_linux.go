package embedded

import (
	"os"

	"golang.org/x/sys/unix"
)

// takeRoom has a file take so many bytes of the disk.
func takeRoom(f *os.File, size int64) error {
	return os.NewSyscallError("fallocate", unix.Fallocate(int(f.Fd()), 0, 0, size))
}
