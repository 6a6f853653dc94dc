package main

import (
	"context"
	"math"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"steno/gateway"
	"steno/gateway/admission"
	"steno/gateway/jobs"
	"steno/gateway/limits"
	"steno/gateway/outbound"
)

// newGateway returns the gateway of a configuration. The caller must close it before the dependencies.
func newGateway(c Config, d *dependencies, log zerolog.Logger) (*gateway.Server, error) {
	var err error
	if c.Limits, err = fitLimits(c.Limits, log); err != nil {
		return nil, err
	}
	settings, err := gatewayConfig(c, d.keys)
	if err != nil {
		return nil, err
	}
	router := d.engines.Router()
	return gateway.New(settings, gateway.Deps{
		Store: d.store, Engines: c.modelsOf(d.engines), Ready: func() error { return d.engines.Ready("stt-1") },
		EngineLoad: func(ctx context.Context) []admission.EngineLoad { return engineLoads(d.engines.Figures(ctx)) },
		Tracer:     d.tracer, Sample: installed(consoleRecording),
		Addons: d.addons, Diarizer: router, Media: d.decoder, NoMedia: d.noDecoder, Outbound: outbound.New(c.AllowPrivate),
		Log: log, Metrics: []prometheus.Collector{newEngineMetrics(d.engines), newFeedMetrics(d.store), newValkeyMetrics(d.store)},
	})
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
		Admission: admission.Config(c.Admission),
		Limits: limits.Limits{
			MaxAudio: l.Session, Body: l.BodyBytes, BinaryFrame: l.BinaryFrameBytes, TextFrame: l.TextFrameBytes,
			Idle: l.Idle, ResumeWindow: l.ResumeWindow, NeverConnected: l.FirstSocket,
			Sessions: orUnlimited(l.Sessions), KeySessions: orUnlimited(l.SessionsPerKey), EngineGrace: l.EngineGrace,
			Subscribers: orUnlimited(l.Subscribers), KeySubscribers: orUnlimited(l.SubscribersPerKey),
			SessionSubscribers: orUnlimited(l.SubscribersPerSession),
			KeyRate:            orUnlimited(l.SessionRatePerKey), FailedKeys: orUnlimited(l.FailedKeysPerMinute),
			TextMessage: l.TextMessageBytes, FrameStall: l.FrameStall, FrameRate: l.FrameRate, SocketBytes: l.SocketBytes,
			SessionTime: l.SessionTime, Pace: orUnlimited(l.Pace), Burst: l.Burst,
			KeyDisk: l.KeyDiskPercent, Stall: l.Stall, Connections: l.Connections, PerAddress: l.ConnectionsPerAddress,
		},
	}
	c.Recordings.limit(&g.Limits)
	g.Limits.Drain, g.Limits.FreeDisk, g.Limits.Retention = max(l.Drain, 1), max(l.FreeDiskBytes, 1), c.Retention.Finished
	return g, nil
}

// orUnlimited takes 0 for no limit.
func orUnlimited(n int) int {
	if n == 0 {
		return math.MaxInt
	}
	return n
}
