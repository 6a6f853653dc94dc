package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// system is a Debian system in a folder. Processes in it have their own processes, mounts and
// network.
type system struct {
	t    *testing.T
	root string
}

// slow skips a test that takes minutes and needs root, unless it is asked for.
func slow(t *testing.T) {
	t.Helper()
	if os.Getenv("STENO_DIST_TEST") == "" {
		t.Skip("make dist-test runs it")
	}
	if os.Getuid() != 0 {
		t.Fatal("systems are installed by root alone")
	}
}

var base struct {
	once sync.Once
	dir  string
	err  error
}

// debian returns a clean system of Debian 12, made of the one that all tests share.
func debian(t *testing.T) *system {
	t.Helper()
	base.once.Do(func() {
		if base.dir, base.err = os.MkdirTemp("", "steno-dist-"); base.err != nil {
			return
		}
		var out []byte
		out, base.err = exec.Command("debootstrap", "--variant=minbase", "bookworm",
			filepath.Join(base.dir, "debian")).CombinedOutput()
		if base.err != nil {
			base.err = fmt.Errorf("%w\n%s", base.err, out)
		}
	})
	if base.err != nil {
		t.Fatal(base.err)
	}
	return over(t, filepath.Join(base.dir, "debian"))
}

// over returns a system that begins as another.
func over(t *testing.T, lower string) *system {
	t.Helper()
	dir, err := os.MkdirTemp(base.dir, "system-")
	if err != nil {
		t.Fatal(err)
	}
	s := &system{t, filepath.Join(dir, "root")}
	for _, name := range []string{"root", "upper", "work"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%s/work", lower, dir, dir)
	layered := syscall.Mount("overlay", s.root, "overlay", 0, options)
	if layered != nil { // a container's own root, for one, cannot be the upper layer
		if out, err := exec.Command("cp", "-a", lower+"/.", s.root).CombinedOutput(); err != nil {
			t.Fatalf("neither layered (%v) nor copied: %v\n%s", layered, err, out)
		}
	}
	t.Cleanup(func() {
		if layered == nil {
			if err := syscall.Unmount(s.root, syscall.MNT_DETACH); err != nil {
				t.Error(err)
			}
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestMain(m *testing.M) {
	code := m.Run()
	if base.dir != "" {
		_ = os.RemoveAll(base.dir)
	}
	os.Exit(code)
}

// path is that of a file of the system on this one.
func (s *system) path(name string) string { return filepath.Join(s.root, name) }

func (s *system) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// enter begins a process: devices and proc are mounted for it alone, $root is the system. Bound to
// itself the root is a mount, which can be made read-only without those below it.
const enter = `set -e
mount --make-rprivate /
ip link set lo up 2>/dev/null || true
[ -z "$host" ] || echo "$host" >/proc/sys/kernel/hostname
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
	: >"$root/dev/$device"
	mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm"
for bind in $binds; do
	[ -n "$readonly" ] || mkdir -p "$root${bind#*:}"
	mount --bind "${bind%%:*}" "$root${bind#*:}"
done
[ -z "$readonly" ] || mount -o remount,bind,ro "$root"
exec $limit chroot --userspec="$user" "$root" /usr/bin/env -i -C "$cwd" "$@"
`

// command is a process of a system.
type command struct {
	args     []string // the program and its arguments; $ is not expanded
	env      []string
	user     string // uid:gid; empty: root
	cwd      string // empty: /
	binds    []string
	readonly bool   // all but binds
	limited  bool   // it cannot gain privileges
	network  bool   // that of this machine
	host     string // of a network of hosts, whose network and name it has; empty: a network of its own
}

const searchPath = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// output is what a process has printed so far. Its methods may be called from any goroutine.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds text. It does not fail.
func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(text)
}

// String returns what was printed.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start starts a process as the first one of its system. kill it, or cancel ctx, and wait for it.
func (s *system) start(ctx context.Context, c command, out *output) *exec.Cmd {
	s.t.Helper()
	args := []string{"unshare", "--mount", "--pid", "--uts", "--fork", "--kill-child"}
	if c.host != "" {
		args = append([]string{"ip", "netns", "exec", namespace(c.host)}, args...)
	} else if !c.network {
		args = append(args, "--net")
	}
	args = append(args, "sh", "-c", enter, "enter", searchPath)
	args = append(append(args, c.env...), c.args...)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	readonly, limit := "", ""
	if c.readonly {
		readonly = "yes"
	}
	if c.limited {
		limit = "setpriv --no-new-privs"
	}
	cmd.Env = append(os.Environ(), "root="+s.root, "readonly="+readonly, "limit="+limit, "binds="+strings.Join(c.binds,
		" "),
		"user="+cmp.Or(c.user, "0:0"), "cwd="+cmp.Or(c.cwd, "/"), "host="+c.host)
	cmd.Stdout, cmd.Stderr = out, out
	beginGroup(cmd)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	return cmd
}

// boot starts the system's own first process, systemd, with devices, control groups and a network
// of its own. Logging in and the like is left out.
func (s *system) boot(ctx context.Context, out *output) *exec.Cmd {
	s.t.Helper()
	s.must("systemctl mask systemd-logind console-getty systemd-udevd >/dev/null 2>&1")
	cmd := exec.CommandContext(ctx, "unshare", "--mount", "--pid", "--fork", "--net", "--cgroup", "--kill-child", "sh",
		"-c", enterSystemd)
	cmd.Env = append(os.Environ(), "root="+s.root)
	cmd.Stdout, cmd.Stderr = out, out
	beginGroup(cmd)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	return cmd
}

const enterSystemd = `set -e
mount --make-rprivate /
ip link set lo up
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup 2>/dev/null || true
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
	: >dev/$device
	mount --bind /dev/$device dev/$device
done
mkdir dev/shm dev/pts dev/mqueue
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mkdir -p before
pivot_root . before
umount -l before
mount --make-rshared /
exec /usr/bin/env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=console --show-status=0
`

// beginGroup has a process begin a group, which ends with its context. What unshare has started
// does not end with unshare: a process that changes its user gets no signal when its parent dies.
func beginGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { kill(cmd); return nil }
	cmd.WaitDelay = 5 * time.Second
}

// kill kills the group of a process.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// run runs a process to its end and returns what it printed.
func (s *system) run(c command) (string, error) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Minute)
	defer cancel()
	out := new(output)
	err := s.start(ctx, c, out).Wait()
	return out.String(), err
}

// must runs a shell command with the network of this machine.
func (s *system) must(shell string, env ...string) string {
	s.t.Helper()
	if err := copyFile("/etc/resolv.conf", s.path("/etc/resolv.conf")); err != nil {
		s.t.Fatal(err)
	}
	out, err := s.run(command{args: []string{"sh", "-c", shell}, env: append(env, "DEBIAN_FRONTEND=noninteractive"),
		network: true})
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", shell, err, out)
	}
	return out
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// inside runs a program of this machine in the network of a process's system, such as curl.
func inside(t *testing.T, first int, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "nsenter", append([]string{"--net", "--target", fmt.Sprint(first), "--"},
		args...)...).CombinedOutput()
	return string(out), err
}

// first returns the id, here, of the first process of the system that a command started.
func first(t *testing.T, cmd *exec.Cmd, out fmt.Stringer) int {
	t.Helper()
	for range 100 {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", cmd.Process.Pid, cmd.Process.Pid))
		var pid int
		if _, err := fmt.Sscan(string(text), &pid); err == nil {
			return pid
		}
		time.Sleep(50 * time.Millisecond)
	}
	kill(cmd)
	_ = cmd.Wait()
	t.Fatalf("nothing was started, or it ended at once:\n%s", out)
	return 0
}

// awaitProgram waits until a process has become a program.
func awaitProgram(t *testing.T, pid int, name string) {
	t.Helper()
	var is []byte
	for range 200 {
		is, _ = os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if strings.TrimSpace(string(is)) == name {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("process %d is %q, not %s", pid, is, name)
}
