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
	// trial is the first argument that makes the program try a model, and nothing else.
	trial = "probe"
	// longestTrial is how long a trial takes at most: loading some gigabytes from a slow disk.
	longestTrial = 3 * time.Minute
	// maxSaid is how much of a trial's last words are told, in bytes.
	maxSaid = 400
)

// try loads the models in folders and runs them, within limits. Where a model is bad this process may be ended by it.
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

// probe has models tried by a process of their own, running the given program. The error tells its last words.
func probe(ctx context.Context, program string, dirs []string) error {
	ctx, cancel := context.WithTimeout(ctx, longestTrial)
	defer cancel()
	runtime.LockOSThread() // the process ends with the thread that started it
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, program, append([]string{trial}, dirs...)...)
	said := &lastWords{}
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

// lastWords keeps what is written at first, as much as anybody wants to look through for the last of it.
type lastWords struct{ kept []byte }

const maxKept = 64 << 10 // bytes

func (w *lastWords) Write(p []byte) (int, error) {
	w.kept = append(w.kept, p[:min(len(p), maxKept-len(w.kept))]...)
	return len(p), nil
}

// String returns the last lines, as one, but for what the Go runtime says of itself where a library ends the process.
func (w *lastWords) String() string {
	text := "\n" + string(w.kept)
	for _, report := range []string{"\nSIG", "\nfatal error:", "\nruntime:"} {
		text, _, _ = strings.Cut(text, report)
	}
	line := oneLine(strings.TrimSpace(text))
	return strings.ToValidUTF8(line[max(0, len(line)-maxSaid):], "")
}

// oneLine makes a text of several lines one, without anything a terminal takes for a command.
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
		return 0 // what reads the models will tell
	}
	for _, e := range entries {
		if stat, err := os.Stat(dir + string(os.PathSeparator) + e.Name()); err == nil && stat.Mode().IsRegular() {
			total += stat.Size()
		}
	}
	return total
}
