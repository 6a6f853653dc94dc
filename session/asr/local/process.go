package local

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	child "steno/audio/process"
	"steno/session/asr/riva"
)

// connectBackoff is the pause between attempts to connect to a starting process, whose models load
// within seconds.
const connectBackoff = 200 * time.Millisecond

var errExited = errors.New("engine process ended")

// process is one run of the engine's program.
type process struct {
	cmd    *exec.Cmd
	socket string    // its file remains if the process is killed
	stdin  io.Closer // its end tells the process that this one is gone
	output *tail
	client *riva.Recognizer
	probe  *riva.Recognizer // asks for its health, over a connection on which nothing else waits to be written
	exited chan struct{}
	err    error // how it ended; set before exited is closed
}

// launch starts a process. The caller must stay on its thread for as long as the process is to
// live.
func (r *Recognizer) launch() (*process, error) {
	if err := r.keepFolder(); err != nil {
		return nil, err
	}
	r.launches++
	socket := filepath.Join(r.folder.path, strconv.Itoa(r.launches))
	config := r.config.Client
	config.Address = "unix:" + socket
	config.MaxBackoff = connectBackoff
	client, err := riva.Dial(config)
	if err != nil {
		return nil, err
	}
	probe, err := riva.Dial(config)
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	p := &process{socket: socket, client: client, probe: probe, output: &tail{}, exited: make(chan struct{})}
	output := io.MultiWriter(p.output, &lines{tell: r.config.OnLine})
	p.cmd = r.command("--listen=unix:"+socket, "--exit-with-stdin")
	p.cmd.Stdout, p.cmd.Stderr = output, output
	child.Tie(p.cmd)
	p.cmd.WaitDelay = time.Second // if a child of its own keeps the pipes open
	if p.stdin, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(err, p.disconnect())
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// command returns how to start the program, with more arguments than those of the configuration.
func (r *Recognizer) command(more ...string) *exec.Cmd {
	cmd := exec.Command(r.binary, slices.Concat(r.config.Args, more)...)
	cmd.Env = append(environment(), r.config.Env...)
	if r.config.Rights != nil {
		Confine(cmd, *r.config.Rights, r.folder.path)
	}
	return cmd
}

// waitReady waits until the process answers, or ends.
func (p *process) waitReady(ctx context.Context, timeout time.Duration) error {
	err := p.healthy(ctx, timeout, true)
	select {
	case <-p.exited:
		return errExited
	default:
		return err
	}
}

// healthy asks the process whether it serves. It returns early if the process ends.
func (p *process) healthy(ctx context.Context, timeout time.Duration, wait bool) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	ended := make(chan struct{})
	defer func() { <-ended }()
	asked := make(chan struct{})
	defer close(asked)
	go func() {
		defer close(ended)
		select {
		case <-p.exited:
			cancel()
		case <-asked:
		}
	}()
	return p.probe.Healthy(ctx, wait)
}

func (p *process) disconnect() error { return errors.Join(p.client.Close(), p.probe.Close()) }

// end closes the connection, ends the process, by signal first if gently is set, waits for it, and
// removes its socket.
func (p *process) end(grace time.Duration, gently bool) {
	_ = p.disconnect() // fails only if done twice
	if gently && p.cmd.Process.Signal(syscall.SIGTERM) == nil {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-p.exited:
		case <-timer.C:
		}
	}
	_ = p.cmd.Process.Kill() // fails only if it is gone
	<-p.exited
	_ = p.stdin.Close() // closed by Wait already
	_ = os.Remove(p.socket)
}
