package main

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"steno/cmd/steno/config"
	"steno/cmd/steno/descriptors"
	"steno/cmd/steno/metrics"
	"steno/cmd/steno/recognizers"
	"steno/gateway"
	"steno/gateway/admission"
	"steno/gateway/jobs"
	"steno/gateway/outbound"
	"steno/session/store"
)

// newGateway returns the gateway of a configuration. The caller must close it before the
// dependencies.
func newGateway(c config.Config, d *dependencies, log zerolog.Logger) (*gateway.Server, error) {
	var err error
	if c.Limits, err = descriptors.Fit(c.Limits, log); err != nil {
		return nil, err
	}
	settings, err := gatewayConfig(c, d.keys)
	if err != nil {
		return nil, err
	}
	router := d.engines.Router()
	return gateway.New(settings, gateway.Deps{
		Store: d.store, Engines: recognizers.Setup{Config: c}.APIModels(d.engines),
		Ready:      func() error { return d.engines.Ready("stt-1") },
		EngineLoad: func(ctx context.Context) []admission.EngineLoad { return engineLoads(d.engines.Figures(ctx)) },
		Audit:      d.audit, Tracer: d.tracer, Sample: installed(consoleRecording),
		Addons: d.addons, Diarizer: router, Media: d.decoder, NoMedia: d.noDecoder,
		Outbound: outbound.New(c.AllowPrivate),
		Log:      log, Metrics: []prometheus.Collector{metrics.Engines(d.engines), metrics.Feed(d.store),
			metrics.Valkey(d.store)},
	})
}

// gatewayConfig is what the gateway needs to know of the configuration.
func gatewayConfig(c config.Config, keys []gateway.Key) (gateway.Config, error) {
	proxies, err := c.Proxies()
	if err != nil {
		return gateway.Config{}, err
	}
	g := gateway.Config{
		PublicURL: c.PublicURL, Hosts: c.KnownHosts(), TrustedProxies: proxies, KeyHeaders: c.KeyHeaders, Keys: keys,
		AdminToken: c.AdminToken, Origin: c.CORSOrigin,
		Strict: c.Strict,
		Jobs: jobs.Config{
			Node: c.Node, Workers: c.Recordings.Workers, Addons: c.Recordings.Addons,
			Transcribed: c.Recordings.Transcribed,
			Fetches:     c.Recordings.Fetches, AccountFetches: c.Recordings.FetchesPerAccount,
			AccountJobs: c.Recordings.RunningPerAccount,
		},
		Callbacks:  c.Callbacks,
		NoDialects: c.Dialects.Off(),
		Admission:  c.Admission,
		Accounts:   c.Accounts.Quotas(),
		Operators:  c.Operators,
		Limits:     c.Limits.Configured(),
		AuditKeep:  store.AuditBounds{Keep: c.Audit.Keep, Most: c.Audit.Most},
	}
	c.Recordings.Limit(&g.Limits)
	g.Retention, g.Transient = c.Accounts.Policy(c.Retention), c.Accounts.Transient
	return g, nil
}
