package process_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"steno/audio/process"
)

// A process that was lowered, and what it starts, are nicer than this one, also as the session that
// the kernel may share processors by, which has no terminal.
func TestLower(t *testing.T) {
	cmd := process.Command(t.Context(), "/bin/sh", "-c", "read go; cat /proc/self/stat /proc/self/autogroup; read end")
	process.Lead(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	process.Lower(cmd.Process, 10)
	if _, err := io.WriteString(in, "go\nend\n"); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // cat fails where there is no autogroup
	_, stat, _ := strings.Cut(out.String(), ") ")
	fields := strings.Fields(stat)
	if len(fields) < 17 {
		t.Fatalf("%q", out.String())
	}
	if pid := fmt.Sprint(cmd.Process.Pid); fields[3] != pid || fields[4] != "0" {
		t.Errorf("process %s is of the session %s with the terminal %s", pid, fields[3], fields[4])
	}
	priority, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0) // 20 less the niceness
	if want := fmt.Sprint(min(20-priority+10, 19)); err != nil || fields[16] != want {
		t.Errorf("a child has the niceness %s, want %s, %v", fields[16], want, err)
	}
	if _, err := os.Stat("/proc/self/autogroup"); err == nil && !strings.Contains(out.String(), " nice 10\n") {
		t.Errorf("%s", out.String())
	}
}
