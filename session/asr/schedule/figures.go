package schedule

import (
	"maps"
	"time"

	"steno/session/asr"
)

// Figures are the cost of decoding with one model. Sums run from [Scheduler.Add].
type Figures struct {
	Model   string
	Waiting [classes]int // pieces of work now, by class
	Running int          // calls of Decode now

	Calls        int // calls of Decode started
	Jobs         int // pieces of work in them: Jobs / Calls is the mean batch
	LargestBatch int

	Queued        time.Duration // sum over the pieces, from Put to the start of their decoding
	LongestQueued time.Duration
	Decoding      time.Duration // sum over the calls that have ended
	LongestDecode time.Duration
	Audio         time.Duration // decoded in those

	Shed map[string]int // pieces of work given up, by reason
}

// RTF returns the real-time factor: time taken for each second of audio, 0 before the first decode.
func (f Figures) RTF() float64 {
	if f.Audio == 0 {
		return 0
	}
	return float64(f.Decoding) / float64(f.Audio)
}

// Figures returns the current figures. The result is the caller's.
func (q *Queue) Figures() Figures {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	f := q.meter.sums
	f.Model, f.Running, f.Shed = q.model.Name, q.running, maps.Clone(f.Shed)
	for c := range q.lines {
		f.Waiting[c] = q.lines[c].Len()
	}
	return f
}

// Shed counts n pieces of work that their owner gave up.
func (q *Queue) Shed(reason string, n int) {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	q.meter.drop(reason, n)
}

// meter keeps the sums.
type meter struct{ sums Figures }

// begin counts a call of Decode and returns how many samples it decodes.
func (m *meter) begin(batch []*Work, now time.Time) (samples int) {
	m.sums.Calls++
	m.sums.Jobs += len(batch)
	m.sums.LargestBatch = max(m.sums.LargestBatch, len(batch))
	for _, w := range batch {
		waited := now.Sub(w.since)
		m.sums.Queued += waited
		m.sums.LongestQueued = max(m.sums.LongestQueued, waited)
		samples += w.Samples
	}
	return samples
}

func (m *meter) end(samples int, took time.Duration) {
	m.sums.Decoding += took
	m.sums.LongestDecode = max(m.sums.LongestDecode, took)
	m.sums.Audio += time.Duration(samples) * time.Second / asr.Rate
}

func (m *meter) drop(reason string, n int) {
	if n == 0 {
		return
	}
	if m.sums.Shed == nil {
		m.sums.Shed = map[string]int{}
	}
	m.sums.Shed[reason] += n
}
