package web

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	// MinBytes is what a peer must send or take in each stall that the server waits for it.
	MinBytes = 32 << 10
	// WriteStep is the most that should be written in one call, so that progress shows.
	WriteStep = MinBytes / 2
)

// Throughput holds a peer to a minimum throughput of MinBytes in each stall. Deadlines move with
// its progress: a slow peer may take long, and one that stands still is noticed soon. Only the time
// counts in which the server waits for the peer. It is not safe for concurrent use.
type Throughput struct {
	stall  time.Duration
	waited time.Duration // for the bytes since the last MinBytes were complete
	moved  int64
}

// NewThroughput returns a Throughput that allows a peer a time, the stall, for each MinBytes.
func NewThroughput(stall time.Duration) Throughput { return Throughput{stall: stall} }

// Deadline returns until when the peer may be waited for.
func (p *Throughput) Deadline(now time.Time) time.Time { return now.Add(p.stall - p.waited) }

// Add counts n bytes and the time that the server has waited for them.
func (p *Throughput) Add(n int64, waited time.Duration) {
	p.waited += waited
	if p.moved += n; p.moved >= MinBytes {
		p.waited, p.moved = 0, p.moved%MinBytes
	}
}

// Reset starts a new measurement, as for the next answer.
func (p *Throughput) Reset() { p.waited, p.moved = 0, 0 }

// PacedBody is the body of a request that may take long to arrive, as long as it keeps a minimum
// throughput. Once it has been read to its end, net/http itself removes the deadline.
type PacedBody struct {
	io.ReadCloser
	control  *http.ResponseController
	progress Throughput
	until    time.Time
	onStall  func() // called once, if the body arrives too slowly
	once     sync.Once
}

// NewPacedBody returns the request's body, which must have arrived within a time, and progress by
// MinBytes in each stall. onStall is called once if it does not.
func NewPacedBody(w http.ResponseWriter, r *http.Request, stall, within time.Duration, onStall func()) *PacedBody {
	return &PacedBody{
		ReadCloser: r.Body, control: http.NewResponseController(w), progress: NewThroughput(stall),
		until: time.Now().Add(within), onStall: onStall,
	}
}

// Read waits for the next bytes until the deadline.
func (b *PacedBody) Read(buf []byte) (int, error) {
	began := time.Now()
	next := b.progress.Deadline(began)
	if b.until.Before(next) {
		next = b.until
	}
	_ = b.control.SetReadDeadline(next) // in tests the connection may not support deadlines
	n, err := b.ReadCloser.Read(buf)
	b.progress.Add(int64(n), time.Since(began))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		b.once.Do(b.onStall)
	}
	return n, err
}
