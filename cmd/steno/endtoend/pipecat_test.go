package endtoend_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// pipecat is an interpreter that has pipecat. make test-agents installs one; it is too large for
// every test.
func pipecat(t *testing.T) string {
	t.Helper()
	python := os.Getenv("STENO_TEST_PIPECAT")
	if python == "" {
		python = pythonWith("pipecat.services.gladia.stt")
	}
	if python == "" {
		t.Skip("pipecat is not installed: make test-agents does that")
	}
	return python
}

// agentLine is what the script of an agent tells.
type agentLine struct {
	Final       string
	Error       string
	Fatal       bool
	Unconfirmed *int
}

// runAgent runs a pipecat pipeline to its end, and calls disturb once, after the first final. It
// returns the finals in order.
func runAgent(t *testing.T, python, address string, c clip, disturb func()) (finals []string) {
	t.Helper()
	cmd := exec.Command(python, "testdata/agents/pipecat_turns.py", address, testKey, c.file(t))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var log lockedBuffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }()
	whole := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var l agentLine
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue // of a library
		}
		switch {
		case l.Fatal:
			t.Errorf("the agent has given up: %s", l.Error)
		case l.Final != "":
			if finals = append(finals, strings.TrimSpace(l.Final)); len(finals) == 1 {
				disturb()
			}
		case l.Unconfirmed != nil:
			whole = true
		}
	}
	if err := cmd.Wait(); err != nil || !whole {
		t.Fatalf("the agent ended with %v\n%s", err, log.String())
	}
	return finals
}

// A pipecat agent reconnects immediately and again after 4 s; after 8 s more it stops trying. A
// restarted gateway, or another one that takes the session over, is ready in time, so the agent
// misses no final. A final that arrived just before the gateway was killed may be repeated, because
// its receipt was not recorded.
func TestPipecat(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	python := pipecat(t)
	bin, c := build(t), babble(t)
	g := newGateway(t, bin, "scripted")
	want := runAgent(t, python, g.url(), c, func() {})
	if len(want) < 4 {
		t.Fatalf("finals %q", want)
	}
	check := func(t *testing.T, got []string) {
		t.Helper()
		if !slices.Equal(slices.Compact(got), want) {
			t.Errorf("finals\n%q, undisturbed\n%q", got, want)
		}
	}
	t.Run("restart", func(t *testing.T) {
		g := newGateway(t, bin, "scripted")
		check(t, runAgent(t, python, g.url(), c, func() { g.restartBy(t, syscall.SIGTERM) }))
	})
	t.Run("crash", func(t *testing.T) {
		g := newGateway(t, bin, "scripted")
		check(t, runAgent(t, python, g.url(), c, func() { g.restartBy(t, syscall.SIGKILL) }))
	})
	for name, signal := range map[string]syscall.Signal{"drain": syscall.SIGTERM, "takeover": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			two := sharing(t, 2)
			b := newBalancer(t, two[0].addr, two[1].addr)
			check(t, runAgent(t, python, "http://"+b.addr(), c, func() { two[b.serving()].endBy(t, signal) }))
		})
	}
}

// restartBy ends a gateway by a signal, twice where it would wait for its sessions otherwise, and
// starts it again.
func (g *gateway) restartBy(t *testing.T, s syscall.Signal) {
	t.Helper()
	g.endBy(t, s)
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
}

// endBy ends a gateway by a signal. One that waits for its sessions is sent it again, which it
// takes for impatience.
func (g *gateway) endBy(t *testing.T, s syscall.Signal) {
	t.Helper()
	p := g.current()
	for range 2 {
		if err := p.cmd.Process.Signal(s); err != nil {
			break // it has ended
		}
	}
	<-p.gone
}

// serving is the index of the backend that has connections.
func (b *balancer) serving() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(slices.IndexFunc(b.backends, func(back *backend) bool { return len(back.conns) > 0 }), 0)
}
