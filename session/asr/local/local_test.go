package local_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/audio/process/confine"
	"steno/cmd/cmdtest"
	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/local"
	"steno/session/asr/scripted"
)

var (
	_ asr.Lister     = (*local.Recognizer)(nil)
	_ asr.Identifier = (*local.Recognizer)(nil)
	_ asr.Punctuator = (*local.Recognizer)(nil)
	_ asr.Diarizer   = (*local.Recognizer)(nil)
	_ asr.Denoiser   = (*local.Recognizer)(nil)
)

func TestMain(m *testing.M) {
	confine.Enter()
	if outside := os.Getenv("LOCAL_TEST_ATTEMPT"); outside != "" {
		attempt(outside)
		return
	}
	if dir := os.Getenv("LOCAL_TEST_PARENT"); dir != "" {
		parent(dir)
		return
	}
	goleak.VerifyTestMain(cmdtest.M{M: m})
}

func scriptedConfig(t testing.TB, args ...string) local.Config {
	return local.Config{
		Binary: cmdtest.Build(t, "steno-engine"), Args: append([]string{"--engine=scripted"}, args...),
		Dir: shortDir(t), Rights: &confine.Rights{},
	}
}

// shortDir is a folder with a path short enough for sockets, whatever the test's name.
func shortDir(t testing.TB) string {
	dir, err := os.MkdirTemp("", "lt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(dir); err != nil {
			t.Errorf("something was left behind: %v", err)
		}
	})
	return dir
}

func start(t *testing.T, c local.Config) *local.Recognizer {
	t.Helper()
	r, err := local.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return r
}

func final(t *testing.T, r asr.Recognizer, samples []int16) asr.Result {
	t.Helper()
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(u.Write(samples), u.End()); err != nil {
		t.Fatal(err)
	}
	result, err := u.Recv()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestSuite(t *testing.T) {
	open := func(t *testing.T) asr.Recognizer { return start(t, scriptedConfig(t)) }
	asrtest.Run(t, open, asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77), asrtest.Ramp(700, 5))
}

// TestSameAsInProcess holds that the way through a process changes no word, time or confidence.
func TestSameAsInProcess(t *testing.T) {
	audio := asrtest.Ramp(7*asr.Rate+123, 3)
	want := final(t, scripted.New(scripted.Config{}), audio)
	if got := final(t, start(t, scriptedConfig(t)), audio); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestKilled kills the process with utterances open. They fail as unavailable, and the same audio
// given again has the final it would have had.
func TestKilled(t *testing.T) {
	events := make(chan local.Event, 16)
	config := scriptedConfig(t)
	config.OnEvent = func(e local.Event) { events <- e }
	r := start(t, config)
	audio := asrtest.Ramp(2*asr.Rate, 9)
	want := final(t, r, audio)
	if e := <-events; e.Kind != local.Ready || e.PID != r.PID() {
		t.Fatalf("first event %+v", e)
	}
	for range 3 {
		pid := r.PID()
		u, err := r.Open(t.Context(), asr.Params{Partials: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := u.Write(audio[:asr.Rate]); err != nil {
			t.Fatal(err)
		}
		kill(t, pid, syscall.SIGKILL)
		for err == nil {
			_, err = u.Recv() // partials may come first
		}
		if !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("recv: %v, want ErrUnavailable", err)
		}
		if e := <-events; e.Kind != local.Exited || e.PID != pid || !strings.Contains(e.Err.Error(), "killed") ||
			!strings.Contains(e.Output, "ready") || e.RestartIn <= 0 {
			t.Errorf("event %+v", e)
		}
		if e := <-events; e.Kind != local.Ready || e.PID == pid || e.PID != r.PID() {
			t.Errorf("event %+v", e)
		}
		if got := final(t, r, audio); !reflect.DeepEqual(got, want) {
			t.Errorf("after the restart: %+v, want %+v", got, want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(config.Dir, "*", "[0-9]*")); err != nil || len(left) != 1 {
		t.Errorf("sockets of four processes: %v, %v", left, err)
	}
}

// TestFolderRemoved kills the process after what is given is gone from the private folder.
func TestFolderRemoved(t *testing.T) {
	for _, name := range []string{"", "lock"} {
		events := make(chan local.Event, 16)
		config := scriptedConfig(t)
		config.OnEvent = func(e local.Event) { events <- e }
		r := start(t, config)
		pid := (<-events).PID
		folders, err := filepath.Glob(filepath.Join(config.Dir, "*"))
		if err != nil || len(folders) != 1 {
			t.Fatalf("folders %v, %v", folders, err)
		}
		if err := os.RemoveAll(filepath.Join(folders[0], name)); err != nil {
			t.Fatal(err)
		}
		kill(t, pid, syscall.SIGKILL)
		for _, want := range []local.EventKind{local.Exited, local.Ready} {
			if e := <-events; e.Kind != want {
				t.Fatalf("%q removed: event %+v, want %s", name, e, want)
			}
		}
		final(t, r, asrtest.Ramp(asr.Rate, 1))
		if now, err := filepath.Glob(filepath.Join(config.Dir, "*")); err != nil || len(now) != 1 ||
			now[0] == folders[0] {
			t.Errorf("%q removed: folders %v, %v; before it was %v", name, now, err, folders)
		}
	}
}

func kill(t *testing.T, pid int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, signal); err != nil {
		t.Fatal(err)
	}
}

// TestUnavailableMeanwhile opens between death and restart.
func TestUnavailableMeanwhile(t *testing.T) {
	exited := make(chan struct{}, 1)
	config := scriptedConfig(t)
	config.MinBackoff, config.MaxBackoff = time.Hour, time.Hour
	config.OnEvent = func(e local.Event) {
		if e.Kind == local.Exited {
			exited <- struct{}{}
		}
	}
	r := start(t, config)
	kill(t, r.PID(), syscall.SIGKILL)
	<-exited
	if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open: %v, want ErrUnavailable", err)
	}
	if _, err := r.Figures(t.Context()); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("figures: %v, want ErrUnavailable", err)
	}
	_, models := r.Models(t.Context())
	_, identify := r.Identify(t.Context(), nil, nil)
	_, punctuate := r.Punctuate(t.Context(), "en", "")
	_, diarize := r.Diarize(t.Context(), nil, asr.Speakers{})
	_, denoise := r.Denoise(t.Context())
	for _, err := range []error{models, identify, punctuate, diarize, denoise} {
		if !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("capability: %v, want ErrUnavailable", err)
		}
	}
	if r.PID() != 0 {
		t.Errorf("process id %d of a dead process", r.PID())
	}
}

// TestHung stops the process without ending it.
func TestHung(t *testing.T) {
	events := make(chan local.Event, 16)
	config := scriptedConfig(t)
	config.HealthEvery, config.HealthTimeout = 20*time.Millisecond, 500*time.Millisecond
	config.OnEvent = func(e local.Event) { events <- e }
	r := start(t, config)
	pid := (<-events).PID
	kill(t, pid, syscall.SIGSTOP)
	if e := <-events; e.Kind != local.Exited || e.PID != pid || !strings.Contains(e.Err.Error(), "stopped answering") {
		t.Errorf("event %+v", e)
	}
	if e := <-events; e.Kind != local.Ready {
		t.Errorf("event %+v", e)
	}
	final(t, r, asrtest.Ramp(asr.Rate, 1))
}

func TestFigures(t *testing.T) {
	r := start(t, scriptedConfig(t))
	final(t, r, asrtest.Ramp(3*asr.Rate, 1))
	f, err := r.Figures(t.Context())
	if err != nil || f.Finals != 1 || f.AudioSeconds != 3 || f.Calls != 0 || f.MaxCalls == 0 {
		t.Errorf("figures %v, %v", f, err)
	}
}

// TestCapabilities asks a process for a capability that it offers and one that it does not.
func TestCapabilities(t *testing.T) {
	r := start(t, scriptedConfig(t))
	if _, err := r.Models(t.Context()); err != nil {
		t.Errorf("models: %v", err)
	}
	if code, err := r.Identify(t.Context(), asrtest.Ramp(asr.Rate, 1), []string{"en"}); !errors.Is(err,
		asr.ErrUnavailable) {
		t.Errorf("scripted words in language %q, %v", code, err)
	}
}

func TestCloseEndsAll(t *testing.T) {
	config := scriptedConfig(t, "--scripted-delay=1h")
	config.Grace = time.Minute // never needed: nothing is left to drain
	r := start(t, config)
	pid := r.PID()
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	if time.Since(begin) > config.Grace/2 {
		t.Error("the process had to be killed")
	}
	if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("recv: %v, want ErrUnavailable", err)
	}
	if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open: %v, want ErrUnavailable", err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d: %v, want none", pid, err)
	}
}

func TestCloseKillsTheDeaf(t *testing.T) {
	config := scriptedConfig(t)
	config.Grace = 10 * time.Millisecond
	r := start(t, config)
	pid := r.PID()
	kill(t, pid, syscall.SIGSTOP)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d: %v, want none", pid, err)
	}
}

func TestStartFails(t *testing.T) {
	for name, c := range map[string]struct {
		config local.Config
		want   string
	}{
		"no program": {local.Config{Binary: "/nonexistent/engine"}, "no such file"},
		"bad flag":   {scriptedConfig(t, "--no-such-flag"), "unknown flag --no-such-flag"},
		"too slow": {local.Config{
			Binary: "/bin/sh", Args: []string{"-c", "exec sleep 1000"}, StartTimeout: 50 * time.Millisecond,
		}, "deadline"},
		"long path": {local.Config{Binary: cmdtest.Build(t, "steno-engine"), Dir: deepDir(t)}, "too long"},
	} {
		if r, err := local.Start(t.Context(), c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want an error with %q", name, r, err, c.want)
		}
	}
}

// TestComesWhenItCan has the engine come once it is enabled, and again after starts that failed.
func TestComesWhenItCan(t *testing.T) {
	events := make(chan local.Event, 16)
	enabled := make(chan struct{})
	program := filepath.Join(t.TempDir(), "engine")
	config := scriptedConfig(t)
	config.Binary = program
	config.StartRetry, config.EnabledEvery = 20*time.Millisecond, time.Millisecond
	config.OnEvent = func(e local.Event) {
		select {
		case events <- e:
		default:
		}
	}
	config.Enabled = func() bool {
		select {
		case <-enabled:
			return true
		default:
			return false
		}
	}
	r := local.New(t.Context(), config)
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	if models, err := r.Models(t.Context()); err != nil || len(models) > 0 || !r.Idle() {
		t.Errorf("before it is enabled: models %v, %v; idle %v", models, err, r.Idle())
	}
	close(enabled)
	if e := <-events; e.Kind != local.Failed || e.RestartIn != config.StartRetry || !strings.Contains(e.Err.Error(),
		"no such file") {
		t.Errorf("event %+v", e)
	}
	if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) || r.Idle() {
		t.Errorf("open: %v, want ErrUnavailable; idle %v", err, r.Idle())
	}
	if err := os.Symlink(cmdtest.Build(t, "steno-engine"), program); err != nil {
		t.Fatal(err)
	}
	for (<-events).Kind != local.Ready {
	}
	final(t, r, asrtest.Ramp(asr.Rate, 1))
}

func deepDir(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), strings.Repeat("d", 100))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestStartCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	config := local.Config{Binary: "/bin/sh", Args: []string{"-c", "exec sleep 1000"}, Dir: shortDir(t)}
	if _, err := local.Start(ctx, config); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("start: %v", err)
	}
}

// TestParentKilled has a process of its own start an engine, kills that process, and expects the
// engine to end too.
func TestParentKilled(t *testing.T) {
	dir, err := os.MkdirTemp("", "lt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // a killed parent cleans nothing up
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LOCAL_TEST_PARENT="+dir, "LOCAL_TEST_ENGINE="+cmdtest.Build(t, "steno-engine"))
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Errorf("parent did not start: %v", err)
	}
	sockets, err := filepath.Glob(filepath.Join(dir, "*", "[0-9]*"))
	if err != nil || len(sockets) != 1 {
		t.Fatalf("sockets %v, %v", sockets, err)
	}
	conn, err := net.Dial("unix", sockets[0])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // reports only that it was killed
	if err := conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 256) // the server's first frame, then the end
	for err == nil {
		_, err = conn.Read(buffer)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the engine outlived its parent")
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 1 {
		t.Fatalf("left behind: %v, %v", left, err)
	}
	config := scriptedConfig(t)
	config.Dir = dir
	r := start(t, config)
	if now, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(now) != 1 || now[0] == left[0] {
		t.Errorf("after the next start: %v, %v; want one other than %v", now, err, left)
	}
	final(t, r, asrtest.Ramp(asr.Rate, 1))
}

// parent is what TestParentKilled runs: it starts an engine, reports it, and waits to be killed.
func parent(dir string) {
	_, err := local.Start(context.Background(), local.Config{
		Binary: os.Getenv("LOCAL_TEST_ENGINE"), Args: []string{"--engine=scripted"}, Dir: dir,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print("R")
	select {}
}

func TestFindBinary(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, local.Program)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	if got, err := local.FindBinary(""); err != nil || got != path {
		t.Errorf("found %q, %v; want %q", got, err, path)
	}
	if got, err := local.FindBinary("steno-nothing"); err == nil {
		t.Errorf("found %q", got)
	}
}
