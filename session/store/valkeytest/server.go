// Package valkeytest runs real servers for tests: Valkey, or Redis where Valkey is not installed,
// each in a folder of its own, and a proxy that can cut, delay and drop what goes between a client
// and a server.
package valkeytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"steno/cmd/cmdtest"
	"steno/session/retry"
)

// Server is a server that a test has started. Its methods are called by the test's goroutine.
type Server struct {
	t       testing.TB
	program string
	dir     string
	port    string
	args    []string
	env     []string // beside that of the test
	running *exec.Cmd
}

// Program returns the path of the server's program: valkey-server, else redis-server. The test is
// skipped where neither is installed. STENO_TEST_VALKEY names another one.
func Program(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("STENO_TEST_VALKEY"), "valkey-server", "redis-server"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	t.Skip("no valkey-server and no redis-server: make deps installs one")
	return ""
}

// Deployed are the settings of the server that deployments have: those of compose.yml, which
// cmd/steno/DEPLOYMENT.md asks for. What is measured of a server is measured with these.
func Deployed() []string {
	return []string{
		"--maxmemory-policy", "noeviction", "--maxmemory", "2gb", "--appendonly", "yes", "--appendfsync", "everysec",
		"--auto-aof-rewrite-min-size", "4gb", "--repl-backlog-size", "256mb",
	}
}

// Start starts a server, which ends with the test. Options are pairs of a setting and its value,
// such as "--appendonly", "yes".
func Start(t testing.TB, options ...string) *Server {
	t.Helper()
	return start(t, nil, options)
}

func start(t testing.TB, env, options []string) *Server {
	t.Helper()
	s := &Server{t: t, program: Program(t), dir: t.TempDir(), args: options, env: env}
	t.Cleanup(s.Kill)
	for range portTries { // another process may take the port before the server does
		_, s.port, _ = net.SplitHostPort(cmdtest.Address(t))
		if err := s.launch(); err == nil {
			return s
		} else if !errors.Is(err, errPort) {
			t.Fatal(err)
		}
	}
	t.Fatal("no port is free")
	return nil
}

// Addr is the server's address.
func (s *Server) Addr() string { return "127.0.0.1:" + s.port }

const (
	// startTime bounds the wait for a server to load its data.
	startTime = 20 * time.Second
	// portTries is how many ports are tried: another process may take one before the server does.
	portTries = 5
)

// errPort reports that another process has the port.
var errPort = errors.New("the port is taken")

// launch starts the program and waits until it answers. Errors: errPort.
func (s *Server) launch() error {
	s.t.Helper()
	args := append([]string{
		"--port", s.port, "--bind", "127.0.0.1", "--dir", s.dir, "--save", "", "--loglevel", "warning",
		"--logfile", s.log(), "--daemonize", "no",
	}, s.args...)
	_ = os.Remove(s.log())
	s.running = exec.Command(s.program, args...)
	s.running.Env = append(os.Environ(), s.env...)
	s.running.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := s.running.Start(); err != nil {
		s.t.Fatalf("start %s: %v", s.program, err)
	}
	limited, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	ctx, stop := context.WithCancelCause(limited)
	defer stop(nil)
	pause := retry.Backoff{First: 10 * time.Millisecond, Longest: 100 * time.Millisecond}
	err := retry.Do(ctx, pause, s.answers, func(err error) {
		if errors.Is(err, errPort) {
			stop(errPort)
		}
	})
	if err != nil {
		text, _ := os.ReadFile(s.log())
		s.Kill()
		return fmt.Errorf("%s does not answer: %w\n%s", s.program, context.Cause(ctx), text)
	}
	return nil
}

func (s *Server) log() string { return filepath.Join(s.dir, "log") }

// answers returns nil when the server takes commands and has loaded its data, errPort where another
// one has its port.
func (s *Server) answers() error {
	if text, err := os.ReadFile(s.log()); err == nil && bytes.Contains(text, []byte("Address already in use")) {
		return errPort
	}
	out, err := s.Command("PING")
	if err == nil && !strings.HasPrefix(out, "+PONG") {
		err = fmt.Errorf("answer to PING is %q", out)
	}
	if err != nil {
		return err
	}
	facts, err := s.Command("INFO", "server")
	if strings.Contains(facts, "process_id:") && !strings.Contains(facts, fmt.Sprintf("process_id:%d\r\n",
		s.running.Process.Pid)) {
		return errPort
	}
	return err
}

// Command sends one command of plain words to the server and returns the beginning of its answer as
// it is on the wire.
func (s *Server) Command(words ...string) (string, error) {
	conn, err := net.DialTimeout("tcp", s.Addr(), time.Second)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := fmt.Fprintf(conn, "%s\r\n", strings.Join(words, " ")); err != nil {
		return "", err
	}
	answer := make([]byte, 64<<10)
	n, err := conn.Read(answer)
	return string(answer[:n]), err
}

// Must is Command, and fails the test on an error.
func (s *Server) Must(words ...string) string {
	s.t.Helper()
	out, err := s.Command(words...)
	if err != nil || strings.HasPrefix(out, "-") {
		s.t.Fatalf("%s: %q, %v", strings.Join(words, " "), out, err)
	}
	return out
}

// Holds tells whether a text is in any of the server's files as it was written, such as the
// append-only file.
func (s *Server) Holds(text string) bool {
	s.t.Helper()
	found := false
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // gone meanwhile
		}
		content, err := os.ReadFile(path)
		found = found || err == nil && bytes.Contains(content, []byte(text))
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

// Kill ends the server immediately, as kill -9 does. It does nothing if the server has ended.
func (s *Server) Kill() { s.end(syscall.SIGKILL) }

// Term asks the server to end, and waits until it has.
func (s *Server) Term() { s.end(syscall.SIGTERM) }

// Again restarts the server with its data, after Kill or Term.
func (s *Server) Again() {
	s.t.Helper()
	if err := s.launch(); err != nil {
		s.t.Fatal(err)
	}
}

// Pause stops the server's process, which keeps its connections and answers nothing until Resume.
func (s *Server) Pause() { s.signal(syscall.SIGSTOP) }

// Resume lets a paused server continue.
func (s *Server) Resume() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	if s.running != nil {
		_ = s.running.Process.Signal(sig)
	}
}

func (s *Server) end(sig syscall.Signal) {
	if s.running == nil {
		return
	}
	group := -s.running.Process.Pid
	s.signal(sig)
	s.signal(syscall.SIGCONT)
	_ = s.running.Wait() // ended by a signal
	s.running = nil
	for range 1000 { // a child may be rewriting the append-only file
		if syscall.Kill(group, syscall.SIGKILL) != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
}
