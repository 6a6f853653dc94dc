package confine

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_X86_64

// deniedHere are the older forms of calls that newer architectures do not have.
var deniedHere = []uint32{
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES,
	unix.SYS_FUTIMESAT, unix.SYS_MKNOD, unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB,
	unix.SYS_CREATE_MODULE,
}
