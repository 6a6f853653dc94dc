package process_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"steno/audio/process"
)

// A command that is cancelled ends with the children that hold its output.
func TestCommandEndsWithItsGroup(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cmd := process.Command(ctx, "/bin/sh", "-c", "sleep 60 & echo begun; wait")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 6)
	if _, err := out.Read(line); err != nil || string(line) != "begun\n" {
		t.Fatalf("%q: %v", line, err)
	}
	began := time.Now()
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Error("a killed command succeeds")
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("ended after %s", took)
	}
}

func TestCommand(t *testing.T) {
	cmd := process.Command(t.Context(), "/bin/cat")
	cmd.Stdin = strings.NewReader("text")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil || out.String() != "text" {
		t.Errorf("%q: %v", out.String(), err)
	}
}

func TestHead(t *testing.T) {
	h := process.Head{Max: 5}
	for _, text := range []string{"abc", "def", "ghi"} {
		if n, err := h.Write([]byte(text)); n != 3 || err != nil {
			t.Errorf("wrote %d: %v", n, err)
		}
	}
	if string(h.Kept) != "abcde" {
		t.Errorf("kept %q", h.Kept)
	}
}
