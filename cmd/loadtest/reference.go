package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"steno/loadtest/reference"
)

const referenceDescription = `Serves the live protocol without any work behind it, to compare a gateway with.

It keeps no audio: a client cannot come back to a session (--drop-every), and there are no followers (--subscribers).`

// referenceFlags start the bare server that the figures of a gateway are compared with.
type referenceFlags struct {
	Listen    string        `help:"Address to listen on." default:"127.0.0.1:9090"`
	Service   time.Duration `help:"Time that one worker takes for each frame of all sessions; it limits the server to a known capacity." placeholder:"TIME"`
	Utterance time.Duration `help:"Audio after which a final is sent, again and again; without it there are none." placeholder:"TIME"`
}

// run serves until ctx ends.
func (f *referenceFlags) run(ctx context.Context, stdout, _ io.Writer) error {
	for flag, d := range map[string]time.Duration{"--service": f.Service, "--utterance": f.Utterance} {
		if d < 0 {
			return fmt.Errorf("%s must not be below 0: %v", flag, d)
		}
	}
	listener, err := net.Listen("tcp", f.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	fmt.Fprintf(stdout, "reference server on http://%s\n", listener.Addr())
	server := &http.Server{Handler: reference.New(reference.Config{Service: f.Service, Utterance: f.Utterance}),
		ReadHeaderTimeout: 10 * time.Second}
	closed := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer closed()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
