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

// Config configures clients.
type Config struct {
	Limits    limits.Limits
	Media     *media.Decoder // decodes containers; nil: they are refused
	Metrics   *metrics.Metrics
	Recoverer *recovery.Recoverer
	Log       zerolog.Logger
}

// Clients are the clients connected to a server. Its methods may be called from any goroutine.
type Clients struct {
	cfg  Config
	life context.Context // ends with the server

	served       atomic.Int64
	processors   int64
	use          processorUse
	busy         atomic.Bool          // see processorUse
	queues       []queues             // for each processor
	queueing     sync.WaitGroup       // their goroutines
	longMessages *semaphore.Semaphore // of all clients, by holder
	eventBytes   *budget              // of events of all clients
}

// queues are the queues of a processor.
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

// newLongMessages returns the bound of messages that are too long for a client's own buffer: as
// many as fit into the room of all clients, a quarter of them for one holder.
func newLongMessages(l limits.Limits) *semaphore.Semaphore {
	most := max(1, l.SocketBytes/l.TextMessage)
	return semaphore.New(most, max(1, most/4), math.MaxInt)
}

// Start starts to serve the queues.
func (all *Clients) Start() {
	for _, q := range all.queues {
		all.queueing.Go(q.reads.run)
		all.queueing.Go(q.writes.run)
	}
}

// Stop stops the goroutines of Start and waits for them.
func (all *Clients) Stop() {
	for _, q := range all.queues {
		q.reads.stop()
		q.writes.stop()
	}
	all.queueing.Wait()
}

// Served returns how many clients are served.
func (all *Clients) Served() int64 { return all.served.Load() }

// Close closes a connection in the way of its dialect, and waits for the client's close frame, at
// most for wait.
func (all *Clients) Close(conn *wsconn.Conn, encoder dialect.Encoder, e dialect.Ending, wait time.Duration) {
	last, code, reason := encoder.End(e)
	all.cfg.Metrics.SocketCloses.WithLabelValues(strconv.Itoa(code)).Inc()
	if last != nil {
		_ = conn.WriteText(last) // may fail if the client is gone
	}
	conn.Close(code, reason, wait)
}

// LoadEvery is how often MeasureLoad is to be called.
const LoadEvery = time.Second

// MeasureLoad measures whether the process is busy, which decides whose messages accumulate. It is
// called by one goroutine.
func (all *Clients) MeasureLoad() error {
	used, err := processorTime()
	if err == nil {
		all.busy.Store(all.use.observe(time.Now(), used, all.processors))
	}
	return err
}
