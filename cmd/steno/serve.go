package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"sync"

	"github.com/rs/zerolog"

	"steno/gateway"
	"steno/session/asr/models"
)

// serveCmd runs the gateway until it is told to end.
type serveCmd struct {
	Config       string `help:"Configuration file; steno config prints one with every default." placeholder:"FILE"`
	Listen       string `help:"Address of the API." placeholder:"ADDR"`
	Data         string `help:"Folder of database and recordings." placeholder:"DIR"`
	Engine       string `help:"What recognizes speech: auto, sphinx, sherpa, scripted, or one of the configuration's." placeholder:"NAME"`
	Node         string `help:"Name of this machine in the logs, and among gateways that share a Valkey server." placeholder:"NAME"`
	Valkey       string `help:"Address or URL of the Valkey server that gateways share." placeholder:"ADDR"`
	Blob         string `help:"Folder or bucket of the recordings that gateways share, such as s3://bucket." placeholder:"URL"`
	Admin        string `help:"Address of /metrics and /debug/pprof." placeholder:"ADDR"`
	AllowPrivate bool   `help:"Requests of steno's own may go to private and loopback addresses, and API keys may be short."`
	LogFormat    string `help:"json, or console for people." placeholder:"FORMAT"`
}

// configuration is the file and the environment with the flags on top.
func (c serveCmd) configuration(environ []string) (Config, error) {
	cfg, err := loadConfig(c.Config, environ)
	if err != nil {
		return cfg, err
	}
	for field, value := range map[*string]string{
		&cfg.Listen: c.Listen, &cfg.Data: c.Data, &cfg.Engine: c.Engine, &cfg.Node: c.Node, &cfg.Admin: c.Admin,
		&cfg.Valkey.Address: c.Valkey, &cfg.Blob: c.Blob, &cfg.Log.Format: c.LogFormat,
	} {
		if value != "" {
			*field = value
		}
	}
	cfg.AllowPrivate = cfg.AllowPrivate || c.AllowPrivate
	if cfg.Node == "" {
		cfg.Node, _ = os.Hostname() // a name for the logs: none is fine too
	}
	return cfg, cfg.check()
}

// Run serves until the first signal, then drains; a second signal ends the drain.
func (c serveCmd) Run(ctx context.Context, p *process) (err error) {
	cfg, err := c.configuration(p.environ)
	if err != nil {
		return err
	}
	log, err := logger(cfg.Log, cfg.Node, p.stderr, p.environ)
	if err != nil {
		return err
	}
	drain, cancelDrain := untilInterrupted(ctx, p.interrupts)
	defer cancelDrain()

	// Clients that come back after a restart wait from here on, while the store, the engines and the decoder's sandbox are
	// started; connections that are refused make some of them give up.
	listener, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // mostly closed already, by the gateway

	parts, err := openBackends(drain, cfg, log, p)
	if err != nil {
		return err
	}
	defer closing(&err, "backends", parts)
	server, err := newGateway(cfg, parts, log)
	if err != nil {
		return err
	}
	hint(cfg, p)
	return serve(ctx, drain, cfg, listener, server, parts.engines.Failed(), log, p)
}

// serve serves on the listener, says so, and sees the gateway through to its end: draining begins with drain, ends with a second
// signal or the limit. An error from failed ends it too.
func serve(ctx, drain context.Context, cfg Config, listener net.Listener, server *gateway.Server, failed <-chan error, log zerolog.Logger, p *process) error {
	served := make(chan error, 2)
	var serving sync.WaitGroup
	defer serving.Wait()
	serving.Go(func() { served <- server.Serve(listener) })
	if err := serveAdmin(cfg.Admin, func(admin net.Listener) { serving.Go(func() { served <- server.ServeAdmin(admin) }) }); err != nil {
		return errors.Join(err, server.Close())
	}
	fmt.Fprintf(p.stdout, "steno listening on http://%s (engine %s, data in %s)\n", listener.Addr(), cfg.Engine, cfg.storeName())

	var err error
	select {
	case err = <-served:
	case err = <-failed:
		if drain.Err() != nil { // the start was cut short
			err = nil
		}
	case <-drain.Done():
		log.Info().Stringer("deadline", cfg.Limits.Drain).Msg("draining")
		stop, cancel := untilInterrupted(ctx, p.interrupts)
		server.Drain(stop)
		cancel()
	}
	return errors.Join(err, server.Close())
}

// serveAdmin has the operator's side served, if it has an address.
func serveAdmin(address string, begin func(net.Listener)) error {
	if address == "" {
		return nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	begin(listener)
	return nil
}

// closing closes at the end of a function, adding to its error.
func closing(err *error, what string, c io.Closer) {
	if e := c.Close(); e != nil {
		*err = errors.Join(*err, fmt.Errorf("close %s: %w", what, e))
	}
}

// hint tells how to get a good model where the installed ones would be used and there are none.
func hint(c Config, p *process) {
	if !slices.ContainsFunc(c.engineNames(), c.usesModels) || hasModels(c.modelsDir()) {
		return
	}
	fmt.Fprintln(p.stdout, models.Hint(p.environ, nil))
}
