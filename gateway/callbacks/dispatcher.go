package callbacks

import (
	"context"
	"net/http"
	"sync"
	"time"

	"steno/session/panics"
	"steno/session/retry"
	"steno/session/semaphore"
	"steno/session/store"
)

// Sender makes requests, as *outbound.Client does.
type Sender interface {
	// Send returns the status of the answer and the pause that its Retry-After asks for. It does
	// not follow redirects.
	Send(ctx context.Context, method, url string, header http.Header, body []byte) (status int,
		retryAfter time.Duration, err error)
}

// Watcher observes the dispatcher. Its methods are called from any goroutine and must not block.
type Watcher interface {
	// Attempted is called when a claimed delivery was settled.
	Attempted(Attempt)
	// Pending is called every 15 s with the number of deliveries that wait; at most MaxPending are
	// counted.
	Pending(n int)
	// Trouble is called with errors of the outbox, which is asked again.
	Trouble(error)
}

// MaxPending bounds the count of the deliveries that wait.
const MaxPending = 10_000

// defaultGiveUp is the default of [Config.GiveUp].
const defaultGiveUp = 24 * time.Hour

// Config specifies how callbacks are delivered. Zero values are replaced by the documented
// defaults.
type Config struct {
	Outbox  store.Outbox
	Sender  Sender
	Watcher Watcher
	// Body returns the body of a delivery that was enqueued without one, the same for every
	// attempt. While it fails, the delivery is postponed. Nil: such bodies are empty.
	Body func(context.Context, store.Delivery) ([]byte, error)

	// Auth returns a header that the receiver of a delivery asks for, as "name: value"; empty: it
	// asks for none. While it fails, the delivery is postponed. Nil: none does.
	Auth func(context.Context, store.Delivery) (string, error)

	// Pace takes one of the callbacks that an account may be sent a second. Where there is none, it
	// returns how long it is until there is one, and how long each takes. Nil: none has a bound.
	Pace func(ctx context.Context, account string) (wait, each time.Duration)

	// Secrets are those of accounts. They are looked up for each request, which is signed with each
	// of them; nil: none.
	Secrets store.Secrets
	// Secret signs for all accounts that have fewer than two secrets of their own: "whsec_…" as
	// Standard Webhooks has it. Empty: it does not; without any secret requests are not signed.
	Secret string

	// requests under way that last less than half a second yet; default 16, and 4 times as many
	// that last longer
	Concurrency  int
	PerHost      int           // requests under way for one host; default 4
	Timeout      time.Duration // of a request; default 10 s
	FirstRetry   time.Duration // after the first failure; default 1 s
	LongestRetry time.Duration // default 15 min
	GiveUp       time.Duration // after the first attempt; default 24 h
	Keep         time.Duration // deliveries that have arrived; default 1 h
}

func (c Config) withDefaults() Config {
	for field, value := range map[*time.Duration]time.Duration{
		&c.Timeout: 10 * time.Second, &c.FirstRetry: time.Second, &c.LongestRetry: 15 * time.Minute,
		&c.GiveUp: defaultGiveUp, &c.Keep: time.Hour,
	} {
		if *field <= 0 {
			*field = value
		}
	}
	if c.Concurrency <= 0 {
		c.Concurrency = 16
	}
	if c.PerHost <= 0 {
		c.PerHost = 4
	}
	return c
}

// Dispatcher delivers callbacks from New until Stop.
type Dispatcher struct {
	cfg   Config
	hosts *hosts
	slots *semaphore.Semaphore // one for each request under way that is not slow
	slow  *semaphore.Semaphore // one for each that is

	accounts *accounts

	stop, cut context.CancelFunc // of claiming, of requests
	loops     sync.WaitGroup
	attempts  sync.WaitGroup
}

// New begins to deliver. The caller must Stop the dispatcher. Errors: ErrSecret.
func New(c Config) (*Dispatcher, error) {
	d := &Dispatcher{cfg: c.withDefaults()}
	if c.Secret != "" {
		if err := CheckSecret(c.Secret); err != nil {
			return nil, err
		}
	}
	d.hosts = newHosts(d.cfg)
	d.accounts = newAccounts(d.cfg)
	d.slots, d.slow = semaphore.New(int64(d.cfg.Concurrency), 0, 1),
		semaphore.New(int64(slowRoom*d.cfg.Concurrency), 0, 1)
	life, cut := context.WithCancel(context.Background())
	claims, stop := context.WithCancel(life)
	d.stop, d.cut = stop, cut
	d.loops.Go(func() { d.dispatch(claims, life) })
	d.loops.Go(func() { d.maintain(claims) })
	return d, nil
}

// Stop claims nothing more and waits for the requests under way. When ctx ends, they are aborted
// and postponed. When Stop returns, all goroutines have ended.
func (d *Dispatcher) Stop(ctx context.Context) {
	d.stop()
	defer context.AfterFunc(ctx, d.cut)()
	d.loops.Wait()
	d.attempts.Wait()
	d.cut()
}

// troublePause is the pause after the outbox failed.
const troublePause = time.Second

// dispatch claims as many deliveries as there are free slots until ctx ends. Requests end with
// life.
func (d *Dispatcher) dispatch(ctx, life context.Context) {
	for ctx.Err() == nil {
		if err := panics.Catch(func() error { return d.claim(ctx, life) }); err != nil && ctx.Err() == nil {
			d.cfg.Watcher.Trouble(err)
			_ = retry.Sleep(ctx, troublePause)
		}
	}
}

// claim starts the deliveries that are due, or waits until one is.
func (d *Dispatcher) claim(ctx, life context.Context) error {
	if err := d.cfg.Outbox.WaitDelivery(ctx); err != nil {
		return err
	}
	free := d.reserve(ctx)
	if free == 0 {
		return nil
	}
	// Not ended by ctx: a claim must not be lost.
	var list []store.Delivery
	err := panics.Catch(func() (err error) {
		list, err = d.cfg.Outbox.ClaimDeliveries(context.WithoutCancel(ctx), d.claimFor(), free)
		return err
	})
	for range free - len(list) {
		d.slots.Release("", 1)
	}
	for _, delivery := range list {
		d.attempts.Go(func() {
			at := place{dispatcher: d}
			defer at.leave()
			if err := panics.Try(func() { d.handle(life, delivery, &at) }); err != nil {
				d.cfg.Watcher.Trouble(err) // it is claimed again when its claim has expired
			}
		})
	}
	return err
}

// reserve waits for a free slot, takes all that are free, and returns how many; 0 if ctx ends
// before.
func (d *Dispatcher) reserve(ctx context.Context) (n int) {
	if d.slots.Acquire(ctx, "", 1) != nil {
		return 0
	}
	for n = 1; d.slots.TryAcquire("", 1); n++ {
	}
	return n
}

// claimMargin is longer than an attempt takes apart from its request: for settling it, above all,
// which is abandoned after four times settleTimeout. Deliveries of a node that dies wait for the
// end of their claims.
const claimMargin = 30 * time.Second

// claimFor returns a time longer than an attempt can take.
func (d *Dispatcher) claimFor() time.Duration { return d.cfg.Timeout + claimMargin }

const (
	countEvery = 15 * time.Second
	pruneEvery = 10 * time.Minute
)

// maintain counts the deliveries that wait and removes those that have arrived.
func (d *Dispatcher) maintain(ctx context.Context) {
	count, prune := time.NewTicker(countEvery), time.NewTicker(pruneEvery)
	defer count.Stop()
	defer prune.Stop()
	for {
		var task func(context.Context) error
		select {
		case <-ctx.Done():
			return
		case <-count.C:
			task = d.count
		case <-prune.C:
			task = d.prune
		}
		err := panics.Catch(func() error { return task(ctx) })
		if err != nil && ctx.Err() == nil {
			d.cfg.Watcher.Trouble(err)
		}
	}
}

func (d *Dispatcher) prune(ctx context.Context) error {
	d.hosts.forget(time.Now())
	d.accounts.forget(time.Now())
	_, err := d.cfg.Outbox.PruneDeliveries(ctx, time.Now().Add(-d.cfg.Keep))
	return err
}

func (d *Dispatcher) count(ctx context.Context) error {
	list, err := d.cfg.Outbox.Deliveries(ctx, "", store.DeliveryPending, MaxPending)
	if err == nil {
		d.cfg.Watcher.Pending(len(list))
	}
	return err
}
