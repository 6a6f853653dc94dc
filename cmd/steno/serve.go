package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"steno/cmd/steno/certificates"
	"steno/cmd/steno/config"
	"steno/cmd/steno/decoding"
	"steno/cmd/steno/recognizers"
	"steno/gateway"
)

// serveCmd runs the gateway until a signal ends it. Its flags with the tag key stand for that key
// of the configuration.
type serveCmd struct {
	Config       string `help:"Configuration file; steno config prints one with every default." placeholder:"FILE"`
	Listen       string `key:"listen" help:"Address of the API. Default: 127.0.0.1:8080, which other machines do not reach." placeholder:"ADDR"`
	Data         string `key:"data" help:"Folder of database and recordings. Default: ./data." placeholder:"DIR"`
	Engine       string `key:"engine" help:"What recognizes speech: auto, sphinx, sherpa, scripted, or one of the configuration's. Default: auto, the models that are installed, with PocketSphinx behind them." placeholder:"NAME"`
	Node         string `key:"node" help:"Name of this machine in the logs, and among gateways that share a Valkey server. Default: that of the host." placeholder:"NAME"`
	Valkey       string `key:"valkey.address" help:"Address or URL of the Valkey server that gateways share. Default: none, for one gateway alone." placeholder:"ADDR"`
	Blob         string `key:"blob" help:"Folder or bucket of the recordings that gateways share, such as s3://bucket." placeholder:"URL"`
	TLSCert      string `key:"tls.cert" name:"tls-cert" help:"Certificate of https and wss." placeholder:"FILE"`
	TLSKey       string `key:"tls.key" name:"tls-key" help:"Key of the certificate." placeholder:"FILE"`
	SelfSigned   bool   `key:"tls.self_signed" name:"tls-self-signed" help:"Make one for trying, in the data folder."`
	Admin        string `key:"admin" help:"Address of /metrics and /debug/pprof. Default: none." placeholder:"ADDR"`
	AllowPrivate bool   `key:"allow_private" help:"Requests of steno's own may go to private and loopback addresses, and API keys may be short."`
	LogFormat    string `key:"log.format" help:"json, or console for people. Default: json." placeholder:"FORMAT"`
}

// Help returns the additional text of the command's help.
func (serveCmd) Help() string {
	return "Each flag stands for a key of the configuration, and each key has a variable in the environment, such " +
		"as STENO_LISTEN: flags count before variables, these before the file. What is not said has a default."
}

// configuration is the file and the environment with the flags on top.
func (c serveCmd) configuration(environ []string) (config.Config, error) {
	cfg, err := config.Load(c.Config, environ)
	if err != nil {
		return cfg, err
	}
	flags := reflect.ValueOf(c)
	for i := range flags.NumField() {
		if key := flags.Type().Field(i).Tag.Get("key"); key != "" && !flags.Field(i).IsZero() {
			cfg.Field(key).Set(flags.Field(i))
		}
	}
	if cfg.Node == "" {
		cfg.Node, _ = os.Hostname() // a name for the logs: none is fine too
	}
	return cfg, cfg.Check()
}

// flagsByKey are the flags of steno serve by the keys they stand for.
func flagsByKey() map[string]string {
	flags := map[string]string{}
	t := reflect.TypeFor[serveCmd]()
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("key"); key != "" {
			flags[key] = "--" + cmp.Or(t.Field(i).Tag.Get("name"), hyphenated(t.Field(i).Name))
		}
	}
	return flags
}

// hyphenated writes a field's name as the command line does: AllowPrivate is allow-private.
func hyphenated(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
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

	// Clients that come back after a restart wait from here on, while the store is opened; refused
	// connections make some of them stop trying. Engines and the sandbox of recorded files are not
	// waited for: until they are there, /readyz answers that the gateway is not ready.
	listener, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // mostly closed already, by the gateway

	secure, made, err := certificates.Config(cfg.TLS, cfg.Data, certificates.Names(cfg), log)
	if err != nil {
		return err
	}
	parts, err := openDependencies(drain, cfg, log, p)
	if err != nil {
		return err
	}
	defer closing(&err, "dependencies", parts)
	server, err := newGateway(cfg, parts, log)
	if err != nil {
		return err
	}
	defer tuneCollector(p.environ, server.Sockets)()
	hint(cfg, p)
	parts.tls, parts.certificate = secure, made
	return serve(ctx, drain, cfg, listener, server, parts, log, p)
}

// serve serves on the listener, prints so, and sees the gateway through to its end: draining begins
// with drain, ends with a second signal or the limit. Engines that fail end it too, as does a
// sandbox for recorded files that was asked for and does not work.
func serve(ctx, drain context.Context, cfg config.Config, listener net.Listener, server *gateway.Server,
	parts *dependencies,
	log zerolog.Logger, p *process) error {
	served := make(chan error, 4)
	var serving sync.WaitGroup
	defer serving.Wait()
	serving.Go(func() {
		if parts.tls != nil {
			served <- server.ServeTLS(listener, parts.tls)
			return
		}
		served <- server.Serve(listener)
	})
	begin := func(serve func() error) { serving.Go(func() { served <- serve() }) }
	if err := errors.Join(serveSide("admin", cfg.Admin, func(admin net.Listener) {
		begin(func() error { return server.ServeAdmin(admin) })
	}), servePorts(cfg.Dialects, server, begin)); err != nil {
		return errors.Join(err, server.Close())
	}
	serving.Go(func() {
		if err := decoding.Report(cfg.Recordings, parts.decoder, log); err != nil {
			served <- err
		}
	})
	printBanner(p.stdout, cfg, listener.Addr(), parts)

	var err error
	select {
	case err = <-served:
	case err = <-parts.engines.Failed():
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

// serveSide has another side of the gateway served, that of a key of the configuration, if it has
// an address.
func serveSide(key, address string, begin func(net.Listener)) error {
	if address == "" {
		return nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
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
func hint(c config.Config, p *process) {
	engines := recognizers.Setup{Config: c, Environ: p.environ}
	if !slices.ContainsFunc(c.EngineNames(), engines.UsesModels) || len(engines.InstalledFor("")) > 0 {
		return
	}
	fmt.Fprintln(p.stdout, engines.NoModel(p.program))
}

// servePorts has the dialects that have ports of their own served there, if they have addresses.
func servePorts(d config.Dialects, server *gateway.Server, begin func(func() error)) error {
	return serveSide("dialects.wyoming.listen", d.Wyoming.Listen, func(l net.Listener) {
		begin(func() error { return server.ServePort("wyoming", d.Wyoming.Key, l) })
	})
}
