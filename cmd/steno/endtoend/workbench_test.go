package endtoend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"steno/audio"
)

// documentedAddress is that of the gateway in documentation; documentedWithin is how long one of
// its commands may take.
const (
	documentedAddress = "127.0.0.1:8080"
	documentedWithin  = 8 * time.Minute
)

// workbench is a folder in which the commands of documentation run: with the programs, a recording
// talk.wav, the npm packages of the samples, and the key in the environment.
type workbench struct {
	t    *testing.T
	dir  string
	g    *gateway
	path string // PATH
	// recording is what talk.wav holds, a header of 44 bytes included.
	recording []byte
}

func newWorkbench(t *testing.T, g *gateway) *workbench {
	t.Helper()
	w := &workbench{t: t, dir: t.TempDir(), g: g}
	tools := filepath.Join(w.dir, "tools")
	w.path = tools + ":" + g.bin + ":" + os.Getenv("PATH") + ":/usr/sbin"
	pcm := babble(t).pcm[:6*clipRate]
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: clipRate, Channels: 1}
	w.recording = append(audio.WAVHeader(f, int64(len(pcm))), pcm...)
	w.write("talk.wav", w.recording)
	w.write(".curlrc", []byte("fail-with-body\nsilent\nshow-error\n"))
	if err := os.Mkdir(tools, 0o700); err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Abs("testdata/sdk/node_modules")
	if err == nil {
		err = os.Symlink(modules, filepath.Join(w.dir, "node_modules"))
	}
	if err != nil {
		t.Fatal(err)
	}
	w.link(tools)
	return w
}

// link puts programs into the workbench's PATH: the Python that has the packages, and a websocat
// where there is none.
func (w *workbench) link(tools string) {
	w.t.Helper()
	if p := pythonWith("requests", "websockets"); p != "" {
		if err := os.Symlink(p, filepath.Join(tools, "python3")); err != nil {
			w.t.Fatal(err)
		}
	}
	if _, err := exec.LookPath("websocat"); err == nil {
		return
	}
	text, err := os.ReadFile("testdata/samples/websocat.mjs")
	if err != nil {
		w.t.Fatal(err)
	}
	w.write("websocat.mjs", text)
	w.write("tools/websocat", []byte("#!/bin/sh\nexec node '"+w.dir+"/websocat.mjs' \"$@\"\n"))
	if err := os.Chmod(filepath.Join(tools, "websocat"), 0o700); err != nil {
		w.t.Fatal(err)
	}
}

// write puts a file into the folder and returns its path.
func (w *workbench) write(name string, text []byte) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// here is a text of documentation with the address of this gateway.
func (w *workbench) here(text string) string {
	return strings.ReplaceAll(text, documentedAddress, w.g.addr)
}

// environment is what a command has in its environment beside the key: ID is that of a session or
// job.
type environment map[string]string

// command runs a program in the folder. It ends with its children.
func (w *workbench) command(ctx context.Context, env environment, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.find(program), args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "PATH="+w.path, "HOME="+w.dir, "CURL_HOME="+w.dir, "KEY="+testKey,
		"NODE_NO_WARNINGS=1", "NO_COLOR=1",
		"STENO_DATA="+w.g.data, "STENO_API_KEYS="+testKey)
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

// find looks for a program in the PATH of the workbench first.
func (w *workbench) find(program string) string {
	if own := filepath.Join(w.dir, "tools", program); fileExists(own) {
		return own
	}
	return program
}

// run runs a program to its end and returns what it printed.
func (w *workbench) run(env environment, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(w.t.Context(), documentedWithin)
	defer cancel()
	var out, errors bytes.Buffer
	cmd := w.command(ctx, env, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errors
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w: %s%s", err, out.String(), errors.String())
	}
	return out.String(), nil
}

// shell runs commands, the first failure ending them, that within a pipe too.
func (w *workbench) shell(env environment, text string) (string, error) {
	return w.run(env, "bash", "-euo", "pipefail", "-c", w.here(text))
}

// script is a sample that a driver of testdata/samples runs, with more variables in its
// environment.
type script struct {
	Name string      `json:"name"`
	File string      `json:"file"`
	Env  environment `json:"env"`
}

// report is what a driver reports about a script.
type report struct{ Name, Said, Error string }

// drive runs scripts of one language in one process, one after the other.
func (w *workbench) drive(interpreter, driver string, scripts []script) ([]report, error) {
	tasks, err := json.Marshal(scripts)
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(filepath.Join("testdata", "samples", driver))
	if err != nil {
		return nil, err
	}
	out, err := w.run(nil, interpreter, path, string(tasks))
	var all []report
	for line := range strings.Lines(out) {
		var o report
		if e := json.Unmarshal([]byte(line), &o); e != nil {
			return all, errors.Join(err, e)
		}
		all = append(all, o)
	}
	return all, err
}
