package gateway

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	progressBytes = 32 << 10          // what a peer must give or take in each [Limits.Stall] that it is waited for
	progressStep  = progressBytes / 2 // written at once at most, so that progress is seen
)

// progress holds a peer to a least throughput. Deadlines move with its progress, so that what is slow may take long, and what
// stands still, or as good as, is noticed soon. Only the time counts in which the peer is waited for.
type progress struct {
	stall  time.Duration
	waited time.Duration // for the bytes since the last progressBytes were whole
	moved  int64
}

// deadline is until when the peer may be waited for.
func (p *progress) deadline(now time.Time) time.Time { return now.Add(p.stall - p.waited) }

// note counts n bytes that the peer was waited for.
func (p *progress) note(n int64, waited time.Duration) {
	p.waited += waited
	if p.moved += n; p.moved >= progressBytes {
		p.waited, p.moved = 0, p.moved%progressBytes
	}
}

// steadyBody is the body of a request that may take long to come, as long as it keeps pace. Once it was read to its end,
// net/http itself takes the deadline away.
type steadyBody struct {
	io.ReadCloser
	control  *http.ResponseController
	progress progress
	until    time.Time
	onStall  func() // called once, when the body comes too slowly
	once     sync.Once
}

// steadyBody is the request's body, which has to be there within a time.
func (s *Server) steadyBody(w http.ResponseWriter, r *http.Request, within time.Duration) *steadyBody {
	return &steadyBody{
		ReadCloser: r.Body, control: http.NewResponseController(w), progress: progress{stall: s.cfg.Limits.Stall},
		until: time.Now().Add(within), onStall: func() { s.metrics.drop(dropBodyStalled) },
	}
}

// Read waits for the next bytes.
func (b *steadyBody) Read(buf []byte) (int, error) {
	began := time.Now()
	next := b.progress.deadline(began)
	if b.until.Before(next) {
		next = b.until
	}
	_ = b.control.SetReadDeadline(next) // where none can be set there is none
	n, err := b.ReadCloser.Read(buf)
	b.progress.note(int64(n), time.Since(began))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		b.once.Do(b.onStall)
	}
	return n, err
}
