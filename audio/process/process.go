// Package process starts programs as children that end with this process, and can be killed with
// all that they have started.
package process

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// waitDelay is how long the pipes of a killed command may stay open, which a child of its own may
// hold.
const waitDelay = 2 * time.Second

// Command returns a command in a process group of its own, which is killed as a whole when ctx
// ends. It has the standard input, output and environment of [exec.CommandContext]; see [Tie] for
// the thread that must start it.
func Command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	Tie(cmd)
	cmd.Cancel = func() error { return Kill(cmd.Process) }
	cmd.WaitDelay = waitDelay
	return cmd
}

// Tie makes a command, which has not been started, the first of a process group, so that an
// interrupt from the terminal does not reach it and [Kill] reaches all of it. On Linux it also
// makes the command die with the thread that starts it, even if this process is killed: a caller
// whose thread may end earlier must lock it.
func Tie(cmd *exec.Cmd) { cmd.SysProcAttr = attributes() }

// Lead has a tied command, which has not been started, be the first process of a session of its
// own, without a terminal.
func Lead(cmd *exec.Cmd) { lead(cmd.SysProcAttr) }

// Lower makes the process that leads a session, and all that it will start, nicer than this one by
// so much, 1 to 19. It is called when the process was just started. Where the system cannot do that
// it has no effect.
func Lower(leader *os.Process, nice int) { lower(leader.Pid, nice) }

// Kill kills the process group that a tied process is the first of. It returns [os.ErrProcessDone]
// if there is none any more.
func Kill(p *os.Process) error {
	if syscall.Kill(-p.Pid, syscall.SIGKILL) != nil {
		return os.ErrProcessDone
	}
	return nil
}

// Head keeps the first bytes that are written to it, and takes and forgets the rest. It is not safe
// for concurrent use.
type Head struct {
	Max  int // bytes that are kept
	Kept []byte
}

// Write implements io.Writer. It never fails.
func (h *Head) Write(p []byte) (int, error) {
	h.Kept = append(h.Kept, p[:min(len(p), h.Max-len(h.Kept))]...)
	return len(p), nil
}
