package admission

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	"steno/gateway/metrics"
	"steno/gateway/web"
)

// Config specifies how much live speech is admitted. Zero values stand for the defaults.
type Config struct {
	// Headroom has sessions refused that engines or gateway cannot carry, as measured, and work
	// that can wait or be left out degraded before that. Without it only the other limits hold.
	Headroom bool `yaml:"headroom"`
	// Speakers is the most that may speak at a time on this node, as far as can be foreseen; 0: no
	// bound.
	Speakers int `yaml:"speakers" bounds:"0.."`
	// KeySpeakers is the same for one API key; 0: no bound.
	KeySpeakers int `yaml:"speakers_per_key" bounds:"0.."`
	// FinalWait is how long finals may wait for a decoding slot before no session is admitted;
	// default 250 ms.
	FinalWait time.Duration `yaml:"final_wait" bounds:"10ms.."`
	// Lag is by how much the gateway's own timers may be late, in the middle of some seconds;
	// default 250 ms.
	Lag time.Duration `yaml:"lag" bounds:"10ms.."`
}

// WithDefaults returns the configuration with the defaults in place of zero values.
func (c Config) WithDefaults() Config {
	if c.FinalWait <= 0 {
		c.FinalWait = 250 * time.Millisecond
	}
	if c.Lag <= 0 {
		c.Lag = 250 * time.Millisecond
	}
	return c
}

const (
	measureEvery = 500 * time.Millisecond
	answerTime   = 250 * time.Millisecond // of engines; below measureEvery, or they would make the gateway look late
	lagSamples   = 8
	endingsFor   = 30 * time.Second // time constant of the rate at which sessions end
	leastRetry   = time.Second      // in answers to refused clients
	mostRetry    = time.Minute
)

// Controller admits live sessions by measured headroom, and has work degraded while that is short,
// in this order: recordings pause, partials are left out for a part of the utterances, new sessions
// are refused. Finals are never touched. All it decides follows from the calls of its methods, the
// reports of engines and the clock. Its methods may be called from any goroutine.
type Controller struct {
	config  Config
	metrics *metrics.Admission
	load    func(ctx context.Context) []EngineLoad
	retry   time.Duration // in answers where nothing can be computed

	mu       sync.Mutex
	speakers map[*Speaker]struct{}
	engines  map[string]*engine // that report their load
	lags     []time.Duration    // by which the newest measurements were late
	endings  float64            // sessions that ended, older ones less
	endedAt  time.Time
}

// NewController returns a controller. load asks the engines for their reports until its context
// ends; it may be nil. retry is what refused clients are asked to wait where nothing better is
// known.
func NewController(c Config, load func(ctx context.Context) []EngineLoad, retry time.Duration,
	m *metrics.Admission) *Controller {
	return &Controller{
		config: c.WithDefaults(), metrics: m, load: load, retry: retry, speakers: map[*Speaker]struct{}{},
		engines: map[string]*engine{},
	}
}

// Run measures until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	tick := time.NewTicker(measureEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			c.release()
			return
		case due := <-tick.C:
			late := time.Since(due)
			c.measure(ctx, late)
		}
	}
}

// measure asks the engines and decides on what is degraded.
func (c *Controller) measure(ctx context.Context, late time.Duration) {
	var loads []EngineLoad
	if c.load != nil && c.config.Headroom {
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		loads = c.load(ctx)
		cancel()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observe(time.Now(), late, loads)
}

// observe takes in measurements. It is called with mu held.
func (c *Controller) observe(now time.Time, late time.Duration, loads []EngineLoad) {
	c.lags = append(c.lags, late)
	c.lags = c.lags[max(0, len(c.lags)-lagSamples):]
	by := map[string][]EngineLoad{}
	for _, l := range loads {
		by[l.Engine] = append(by[l.Engine], l)
	}
	for name, list := range by {
		if c.engines[name] == nil {
			c.engines[name] = newEngine(name)
		}
		c.engines[name].observe(now, list)
	}
	for name, e := range c.engines {
		if now.Sub(e.capacity.seen) > silentFor {
			e.silent()
		}
		e.degrade(c.demandOf(now, name, "").speakers(), c.config.FinalWait)
	}
	c.publish(now)
}

// Enter counts a session with so many channels that is not to be refused: it has been admitted
// before, on another node or before a restart.
func (c *Controller) Enter(holder Holder, channels int) *Speaker {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.enter(holder, "", channels)
}

func (c *Controller) enter(holder Holder, engine string, channels int) *Speaker {
	now := time.Now()
	s := &Speaker{
		of: c, account: holder.Account, holder: holder.Key, engine: engine, channels: float64(max(channels, 1)),
		at: now, newUntil: now.Add(newFor),
	}
	c.speakers[s] = struct{}{}
	return s
}

// Admit counts a new session whose speech is meant for an engine, or returns a problem that states
// when to try again: 429 for a limit of its key, 503 for the service's. others is how many speakers
// of the key other nodes have reported.
func (c *Controller) Admit(holder Holder, to Target, channels int, others float64) (*Speaker, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.refusal(time.Now(), holder, to, float64(max(channels, 1)), others); err != nil {
		return nil, err
	}
	return c.enter(holder, to.Engine, channels), nil
}

// Check returns the problem with which Admit would refuse a session of one channel whose engine is
// not known yet; nil if it would not.
func (c *Controller) Check(holder Holder, others float64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refusal(time.Now(), holder, Target{Present: true}, 1, others)
}

// refusal returns why a session with so many channels is not admitted; nil if it is. It is called
// with mu held.
func (c *Controller) refusal(now time.Time, holder Holder, to Target, channels, others float64) error {
	if most := float64(c.config.KeySpeakers); most > 0 {
		if n := c.demandOf(now, "", holder.Key).speakers() + others; n+channels > most {
			c.metrics.Refuse(metrics.RefusedKeySpeakers)
			return web.Refuse(http.StatusTooManyRequests, fmt.Sprintf(
				"this API key has about %.0f speakers, no more than %.0f are allowed", n, most),
				c.wait(now, "", holder.Key, n+channels-most))
		}
	}
	if most := float64(c.config.Speakers); most > 0 {
		if n := c.demandOf(now, "", "").speakers(); n+channels > most {
			c.metrics.Refuse(metrics.RefusedSpeakers)
			return web.Refuse(http.StatusServiceUnavailable, "no capacity for another session: as many speak as may",
				c.wait(now, "", "", n+channels-most))
		}
	}
	if !c.config.Headroom {
		return nil
	}
	return c.overload(now, holder.Account, to, channels)
}

// overload returns why engine or gateway cannot carry another session of an account; nil if they
// can. An account with less than its share of an engine is admitted though others have the rest of
// it: engines are shared by account, so that delays those others. It is called with mu held.
func (c *Controller) overload(now time.Time, account string, to Target, channels float64) error {
	if lag := c.lag(); lag > c.config.Lag {
		c.metrics.Refuse(metrics.RefusedGateway)
		return web.Refuse(http.StatusServiceUnavailable, "no capacity for another session: the server is overloaded",
			retryOf(4*lag.Seconds()))
	}
	e := c.engines[to.Engine]
	switch {
	case e == nil && !to.Present: // its capacity is unknown, and all that is admitted would begin at the same time
		c.metrics.Refuse(metrics.RefusedEngine)
		return web.Refuse(http.StatusServiceUnavailable,
			"no capacity for another session: no recognition engine is there yet", c.retry)
	case e == nil: // it tells nothing of its load
		return nil
	}
	n := c.demandOf(now, to.Engine, "").speakers()
	if e.capacity.shared {
		n = max(n, e.capacity.speakers)
	}
	if c.hasShare(now, account, to.Engine, channels) {
		return nil
	}
	wait, budget := e.capacity.wait, c.config.FinalWait.Seconds()
	if over := n + channels - max(e.capacity.most(), channels); over > 0 {
		c.metrics.Refuse(metrics.RefusedEngine)
		return web.Refuse(http.StatusServiceUnavailable,
			"no capacity for another session: the recognition engine is fully used",
			c.wait(now, to.Engine, "", over))
	}
	if wait > budget && n > 0 {
		c.metrics.Refuse(metrics.RefusedEngine)
		return web.Refuse(http.StatusServiceUnavailable,
			"no capacity for another session: the recognition engine is behind",
			retryOf(waitFor.Seconds()*math.Log(wait/budget)))
	}
	return nil
}

// demandOf returns what the sessions of an engine and of a key count for; empty: of all. It is
// called with mu held.
func (c *Controller) demandOf(now time.Time, engine, holder string) (d demand) {
	for s := range c.speakers {
		if (engine == "" || s.engine == engine) && (holder == "" || s.holder == holder) {
			d.add(s, now)
		}
	}
	return d
}

// Speakers returns what the sessions of each key count for, in thousandths of a speaker.
func (c *Controller) Speakers() map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, by := time.Now(), map[string]*demand{}
	for s := range c.speakers {
		if by[s.holder] == nil {
			by[s.holder] = &demand{}
		}
		by[s.holder].add(s, now)
	}
	counts := make(map[string]int64, len(by))
	for holder, d := range by {
		counts[holder] = int64(d.speakers() * 1000)
	}
	return counts
}

// lag returns by how much timers are late, in the middle. It is called with mu held.
func (c *Controller) lag() time.Duration {
	if len(c.lags) < lagSamples {
		return 0
	}
	sorted := slices.Sorted(slices.Values(c.lags))
	return sorted[len(sorted)/2]
}

// release lets paused recordings continue, at the end.
func (c *Controller) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.engines {
		e.pause(false)
	}
}
