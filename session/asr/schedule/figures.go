package schedule

import (
	"maps"
	"time"

	"steno/session/asr"
)

// Figures are the cost of decoding with one model. Sums run from [Scheduler.Add].
type Figures struct {
	Model        string
	OnlyPartials bool // see [Model.OnlyPartials]
	Slots        int  // of the scheduler, which all models share

	Waiting [classes]int // pieces of work now, by class
	Running int          // calls of Decode now

	Calls        int // calls of Decode started
	Jobs         int // pieces of work in them: Jobs / Calls is the mean batch
	LargestBatch int

	Queued        time.Duration // sum over the pieces but guesses, from Put to the start of their decoding
	LongestQueued time.Duration
	Decoding      time.Duration // sum over the finished calls
	LongestDecode time.Duration
	Audio         time.Duration // decoded in those

	Shed map[string]int // dropped pieces of work, by reason

	Classes [classes]ClassFigures // by [Class]
}

// ClassFigures are the cost of the work of one class. A decode of several pieces counts for each by
// its audio.
type ClassFigures struct {
	Jobs     int           // pieces of work begun
	Waiting  int           // pieces of work now
	Oldest   time.Duration // since the first of these was put
	Queued   time.Duration // sum over the pieces begun, from Put to the start of their decoding
	Decoding time.Duration // sum over the finished decodes
	Audio    time.Duration // decoded in those
	// Processor is the processor time of those: Decoding without the time in which something else
	// had the processor. It is 0 for models that are not OneThread, and where the system does not
	// tell it.
	Processor time.Duration
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
	f.OnlyPartials, f.Slots = q.model.OnlyPartials, q.s.limit
	for c := range q.lines {
		line := &q.lines[c]
		f.Waiting[c], f.Classes[c].Waiting = line.len, line.len
		if line.len > 0 {
			f.Classes[c].Oldest = time.Since(line.since())
		}
	}
	return f
}

// Shed counts n pieces of work that their owner dropped, by reason.
func (q *Queue) Shed(reason string, n int) {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	q.meter.drop(reason, n)
}

// meter keeps the sums.
type meter struct{ sums Figures }

// begin counts a call of Decode.
func (m *meter) begin(batch []*Work, now time.Time) {
	m.sums.Calls++
	m.sums.LargestBatch = max(m.sums.LargestBatch, len(batch))
	for _, w := range batch {
		waited, of := now.Sub(w.since), &m.sums.Classes[w.Class]
		if !w.Rest {
			m.sums.Jobs++
			of.Jobs++
		}
		of.Queued += waited
		if w.Class != Guess {
			m.sums.Queued += waited
			m.sums.LongestQueued = max(m.sums.LongestQueued, waited)
		}
	}
}

// end counts the end of a call of Decode, which took some time, and of that some of a processor.
func (m *meter) end(batch []share, took, processor time.Duration) {
	m.sums.Decoding += took
	m.sums.LongestDecode = max(m.sums.LongestDecode, took)
	for i, part := range parts(batch) {
		s := batch[i]
		of := &m.sums.Classes[s.class]
		m.sums.Audio += duration(s.samples)
		of.Audio += duration(s.samples)
		of.Decoding += time.Duration(float64(took) * part)
		of.Processor += time.Duration(float64(processor) * part)
	}
}

// share is one piece's share of a call of Decode. The piece itself may be put again before the call
// has been counted.
type share struct {
	class    Class
	samples  int
	party    *party
	expected time.Duration // of the slot
}

// parts returns what part of the call each piece has: its part of the audio.
func parts(shares []share) []float64 {
	samples, out := 0, make([]float64, len(shares))
	for _, s := range shares {
		samples += s.samples
	}
	for i, s := range shares {
		out[i] = 1 / float64(len(shares))
		if samples > 0 {
			out[i] = float64(s.samples) / float64(samples)
		}
	}
	return out
}

func duration(samples int) time.Duration { return time.Duration(samples) * time.Second / asr.Rate }

func (m *meter) drop(reason string, n int) {
	if n == 0 {
		return
	}
	if m.sums.Shed == nil {
		m.sums.Shed = map[string]int{}
	}
	m.sums.Shed[reason] += n
}
