package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"steno/session/asr/models"
)

// On a terminal, a bar shows how far it is; the line is free again at the end.
func TestModelsBar(t *testing.T) {
	screen, terminal := openTerminal(t)
	shown := make(chan string)
	go func() {
		text, _ := io.ReadAll(screen) // ends with an error when the terminal is closed
		shown <- string(text)
	}()
	bar := pullBar{stderr: terminal, name: "m"}
	for _, step := range []struct {
		stage       models.Stage
		done, total int64
	}{
		{models.Waiting, 0, -1}, {models.Fetching, 500, 1000}, {models.Fetching, 501, 1000}, // too little to be drawn
		{models.Fetching, 250, 1000}, {models.Fetching, 1000, 1000}, {models.Checking, 30, 100},
		{models.Unpacking, 70, 100},
	} {
		bar.show(step.stage, step.done, step.total)
	}
	bar.finish()
	bar.finish()
	if err := terminal.Close(); err != nil {
		t.Error(err)
	}
	text := <-shown
	for _, want := range []string{
		"m is being pulled by another process", "fetching m  50%", "fetching m  25%", "checking m  30%",
		"unpacking m  70%",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not shown once: %q", want, text)
		}
	}
	if !strings.HasSuffix(text, "\r") {
		t.Errorf("the line is not free at the end: %q", text)
	}
}

// openTerminal makes a pair of a terminal and what its user sees (pts(4)).
func openTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	fd := int(screen.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 25, Col: 80})
	}
	if err == nil {
		terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return screen, terminal
}
