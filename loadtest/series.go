package loadtest

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// maxPoints bounds a time series; when it is full, two points each become one.
const maxPoints = 600

// Point is what happened in one interval of a run. Delays are in seconds; those of nothing are
// zero.
type Point struct {
	At       float64 `json:"at"` // end of the interval, seconds since the beginning of the run
	Sessions int     `json:"sessions"`
	Frames   int64   `json:"frames"` // sent in the interval
	Ack      float64 `json:"ack_p95"`
	Partial  float64 `json:"partial_p95"`
	Final50  float64 `json:"final_p50"`
	Final    float64 `json:"final_p95"`
	Lag      float64 `json:"lag_p99"`
	Errors   int     `json:"errors"` // in the interval
	// OwnCPU and ServerCPU are processors in use; ServerMemory is in bytes. The server's are zero
	// where it is not local.
	OwnCPU       float64 `json:"own_cpu"`
	ServerCPU    float64 `json:"server_cpu"`
	ServerMemory int64   `json:"server_memory"`
}

// series gathers the points of a run. The lock of figures guards it.
type series struct {
	recent [measures]*hdrhistogram.Histogram // of the current interval, µs; nil: not followed
	frames int64
	errors int // before the interval
	points []Point
	every  int // seconds of an interval
	ticks  int // seconds since the last point
}

// reset makes an empty series.
func (s *series) reset() {
	*s = series{every: 1}
	for _, m := range []measure{ackDelay, partialDelay, finalDelay, senderLag} {
		s.recent[m] = hdrhistogram.New(1, (10 * time.Minute).Microseconds(), 2)
	}
}

func (s *series) record(m measure, us int64) {
	if h := s.recent[m]; h != nil {
		_ = h.RecordValue(us) // within its range: see figures.record
	}
}

// sample ends a second of the run. p has what was measured elsewhere.
func (f *figures) sample(p Point) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &f.series
	if s.ticks++; s.ticks < s.every {
		return
	}
	quantile := func(m measure, q float64) float64 { return float64(s.recent[m].ValueAtQuantile(q)) / 1e6 }
	p.Sessions, p.Frames = f.active, s.frames
	p.Ack, p.Partial, p.Lag = quantile(ackDelay, 95), quantile(partialDelay, 95), quantile(senderLag, 99)
	p.Final50, p.Final = quantile(finalDelay, 50), quantile(finalDelay, 95)
	p.Errors = f.problems() - s.errors
	s.points = append(s.points, p)
	s.errors += p.Errors
	s.frames, s.ticks = 0, 0
	for _, h := range s.recent {
		if h != nil {
			h.Reset()
		}
	}
	if len(s.points) >= maxPoints {
		s.points, s.every = halve(s.points), 2*s.every
	}
}

// ended returns the points of a finished run with so many errors: those after the last point are
// added to it.
func (s *series) ended(errors int) []Point {
	if len(s.points) > 0 {
		s.points[len(s.points)-1].Errors += errors - s.errors
	}
	return s.points
}

// halve joins two points each.
func halve(points []Point) []Point {
	var out []Point
	for i := 0; i+1 < len(points); i += 2 {
		out = append(out, join(points[i], points[i+1]))
	}
	return out
}

// join makes one point of two that follow each other. Of two percentiles the greater one is kept.
func join(a, b Point) Point {
	b.Frames += a.Frames
	b.Errors += a.Errors
	b.Ack, b.Partial, b.Lag = max(a.Ack, b.Ack), max(a.Partial, b.Partial), max(a.Lag, b.Lag)
	b.Final50, b.Final = max(a.Final50, b.Final50), max(a.Final, b.Final)
	b.OwnCPU, b.ServerCPU = (a.OwnCPU+b.OwnCPU)/2, (a.ServerCPU+b.ServerCPU)/2
	b.ServerMemory = max(a.ServerMemory, b.ServerMemory)
	return b
}
