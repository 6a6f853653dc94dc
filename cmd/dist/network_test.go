package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hosts is a network of systems that reach each other and nothing else, as containers do.
type hosts struct {
	t     *testing.T
	names map[string]string // addresses
}

// switchHost is the namespace that joins the others.
const switchHost = "switch"

// namespace is the name of a host's network namespace on this machine.
func namespace(host string) string { return fmt.Sprintf("steno-dist-%d-%s", os.Getpid(), host) }

// newHosts makes a network of hosts with these names.
func newHosts(t *testing.T, names []string) *hosts {
	t.Helper()
	h := &hosts{t, map[string]string{}}
	h.add(switchHost)
	h.ip(switchHost, "link add name bridge type bridge")
	h.ip(switchHost, "link set bridge up")
	for i, name := range names {
		h.add(name)
		port := fmt.Sprintf("port%d", i)
		h.ip(switchHost, "link add name "+port+" type veth peer name eth0 netns "+namespace(name))
		h.ip(switchHost, "link set "+port+" master bridge up")
		h.names[name] = fmt.Sprintf("10.90.0.%d", i+1)
		h.ip(name, "address add "+h.names[name]+"/24 dev eth0")
		h.ip(name, "link set eth0 up")
		h.ip(name, "link set lo up")
	}
	return h
}

// add makes a namespace, which goes with the test.
func (h *hosts) add(name string) {
	h.t.Helper()
	if out, err := exec.Command("ip", "netns", "add", namespace(name)).CombinedOutput(); err != nil {
		h.t.Fatalf("%v\n%s", err, out)
	}
	h.t.Cleanup(func() {
		if out, err := exec.Command("ip", "netns", "delete", namespace(name)).CombinedOutput(); err != nil {
			h.t.Errorf("%v\n%s", err, out)
		}
	})
}

// ip changes the network of a host.
func (h *hosts) ip(host, command string) {
	h.t.Helper()
	if out, err := exec.Command("ip", append([]string{"-n", namespace(host)},
		strings.Fields(command)...)...).CombinedOutput(); err != nil {
		h.t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// file writes the addresses as /etc/hosts has them, and returns its path.
func (h *hosts) file() string {
	h.t.Helper()
	text := "127.0.0.1 localhost\n"
	for name, address := range h.names {
		text += address + " " + name + "\n"
	}
	path := filepath.Join(h.t.TempDir(), "hosts")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// at runs a program of this machine in the network of a host, such as curl.
func (h *hosts) at(host string, args ...string) (string, error) {
	out, err := exec.CommandContext(h.t.Context(), "ip", append([]string{"netns", "exec", namespace(host)},
		args...)...).CombinedOutput()
	return string(out), err
}
