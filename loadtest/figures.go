package loadtest

import (
	"fmt"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// measure names one kind of delay.
type measure int

const (
	ackDelay      measure = iota // audio due -> its acknowledgment here
	partialDelay                 // audio up to the partial's last word due -> partial here
	finalDelay                   // audio up to the utterance's end due -> final here
	decisionDelay                // speech_end here -> final here
	senderLag                    // audio due -> audio written to the socket
	firstThird                   // finalDelay of utterances that ended in the first third of the run
	lastThird                    // ... in its last third
	measures
)

// maxKinds bounds the different errors that are told apart; what comes beyond is counted as "other".
const maxKinds = 32

// figures gathers what all clients measure. Its methods may be called from any goroutine. What it holds does not grow
// with the length of the run.
type figures struct {
	start time.Time     // of the run
	span  time.Duration // how long audio is going to be sent

	mu     sync.Mutex
	delays [measures]*hdrhistogram.Histogram // µs
	count  counts
	closes map[int]int
	errs   map[string]int
}

// counts are the plain numbers of a report.
type counts struct {
	Finals     int `json:"finals"`     // different ones received
	Partials   int `json:"partials"`   // received
	Withdrawn  int `json:"withdrawn"`  // utterances with partials whose final had no words
	Repeats    int `json:"repeats"`    // finals received again after a reconnection, identical
	Differing  int `json:"differing"`  // finals received again and not identical
	Missing    int `json:"missing"`    // finals of the record that were never received
	Unrecorded int `json:"unrecorded"` // finals received that the record does not hold
	Reconnects int `json:"reconnects"` // sockets opened after the first of a session
	Done       int `json:"done"`       // sessions that ended well
	Failed     int `json:"failed"`     // sessions that did not
}

func newFigures(start time.Time, span time.Duration) *figures {
	f := &figures{start: start, span: span, closes: map[int]int{}, errs: map[string]int{}}
	for i := range f.delays {
		f.delays[i] = hdrhistogram.New(1, (10 * time.Minute).Microseconds(), 3)
	}
	return f
}

// delay records one delay; a negative one counts as none, one above ten minutes as ten.
func (f *figures) delay(m measure, d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.record(m, d)
}

// final records the delay of a final whose utterance's end was due at the time ended.
func (f *figures) final(ended time.Time, d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.record(finalDelay, d)
	switch third := 3 * ended.Sub(f.start) / max(f.span, 1); {
	case third <= 0:
		f.record(firstThird, d)
	case third >= 2:
		f.record(lastThird, d)
	}
}

func (f *figures) record(m measure, d time.Duration) {
	h := f.delays[m]
	us := min(max(d.Microseconds(), 0), h.HighestTrackableValue())
	// Within the histogram's range by the line above: it cannot fail.
	_ = h.RecordValue(us)
}

// add changes the plain numbers.
func (f *figures) add(change func(*counts)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.count)
}

// closed counts one socket's end; code -1 is a connection lost without a close frame.
func (f *figures) closed(code int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closes[code]++
}

// trouble counts something that should not have happened, by kind.
func (f *figures) trouble(format string, args ...any) {
	kind := fmt.Sprintf(format, args...)
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.errs[kind]; !known && len(f.errs) >= maxKinds {
		kind = "other"
	}
	f.errs[kind]++
}

// watch reports progress once a second until ended is closed.
func (f *figures) watch(ended <-chan struct{}, report func(Progress)) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			report(f.progress(time.Now()))
		case <-ended:
			return
		}
	}
}

func (f *figures) progress(now time.Time) Progress {
	f.mu.Lock()
	defer f.mu.Unlock()
	return Progress{
		Elapsed: now.Sub(f.start), Span: f.span, Finals: f.count.Finals, Failed: f.count.Failed,
		Delay: newDelay(f.delays[finalDelay]).P50,
	}
}
