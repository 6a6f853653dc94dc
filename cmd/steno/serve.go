package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"steno/gateway"
	"steno/gateway/jobs"
	"steno/gateway/limits"
	"steno/gateway/outbound"
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

	records, err := openStore(drain, cfg, log)
	if err != nil {
		return err
	}
	defer closing(&err, "store", records)
	keepPrivate(cfg.Data, log)
	keys, err := apiKeys(drain, records, cfg, p)
	if err != nil {
		return err
	}
	set, err := startEngines(drain, cfg, p.environ, engineLog(log))
	if err != nil {
		return err
	}
	defer closing(&err, "engines", set)

	addons, services, err := newAddons(drain, cfg.Addons, p.environ, set.Router(), log)
	for _, s := range services {
		defer closing(&err, "add-on", s)
	}
	if err != nil {
		return err
	}
	if cfg.Limits, err = fitLimits(cfg.Limits, log); err != nil {
		return err
	}
	settings, err := gatewayConfig(cfg, keys)
	if err != nil {
		return err
	}
	decoder, noMedia, err := mediaDecoder(cfg.Recordings, log)
	if err != nil {
		return err
	}
	server, err := gateway.New(settings, gateway.Deps{
		Store: records, Engines: apiModels{set.Router()}, Media: decoder, NoMedia: noMedia, Outbound: outbound.New(cfg.AllowPrivate), Ready: func() error { return set.Ready("stt-1") },
		Addons: addons, Diarizer: set.Router(), Log: log, Metrics: []prometheus.Collector{newEngineMetrics(set)},
	})
	if err != nil {
		return err
	}
	hint(cfg, p)
	return serve(ctx, drain, cfg, listener, server, set.Failed(), log, p)
}

// gatewayConfig is what the gateway needs to know of the configuration.
func gatewayConfig(c Config, keys []gateway.Key) (gateway.Config, error) {
	proxies, err := prefixes(c.TrustedProxies)
	if err != nil {
		return gateway.Config{}, err
	}
	l := c.Limits
	g := gateway.Config{
		PublicURL: c.PublicURL, Hosts: c.knownHosts(), TrustedProxies: proxies, KeyHeaders: c.KeyHeaders, Keys: keys, Origin: c.CORSOrigin,
		Strict: c.Strict,
		Jobs: jobs.Config{
			Node: c.Node, Workers: c.Recordings.Workers, Addons: c.Recordings.Addons, Transcribed: c.Recordings.Transcribed,
			Fetches: c.Recordings.Fetches, AccountFetches: c.Recordings.FetchesPerAccount, AccountJobs: c.Recordings.RunningPerAccount,
		},
		Callbacks: gateway.Callbacks(c.Callbacks),
		Limits: limits.Limits{
			MaxAudio: l.Session, Body: l.BodyBytes, BinaryFrame: l.BinaryFrameBytes, TextFrame: l.TextFrameBytes,
			Idle: l.Idle, ResumeWindow: l.ResumeWindow, NeverConnected: l.FirstSocket, Drain: l.Drain,
			Sessions: orUnlimited(l.Sessions), KeySessions: orUnlimited(l.SessionsPerKey), EngineGrace: l.EngineGrace,
			Subscribers: orUnlimited(l.Subscribers), KeySubscribers: orUnlimited(l.SubscribersPerKey),
			SessionSubscribers: orUnlimited(l.SubscribersPerSession),
			KeyRate:            orUnlimited(l.SessionRatePerKey), FailedKeys: orUnlimited(l.FailedKeysPerMinute),
			TextMessage: l.TextMessageBytes, FrameStall: l.FrameStall, FrameRate: l.FrameRate, SocketBytes: l.SocketBytes,
			SessionTime: l.SessionTime, Pace: orUnlimited(l.Pace), Burst: l.Burst,
			Stall: l.Stall, Connections: l.Connections, PerAddress: l.ConnectionsPerAddress,
		},
	}
	c.Recordings.limit(&g.Limits)
	g.Limits.FreeDisk, g.Limits.Retention = max(l.FreeDiskBytes, 1), c.Retention.Finished
	return g, nil
}

// orUnlimited takes 0 for no limit.
func orUnlimited(n int) int {
	if n == 0 {
		return math.MaxInt
	}
	return n
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
