//go:build linux && (amd64 || arm64)

package confine

import (
	"slices"

	"golang.org/x/sys/unix"
)

// newest is the newest system call that the lists below consider. Later ones are answered with
// ENOSYS.
const newest = unix.SYS_MSEAL

// denied are the calls that fail with EPERM on every architecture; see also deniedHere.
var denied = []uint32{
	// sockets; see also serving
	unix.SYS_SOCKETPAIR, unix.SYS_CONNECT,
	// io_uring, which can make all of them
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	// other processes
	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	unix.SYS_PIDFD_GETFD, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV,
	unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE, unix.SYS_KCMP, unix.SYS_MOVE_PAGES,
	unix.SYS_MIGRATE_PAGES, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM,
	unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_SETAFFINITY, unix.SYS_IOPRIO_SET, unix.SYS_SETSID,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMCTL, unix.SYS_SEMOP,
	unix.SYS_SEMTIMEDOP,
	unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	// calls on files that Landlock does not cover
	unix.SYS_TRUNCATE, unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT,
	unix.SYS_UTIMENSAT, unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR,
	unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_MKNODAT, unix.SYS_NAME_TO_HANDLE_AT,
	unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK, unix.SYS_QUOTACTL,
	unix.SYS_QUOTACTL_FD, unix.SYS_FLOCK,
	// the system
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_SETNS,
	unix.SYS_UNSHARE, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_REBOOT, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEYCTL, unix.SYS_ADD_KEY,
	unix.SYS_REQUEST_KEY,
	unix.SYS_ACCT, unix.SYS_SYSLOG, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME,
	unix.SYS_ADJTIMEX,
	unix.SYS_PERSONALITY, unix.SYS_VHANGUP, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT,
}

// Offsets in the data that a filter reads (struct seccomp_data). Arguments have 64 bits, the lower
// half first.
const (
	atNumber = 0
	atArch   = 4
	atFirst  = 16
	atSecond = 24
)

const (
	allowed    = unix.SECCOMP_RET_ALLOW
	forbidden  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	notThere   = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	killed     = unix.SECCOMP_RET_KILL_PROCESS
	jumpEqual  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	jumpAbove  = unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K
	jumpAnyBit = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
)

// serving are calls that only programs that serve may make.
var serving = []uint32{unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_PIDFD_SEND_SIGNAL}

// inOneWay are calls that such programs may make in one way alone.
var inOneWay = []uint32{unix.SYS_SOCKET, unix.SYS_PIDFD_OPEN, unix.SYS_SETPGID, unix.SYS_SETPRIORITY}

// namespaces are the flags of clone that make some.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// filter returns the program that decides on the system calls of the process pid, which may serve
// others or not.
func filter(pid uint32, serves bool) []unix.SockFilter {
	program := []unix.SockFilter{
		load(atArch), {Code: jumpEqual, K: arch, Jt: 1}, answer(killed),
		load(atNumber), {Code: jumpAbove, K: newest, Jf: 1}, answer(notThere), // also what belongs to x32
	}
	all := slices.Concat(denied, deniedHere)
	if !serves {
		all = slices.Concat(all, serving, inOneWay)
	}
	for _, number := range all {
		program = append(program, unix.SockFilter{Code: jumpEqual, K: number, Jf: 1}, answer(forbidden))
	}
	// A filter cannot see the flags of clone3; without it the C library uses clone.
	program = append(program, unix.SockFilter{Code: jumpEqual, K: unix.SYS_CLONE3, Jf: 1}, answer(notThere))
	if serves {
		program = append(program, servingOnly(pid)...)
	} else {
		program = append(program, onlyIf(unix.SYS_CLONE, atFirst, jumpAnyBit, unix.CLONE_THREAD)...)
	}
	program = append(program, onlyIf(unix.SYS_TGKILL, atFirst, jumpEqual, pid)...)  // itself, as abort does
	program = append(program, onlyIf(unix.SYS_PRLIMIT64, atFirst, jumpEqual, 0)...) // itself
	return append(program, answer(allowed))
}

// servingOnly returns the part of the filter for what programs that serve may do in one way alone:
// sockets are Unix sockets; priorities are those of the calling thread; processes are made in no
// namespaces of their own, but in groups of their own, and are signalled by the descriptors that
// they were made with. By a number a program gets no descriptor but its own.
func servingOnly(pid uint32) []unix.SockFilter {
	return slices.Concat(
		onlyIf(unix.SYS_SOCKET, atFirst, jumpEqual, unix.AF_UNIX),
		onlyIf(unix.SYS_SETPGID, atFirst, jumpEqual, 0),
		onlyIf(unix.SYS_SETPRIORITY, atSecond, jumpEqual, 0),
		onlyIf(unix.SYS_PIDFD_OPEN, atFirst, jumpEqual, pid),
		unless(unix.SYS_CLONE, atFirst, jumpAnyBit, namespaces),
	)
}

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

func answer(with uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: with}
}

// unless denies a call if the test holds for the part at an offset, and allows it otherwise. It
// expects the number of the call to be loaded.
func unless(call, at uint32, test uint16, value uint32) []unix.SockFilter {
	return []unix.SockFilter{
		{Code: jumpEqual, K: call, Jf: 4},
		load(at), {Code: test, K: value, Jf: 1}, answer(forbidden), answer(allowed),
	}
}

// onlyIf allows a call if the test holds for the part at an offset, and denies it otherwise. It
// expects the number of the call to be loaded.
func onlyIf(call, at uint32, test uint16, value uint32) []unix.SockFilter {
	return []unix.SockFilter{
		{Code: jumpEqual, K: call, Jf: 4},
		load(at), {Code: test, K: value, Jf: 1}, answer(allowed), answer(forbidden),
	}
}
