package loadtest

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// clockTick is the unit of processor times in /proc, which is the same on all architectures that
// Linux supports.
const clockTick = 10 * time.Millisecond

// ownProcessor returns the processor time that this process has used.
func ownProcessor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0 // it fails for unknown arguments only
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// processors is how many processors this process may use: those it may run on, and its control
// group's share of them.
func processors() int { return runtime.GOMAXPROCS(0) }

// errNotLocal reports that the server under test cannot be watched.
var errNotLocal = errors.New("the server does not run on this machine, or belongs to another user")

// serverProcess finds the process that listens on the port of an address of this machine. It reads
// /proc, so it finds none elsewhere than on Linux.
func serverProcess(address string) (pid int, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, fmt.Errorf("address of the server: %w", err)
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || !isLocal(u.Hostname()) {
		return 0, errNotLocal
	}
	sockets := listening(uint16(n))
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, fmt.Errorf("list processes: %w", err)
	}
	for _, dir := range processes {
		if holds(dir, sockets) {
			return strconv.Atoi(filepath.Base(dir))
		}
	}
	return 0, errNotLocal
}

// isLocal reports whether a host is this machine: a loopback address, or one of its own.
func isLocal(host string) bool {
	addresses, err := net.LookupHost(host)
	if err != nil {
		return false
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, a := range addresses {
		ip := net.ParseIP(a)
		if ip.IsLoopback() {
			return true
		}
		for _, o := range own {
			if n, ok := o.(*net.IPNet); ok && n.IP.Equal(ip) {
				return true
			}
		}
	}
	return false
}

// listening returns the links by which file descriptors name the TCP sockets that listen on a port.
func listening(port uint16) map[string]bool {
	const stateListen = "0A"
	found := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		b, err := os.ReadFile(table)
		if err != nil {
			continue // no such protocol here
		}
		for line := range strings.Lines(string(b)) {
			f := strings.Fields(line)
			if len(f) > 9 && f[3] == stateListen && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) {
				found["socket:["+f[9]+"]"] = true
			}
		}
	}
	return found
}

// holds reports whether a process, given by its directory in /proc, has one of the sockets open.
func holds(dir string, sockets map[string]bool) bool {
	descriptors, err := os.ReadDir(dir + "/fd")
	if err != nil {
		return false // of another user, or gone
	}
	for _, d := range descriptors {
		if link, err := os.Readlink(dir + "/fd/" + d.Name()); err == nil && sockets[link] {
			return true
		}
	}
	return false
}

// usage is what a process and those it has started use.
type usage struct {
	processor time.Duration
	memory    int64 // resident, bytes
}

// usageOf sums up what a process and its descendants use.
func usageOf(pid int) (usage, error) {
	sum, err := usageOfOne(pid)
	if err != nil {
		return usage{}, err
	}
	for _, child := range children(pid) {
		if u, err := usageOf(child); err == nil { // else it has just ended
			sum.processor += u.processor
			sum.memory += u.memory
		}
	}
	return sum, nil
}

func usageOfOne(pid int) (usage, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return usage{}, fmt.Errorf("read what a process uses: %w", err)
	}
	// The second field, the program's name in brackets, may contain spaces. After it, field 3 is
	// the first.
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	const user, system, resident = 14 - 3, 15 - 3, 24 - 3
	if len(f) <= resident {
		return usage{}, errors.New("unknown format of /proc/PID/stat")
	}
	var ticks, pages int64
	for _, i := range []int{user, system} {
		n, err := strconv.ParseInt(f[i], 10, 64)
		if err != nil {
			return usage{}, fmt.Errorf("processor time: %w", err)
		}
		ticks += n
	}
	if pages, err = strconv.ParseInt(f[resident], 10, 64); err != nil {
		return usage{}, fmt.Errorf("memory: %w", err)
	}
	return usage{time.Duration(ticks) * clockTick, pages * int64(os.Getpagesize())}, nil
}

// children lists the processes that any thread of a process has started.
func children(pid int) []int {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is a correct one
	var all []int
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		for _, f := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(f); err == nil {
				all = append(all, n)
			}
		}
	}
	return all
}
