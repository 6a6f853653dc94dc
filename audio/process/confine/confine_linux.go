//go:build linux && (amd64 || arm64)

package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// marker is the name by which a process knows that it is to confine itself.
const marker = "steno-confine"

// failed is the exit code of a process that could not confine itself.
const failed = 126

// Command returns how to start this program again to become another one, confined to rights: its
// path, and its arguments, of which the first is its name. The first of argv is the path of what is
// run, which must be among the programs of rights or the system's.
func Command(rights Rights, argv ...string) (path string, args []string) {
	text, _ := json.Marshal(rights) // strings and flags cannot fail
	return "/proc/self/exe", append([]string{marker, string(text)}, argv...)
}

// Supported returns why this system cannot confine programs; nil if it can.
func Supported() error {
	if _, err := known(); err != nil {
		return err
	}
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	if errno != 0 {
		return fmt.Errorf("this kernel has no filters of system calls (seccomp): %w", errno)
	}
	return nil
}

// Enter confines this process and has it become the program it was started for, if Command made its
// arguments. Then it does not return. It must be called before anything else is done.
func Enter() {
	if len(os.Args) == 0 || os.Args[0] != marker {
		return
	}
	fmt.Fprintln(os.Stderr, "confine:", become(os.Args[1:]))
	os.Exit(failed)
}

// become returns only with an error. Rights belong to threads: all is done on the one that becomes
// the program.
func become(args []string) error {
	var rights Rights
	if len(args) < 2 {
		return errors.New("no program to run")
	}
	if err := json.Unmarshal([]byte(args[0]), &rights); err != nil {
		return fmt.Errorf("read rights: %w", err)
	}
	argv, environ := args[1:], []string{}
	if rights.Environ {
		environ = os.Environ()
	}
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("die with the parent: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("take no new privileges: %w", err)
	}
	if err := restrictFiles(&rights); err != nil {
		return err
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if err := filterCalls(&rights); err != nil {
		return err
	}
	return fmt.Errorf("run %s: %w", argv[0], syscall.Exec(argv[0], argv, environ))
}

// dropCapabilities leaves none. Since no new privileges are taken, running a program as root brings
// none back.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}

// filterCalls installs the filter of system calls.
func filterCalls(rights *Rights) error {
	program := filter(uint32(os.Getpid()), rights.Serve)
	f := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&f)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return fmt.Errorf("filter system calls (seccomp): %w", errno)
	}
	return nil
}
