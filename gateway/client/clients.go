package client

import (
	"context"
	"math"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/gateway/dialect"
	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/wsconn"
	"steno/session/semaphore"
)

// Config is what clients work with.
type Config struct {
	Limits    limits.Limits
	Media     *media.Decoder // decodes containers; nil: none are taken
	Metrics   *metrics.Metrics
	Recoverer *recovery.Recoverer
	Log       zerolog.Logger
}

// Clients are those connected to a server. Its methods may be called from any goroutine.
type Clients struct {
	cfg  Config
	life context.Context // ends with the server

	served       atomic.Int64
	processors   int64
	use          processorUse
	busy         atomic.Bool     // see processorUse
	queues       []queues        // for each processor
	queueing     sync.WaitGroup  // their goroutines
	longMessages *semaphore.Fair // that all clients may have held, by holder
	eventBytes   *budget         // that all clients may have held of events for them
}

// queues are those of a processor: of clients whose messages are left to gather, and of those that
// something is to be written to.
type queues struct {
	reads  *readQueue
	writes *writeQueue
}

// New returns the clients of a server, none yet. life ends with the server. The caller must call
// Start, and Stop when no client is served any more.
func New(life context.Context, c Config) *Clients {
	all := &Clients{
		cfg: c, life: life, longMessages: newLongMessages(c.Limits), eventBytes: newBudget(c.Limits.SocketBytes),
		processors: int64(runtime.GOMAXPROCS(0)),
	}
	for range all.processors {
		all.queues = append(all.queues, queues{newReadQueue(), newWriteQueue()})
	}
	return all
}

// newLongMessages returns what bounds the messages that are too long for what each client may have
// held: as many as fit into what all of them may have, of one holder a quarter of them.
func newLongMessages(l limits.Limits) *semaphore.Fair {
	most := int(max(1, l.SocketBytes/l.TextMessage))
	return semaphore.NewFair(most, max(1, most/4), math.MaxInt)
}

// Start begins to serve the queues.
func (all *Clients) Start() {
	for _, q := range all.queues {
		all.queueing.Go(q.reads.run)
		all.queueing.Go(q.writes.run)
	}
}

// Stop ends what Start has begun.
func (all *Clients) Stop() {
	for _, q := range all.queues {
		q.reads.stop()
		q.writes.stop()
	}
	all.queueing.Wait()
}

// Served returns how many clients are served.
func (all *Clients) Served() int64 { return all.served.Load() }

// Close closes a connection as its dialect says, and waits a time for the client's answer, whatever
// it sends instead.
func (all *Clients) Close(conn *wsconn.Conn, encoder dialect.Encoder, e dialect.Ending, wait time.Duration) {
	last, code, reason := encoder.End(e)
	all.cfg.Metrics.SocketCloses.WithLabelValues(strconv.Itoa(code)).Inc()
	if last != nil {
		_ = conn.WriteText(last) // a client that is gone needs none
	}
	conn.Close(code, reason, wait)
}

// LoadEvery is how often MeasureLoad is to be called.
const LoadEvery = time.Second

// MeasureLoad finds out whether the process is busy, on which depends what gathers. It is called by
// one goroutine.
func (all *Clients) MeasureLoad() error {
	used, err := processorTime()
	if err == nil {
		all.busy.Store(all.use.observe(time.Now(), used, all.processors))
	}
	return err
}
