//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	readAndRun = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	readFile   = unix.LANDLOCK_ACCESS_FS_READ_FILE
	readAll    = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	write      = readAll | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	// ofFile are the rights over files; rules for one that is no folder may have no other.
	ofFile = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// rights are those that each version of Landlock knows more than the one before: over files,
// network, other processes.
var rights = []unix.LandlockRulesetAttr{
	1: {Access_fs: unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1},
	2: {Access_fs: unix.LANDLOCK_ACCESS_FS_REFER},
	3: {Access_fs: unix.LANDLOCK_ACCESS_FS_TRUNCATE},
	4: {Access_net: unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP},
	5: {Access_fs: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
	6: {Scoped: unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL},
}

// system is what programs need of the system beside themselves: folders of programs and libraries,
// and single files. Debian's ffmpeg needs /etc/alternatives for its numerics libraries.
var system = []struct {
	path    string
	allowed uint64
}{
	{"/usr", readAndRun}, {"/bin", readAndRun}, {"/lib", readAndRun}, {"/lib32", readAndRun}, {"/lib64", readAndRun},
	{"/etc/alternatives", readAndRun}, {"/etc/ld.so.cache", readFile},
	{"/dev/null", readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE}, {"/dev/urandom", readFile}, {"/dev/zero", readFile},
}

// restrictFiles takes every right over files from this thread but those over the system's, standard
// input and what it is given.
func restrictFiles(rights *Rights) error {
	handled, err := known()
	if err != nil {
		return err
	}
	n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&handled)),
		unsafe.Sizeof(handled), 0)
	if errno != 0 {
		return fmt.Errorf("landlock: make rules: %w", errno)
	}
	r := ruleset{fd: int(n), handled: handled.Access_fs}
	defer func() { _ = unix.Close(r.fd) }()
	if err := r.fill(rights); err != nil {
		return err
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(r.fd), 0, 0); errno != 0 {
		return fmt.Errorf("landlock: restrict: %w", errno)
	}
	return nil
}

// ruleset is what is allowed so far of the rights that are taken away.
type ruleset struct {
	fd      int
	handled uint64 // rights over files
}

func (r ruleset) fill(rights *Rights) error {
	for _, s := range system {
		if err := r.allowPath(s.path, s.allowed); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	for _, path := range rights.Programs {
		if err := r.allowPath(path, readFile|unix.LANDLOCK_ACCESS_FS_EXECUTE); err != nil {
			return err
		}
	}
	for _, path := range rights.Read {
		if err := r.allowPath(path, readAll); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	for _, path := range rights.Write {
		if err := r.allowPath(path, write); err != nil {
			return err
		}
	}
	return r.allowInput()
}

// known is every right that this kernel can take away.
func known() (all unix.LandlockRulesetAttr, err error) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return all, fmt.Errorf("this kernel has no Landlock: %w", errno)
	}
	for _, more := range rights[1:min(int(version)+1, len(rights))] {
		all.Access_fs |= more.Access_fs
		all.Access_net |= more.Access_net
		all.Scoped |= more.Scoped
	}
	return all, nil
}

// allowInput allows standard input to be opened again, if it is a file.
func (r ruleset) allowInput() error {
	info, err := os.Stdin.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return r.allow(0, readFile)
}

func (r ruleset) allowPath(path string, allowed uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("landlock: %s: %w", path, err)
	}
	defer func() { _ = unix.Close(fd) }()
	var is unix.Stat_t
	if err := unix.Fstat(fd, &is); err != nil {
		return fmt.Errorf("landlock: %s: %w", path, err)
	}
	if is.Mode&unix.S_IFMT != unix.S_IFDIR {
		allowed &= ofFile
	}
	return r.allow(fd, allowed)
}

// allow allows what this kernel can take away of the rights over a file, or beneath a folder.
func (r ruleset) allow(fd int, allowed uint64) error {
	rule := unix.LandlockPathBeneathAttr{Allowed_access: allowed & r.handled, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("landlock: add a rule: %w", errno)
	}
	return nil
}
