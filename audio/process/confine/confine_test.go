//go:build linux && (amd64 || arm64)

package confine

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// attempting is the argument with which this test's program tries what it must not be able to.
const attempting = "attempt"

func TestMain(m *testing.M) {
	Enter()
	if len(os.Args) == 4 && os.Args[1] == attempting {
		attempt(os.Args[2], os.Args[3])
		return
	}
	os.Exit(m.Run())
}

// attempt does what a confined program must not be able to do, and prints what worked nevertheless.
// The file is that of somebody else, the process one to be let alone.
func attempt(file, process string) {
	other, err := strconv.Atoi(process)
	if err != nil {
		fmt.Println("no process to try on")
	}
	path, _ := unix.BytePtrFromString(file)
	limit := unix.Rlimit{Cur: 1, Max: 1}
	for name, err := range map[string]error{
		"read a file":           errorOf(os.ReadFile(file)),
		"list a folder":         errorOf(os.ReadDir(filepath.Dir(file))),
		"write a file":          os.WriteFile(file, nil, 0o600),
		"make a file":           os.WriteFile(file+".new", nil, 0o600),
		"make a folder":         os.Mkdir(file+".dir", 0o700),
		"remove a file":         os.Remove(file),
		"move a file":           os.Rename(file, file+".moved"),
		"cut a file":            unix.Truncate(file, 0),
		"change its mode":       unix.Chmod(file, 0o777),
		"change its times":      unix.UtimesNanoAt(unix.AT_FDCWD, file, make([]unix.Timespec, 2), 0),
		"change its owner":      unix.Chown(file, os.Getuid(), os.Getgid()),
		"set an attribute":      unix.Setxattr(file, "user.x", []byte("x"), 0),
		"see another process":   errorOf(os.ReadFile("/proc/" + process + "/environ")),
		"see itself":            errorOf(os.ReadFile("/proc/self/maps")),
		"signal a process":      unix.Kill(other, 0),
		"signal a thread":       unix.Tgkill(other, other, 0),
		"trace a process":       unix.PtraceAttach(other),
		"limit a process":       unix.Prlimit(other, unix.RLIMIT_CORE, &limit, nil),
		"slow a process":        unix.Setpriority(unix.PRIO_PROCESS, other, 19),
		"hold a process":        errorOf(unix.PidfdOpen(other, 0)),
		"leave its group":       unix.Setpgid(0, other),
		"start a process":       exec.Command("/usr/bin/true").Run(),
		"connect":               errorOf(unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)),
		"send datagrams":        errorOf(unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM, 0)),
		"speak to the system":   errorOf(unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)),
		"speak to itself":       errorOf(unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)),
		"make a file in memory": errorOf(unix.MemfdCreate("x", 0)),
		"make namespaces":       unix.Unshare(unix.CLONE_NEWUSER),
		"mount":                 unix.Mount("none", "/tmp", "tmpfs", 0, ""),
		"change its root":       unix.Chroot("/usr"),
		"queue calls":           called(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(new([120]byte)))),
		"load a program":        called(unix.SYS_BPF, 0, 0),
		"fork":                  called(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0),
		"a new call":            called(unix.SYS_SETXATTRAT, 0, uintptr(unsafe.Pointer(path))),
		"keep its environment":  environment(),
		"keep capabilities":     capabilities(),
	} {
		if err == nil {
			fmt.Println("could", name)
		}
	}
	if b, err := os.ReadFile("/proc/self/fd/0"); err != nil || string(b) != "recording" {
		fmt.Println("could not read its input:", err)
	}
	if _, err := os.ReadFile("/etc/ld.so.cache"); err != nil {
		fmt.Println("could not read what libraries there are:", err)
	}
	fmt.Println("done")
}

func errorOf[T any](_ T, err error) error { return err }

func called(number, a, b uintptr) error {
	n, _, errno := unix.RawSyscall(number, a, b, 0)
	if errno == 0 {
		if number == unix.SYS_CLONE && n == 0 { // the child
			unix.Exit(0)
		}
		return nil
	}
	return errno
}

func environment() error {
	if len(os.Environ()) == 0 {
		return os.ErrNotExist
	}
	return nil
}

func capabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var has [2]unix.CapUserData
	if err := unix.Capget(&header, &has[0]); err != nil {
		return nil
	}
	if has == ([2]unix.CapUserData{}) {
		return os.ErrPermission
	}
	return nil
}

// A confined program can do nothing of what it may not, as this user or as one without privileges.
func TestConfined(t *testing.T) {
	if _, err := known(); err != nil {
		t.Skip(err)
	}
	users := map[string]*syscall.Credential{"this user": nil}
	if os.Getuid() == 0 {
		users["nobody"] = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	for name, user := range users {
		t.Run(name, func(t *testing.T) {
			file, input := fileOf(t, user, "secret"), fileOf(t, user, "recording")
			stdin, err := os.Open(input)
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			victim := exec.Command("/usr/bin/sleep", "600") // of the same user
			victim.SysProcAttr = &syscall.SysProcAttr{Credential: user, Pdeathsig: syscall.SIGKILL}
			if err := victim.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = victim.Wait() }()
			defer func() { _ = victim.Process.Kill() }()
			out, err := confined(Rights{Programs: []string{"/proc/self/exe"}}, user, stdin, "/proc/self/exe",
				attempting, file, strconv.Itoa(victim.Process.Pid))
			if err != nil || out != "done\n" {
				t.Errorf("%v\n%s", err, out)
			}
			if b, err := os.ReadFile(file); err != nil || string(b) != "secret" {
				t.Errorf("the file became %q, %v", b, err)
			}
		})
	}
}

// What cannot be done is reported.
func TestFaultsAreTold(t *testing.T) {
	if _, err := known(); err != nil {
		t.Skip(err)
	}
	for program, want := range map[string]string{"/nonexistent": "no such file", "/etc": "permission denied"} {
		if out, err := confined(Rights{}, nil, nil, program); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v %s", program, err, out)
		}
	}
}

// fileOf makes a file of a user's that only this user may read, in a folder that all may see.
func fileOf(t *testing.T, user *syscall.Credential, content string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "confine")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if user != nil {
		for _, p := range []string{dir, path} {
			if err := os.Chown(p, int(user.Uid), int(user.Gid)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return path
}

// confined runs a program to its end and returns its output.
func confined(rights Rights, user *syscall.Credential, stdin *os.File, argv ...string) (string, error) {
	path, args := Command(rights, argv...)
	var out bytes.Buffer
	cmd := exec.Cmd{
		Path: path, Args: args, Env: []string{"SECRET=x"}, Dir: "/", Stdout: &out, Stderr: &out,
		SysProcAttr: &syscall.SysProcAttr{Credential: user, Pdeathsig: syscall.SIGKILL},
	}
	if stdin != nil {
		cmd.Stdin = stdin
	}
	err := cmd.Run()
	return out.String(), err
}
