package gateway

import (
	"context"
	"crypto/sha256"
	"time"

	"steno/gateway/accounts"
	"steno/gateway/admission"
	"steno/gateway/bots"
	"steno/gateway/connections"
	"steno/gateway/health"
	"steno/gateway/jobs"
	"steno/gateway/live"
	"steno/gateway/records"
	"steno/gateway/recovery"
	"steno/gateway/subscribers"
	"steno/gateway/tokens"
	"steno/gateway/uploads"
	"steno/gateway/web"
	"steno/session/store"
)

// The functions below make the parts of a server, in the order in which [New] calls them.

// newGuards makes the checks that requests pass before a handler is called.
func (s *Server) newGuards() {
	c := s.cfg
	s.proxies = web.NewProxies(c.TrustedProxies, s.log)
	s.problems = &problems{log: s.log, metrics: s.metrics, proxies: s.proxies}
	s.connections = connections.New(c.Limits, s.proxies, s.metrics, s.log)
	s.metrics.Audit(lostLines(s.deps.Audit, s.auditKept))
	s.addresses = web.NewAddresses(c.PublicURL, c.Hosts, s.proxies, s.log)
	s.auth = &authenticator{
		headers: c.KeyHeaders, keys: s.keys, store: s.deps.Store, limiter: newKeyLimiter(c.Limits.FailedKeys),
		proxies:   s.proxies,
		addresses: s.addresses, operators: c.Operators,
	}
	if c.AdminToken != "" {
		hash := sha256.Sum256([]byte(c.AdminToken))
		s.auth.token = hash[:]
	}
}

// newShared makes the parts that several services share, and the services that need nothing else.
func (s *Server) newShared() {
	c, d := s.cfg, &s.deps
	d.Addons = d.Addons.WithFailures(newAddonFailures(d.Addons.Names(), s.log, s.metrics).report)
	s.recoverer = recovery.New(s.log, s.metrics.Panics)
	s.accounts = accounts.New(accounts.Config{
		Store: d.Store, Quotas: c.Accounts, Metrics: s.metrics.Accounts, Retry: c.Limits.RetryAfter,
		Running: func(account string) time.Duration { return s.live.Running(account) },
		Failed:  func(err error) { s.log.Error().Err(err).Msg("quotas not read, tried again") },
	})
	s.disk = admission.NewDisk(d.Store, s.accounts, c.Limits.FreeDisk, c.Limits.KeyDisk)
	s.metrics.GaugeFunc("disk_free_bytes", "Bytes that the store has room for.", s.disk.Gauge)
	s.policy = &admission.Policy{
		Models: d.Engines, Addresses: d.Outbound, Strict: c.Strict, Started: time.Now(),
		RetryAfter: c.Limits.RetryAfter, Log: s.log,
		Offers: d.Addons.Offers, Transient: c.Transient,
	}
	s.admission = admission.NewController(c.Admission, d.EngineLoad, c.Limits.RetryAfter, s.metrics.Admission)
	s.health = health.New(health.Config{
		Draining: &s.draining, Ready: d.Ready, Disk: s.disk, Store: d.Store, Media: d.Media,
		CutOff: func() bool { return s.live.CutOff() }, Sample: d.Sample != "",
		Life: s.life, RetryAfter: c.Limits.RetryAfter,
	})
	s.tokens = &tokens.Service{Store: d.Store, Addresses: s.addresses, Limits: c.Limits}
}

// newSessions makes the live sessions.
func (s *Server) newSessions() *live.Sessions {
	s.metrics.GaugeFunc("store_away_seconds",
		"Seconds since the store has last answered this node; 0 while it answers.", func() float64 {
			return s.live.Away().Seconds()
		})
	return live.New(live.Config{
		Limits: s.cfg.Limits, Store: s.deps.Store, Recognizers: s.deps.Engines, Addons: s.deps.Addons,
		Media:      s.deps.Media,
		CheckMedia: func(ctx context.Context) error { return s.uploads.CheckMedia(ctx) },
		Policy:     s.policy, Admission: s.admission, Disk: s.disk, Accounts: s.accounts,
		InFlight: &s.inFlight, HasKey: s.keys.has,
		Node:         s.cfg.Jobs.Node,
		CutOff:       func() { s.subscribers.SendAway() },
		Authenticate: s.auth.creator,
		Metrics:      s.metrics, Tracer: s.deps.Tracer, Recoverer: s.recoverer, Log: s.log,
	})
}

// newSubscribers makes the service that sends the events of live sessions to subscribers.
func (s *Server) newSubscribers() *subscribers.Service {
	return subscribers.New(subscribers.Config{
		Store: s.deps.Store, Limits: s.cfg.Limits, InFlight: &s.inFlight, HasKey: s.keys.has,
		Metrics: s.metrics, Recoverer: s.recoverer, Log: s.log,
	})
}

// newJobs makes the parts that serve recorded files and records.
func (s *Server) newJobs() {
	c, d := s.cfg, s.deps
	s.uploads = uploads.New(uploads.Deps{
		Store: d.Store, Media: d.Media, NoMedia: d.NoMedia, Outbound: d.Outbound, Addresses: s.addresses,
		Policy: s.policy,
		Disk:   s.disk, Accounts: s.accounts, InFlight: &s.inFlight, Metrics: s.metrics, Limits: c.Limits,
		Probes: 2 * c.Jobs.Workers, Fetches: c.Jobs.Fetches, AccountFetches: c.Jobs.AccountFetches,
	})
	s.jobs = jobs.New(s.life, c.Jobs, jobs.Deps{
		Store: d.Store, Engines: d.Engines, Ready: d.Ready, Media: d.Media, Diarizer: d.Diarizer, Addons: s.deps.Addons,
		Uploads: s.uploads, Addresses: s.addresses, Policy: s.policy, Admission: s.admission, Disk: s.disk,
		Accounts:  s.accounts,
		Recoverer: s.recoverer, Metrics: s.metrics, Tracer: d.Tracer, Log: s.log, Limits: c.Limits,
		Callback: func(dialect string, r store.Record) ([]byte, error) { return s.dialects.callback(dialect, r) },
	})
	s.bots = bots.New(bots.Deps{
		Store: d.Store, Uploads: s.uploads, Jobs: s.jobs, Addresses: s.addresses, Policy: s.policy,
		InFlight: &s.inFlight,
		Limits:   c.Limits, Done: s.life.Done(),
	})
	s.records = records.New(records.Deps{
		Store: d.Store, Addresses: s.addresses, Uploads: s.uploads, Limits: c.Limits,
		Removed: func(id string) {
			s.live.Forget(id)
			s.jobs.Cancel(id)
		},
		LogProblem: s.problems.logProblem, SeesAll: s.auth.seesAll,
	})
	s.dialects = newDialects(s)
}

// sweeper deletes records and uploads that have expired.
func sweeper(s *Server) *records.Sweeper {
	return &records.Sweeper{
		Store: s.deps.Store, Keep: s.cfg.Limits.Keep, Policy: s.cfg.Retention, Removed: s.live.Forget,
		Grace: s.cfg.Limits.ResumeWindow, Erased: s.metrics.Accounts.Erase,
		Recoverer: s.recoverer, Log: s.log,
	}
}
