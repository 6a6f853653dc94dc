package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
	"unicode"

	"steno/audio/process"
	"steno/session/asr/sherpa"
)

const (
	// trial is the first argument that makes the program only try a model.
	trial = "probe"
	// longestTrial bounds a trial: loading some gigabytes from a slow disk.
	longestTrial = 3 * time.Minute
	// maxReason bounds the part of a trial's output that its error has, in bytes.
	maxReason = 400
)

// try loads the models in folders and runs them, within limits. A bad model may end this process.
func try(ctx context.Context, dirs []string, stdout io.Writer) error {
	if len(dirs) == 0 {
		return errors.New("probe: no folder")
	}
	if err := limit(dirs); err != nil {
		return err
	}
	if err := sherpa.Probe(ctx, dirs...); err != nil {
		return err
	}
	_, err := fmt.Fprintln(stdout, "ok")
	return err
}

// probe tries models in a process of their own, with the given program. The error has its last
// output.
func probe(ctx context.Context, program string, dirs []string) error {
	ctx, cancel := context.WithTimeout(ctx, longestTrial)
	defer cancel()
	runtime.LockOSThread() // the process ends with the thread that started it
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, program, append([]string{trial}, dirs...)...)
	said := &outputTail{}
	cmd.Stderr = said
	process.Tie(cmd)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("a trial of it did not end within %v", longestTrial)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fmt.Errorf("a trial of it failed (%w): %s", err, said)
}

// outputTail keeps the beginning of the output of a trial, whose last lines go into the error.
type outputTail struct{ kept []byte }

const maxKept = 64 << 10 // bytes

func (w *outputTail) Write(p []byte) (int, error) {
	w.kept = append(w.kept, p[:min(len(p), maxKept-len(w.kept))]...)
	return len(p), nil
}

// String returns the last lines as one, without what the Go runtime writes when a library ends the
// process.
func (w *outputTail) String() string {
	text := "\n" + string(w.kept)
	for _, report := range []string{"\nSIG", "\nfatal error:", "\nruntime:"} {
		text, _, _ = strings.Cut(text, report)
	}
	line := oneLine(strings.TrimSpace(text))
	return strings.ToValidUTF8(line[max(0, len(line)-maxReason):], "")
}

// oneLine joins the lines of a text, and removes what a terminal takes for a command.
func oneLine(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\n", "; ")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// size returns the bytes of all files in a folder, links followed.
func size(dir string) (total int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0 // reading the models will return the error
	}
	for _, e := range entries {
		if stat, err := os.Stat(dir + string(os.PathSeparator) + e.Name()); err == nil && stat.Mode().IsRegular() {
			total += stat.Size()
		}
	}
	return total
}
