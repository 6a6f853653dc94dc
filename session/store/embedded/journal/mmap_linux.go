package journal

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// canMap reports whether room in a file that was asked for is there for good: elsewhere a full disk
// would end the process when it changes what is mapped.
func canMap(f *os.File) bool {
	var fs unix.Statfs_t
	if unix.Fstatfs(int(f.Fd()), &fs) != nil {
		return false
	}
	switch int64(fs.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.TMPFS_MAGIC:
		return true
	}
	return false
}

// mapPart makes a part of a file, and maps it. It is full of zeros.
func mapPart(f *os.File, from int64, size int) ([]byte, error) {
	if err := unix.Fallocate(int(f.Fd()), 0, from, int64(size)); err != nil {
		return nil, os.NewSyscallError("fallocate", err)
	}
	b, err := syscall.Mmap(int(f.Fd()), from, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	return b, os.NewSyscallError("mmap", err)
}

func unmap(b []byte) error { return os.NewSyscallError("munmap", syscall.Munmap(b)) }
