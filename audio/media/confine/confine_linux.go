//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// marker is the name by which a process knows that it is to confine itself.
const marker = "steno-confine"

// failed is the exit code of a process that could not confine itself.
const failed = 126

// Command returns how to start this program again to become another one, confined: its path, and
// its arguments, of which the first is its name. The programs are further files that may be read
// and run; the first of argv is the path of what is run.
func Command(programs []string, argv ...string) (path string, args []string) {
	args = append([]string{marker}, programs...)
	return "/proc/self/exe", append(append(args, "--"), argv...)
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
	split := slices.Index(args, "--")
	if split < 0 || split+1 == len(args) {
		return errors.New("no program to run")
	}
	programs, argv := args[:split], args[split+1:]
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("die with the parent: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("take no new privileges: %w", err)
	}
	if err := restrictFiles(programs); err != nil {
		return err
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if err := filterCalls(); err != nil {
		return err
	}
	return fmt.Errorf("run %s: %w", argv[0], syscall.Exec(argv[0], argv, []string{}))
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
func filterCalls() error {
	program := filter(uint32(os.Getpid()))
	f := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&f)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return fmt.Errorf("filter system calls (seccomp): %w", errno)
	}
	return nil
}
