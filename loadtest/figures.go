package loadtest

import (
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// measure names one kind of delay.
type measure int

const (
	ackDelay     measure = iota // audio due -> its acknowledgment here
	partialDelay                // audio up to the partial's last word due -> partial here
	firstPartial                // audio up to the utterance's first word due -> its first partial here
	finalDelay                  // audio up to the end of speech due -> final here
	// last word due -> final here, where the utterance was cut while its speaker continued
	cutDelay
	decisionDelay   // speech_end here -> final here
	subscriberDelay // as finalDelay, at a subscriber
	createDelay     // request for a session -> its answer
	connectDelay    // socket asked for -> socket open
	senderLag       // frame due -> the sender comes to it
	firstThird      // finalDelay of utterances that ended in the first third of the run
	lastThird       // ... in its last third
	measures
)

// maxKinds bounds the different errors that are counted separately; others are counted as "other".
const maxKinds = 32

// figures gathers what all clients measure. Its methods may be called from any goroutine. What it
// holds does not grow with the length of the run.
type figures struct {
	start time.Time     // of the run
	from  time.Time     // what was due before is not measured,
	until time.Time     // nor what was due after
	span  time.Duration // how long audio is going to be sent

	mu     sync.Mutex
	active int                               // sessions that are open
	audio  time.Duration                     // sent by all of them
	delays [measures]*hdrhistogram.Histogram // µs
	count  counts
	closes map[int]int
	errs   map[string]int
	series series
	words  wordErrors
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
	Gaps       int `json:"gaps"`       // acknowledgments that begin after the end of the one before
	Dropped    int `json:"dropped"`    // connections that were cut on purpose
	Reconnects int `json:"reconnects"` // sockets opened after the first of a session
	Followed   int `json:"followed"`   // finals received by subscribers
	Unfollowed int `json:"unfollowed"` // finals that a subscriber did not receive
	Done       int `json:"done"`       // sessions that ended well
	Failed     int `json:"failed"`     // sessions that did not
}

func newFigures(start time.Time, span time.Duration) *figures {
	f := &figures{start: start, from: start, span: span, closes: map[int]int{}, errs: map[string]int{}}
	for i := range f.delays {
		f.delays[i] = newHistogram()
	}
	f.series.reset()
	return f
}

// newHistogram counts delays in microseconds, up to ten minutes, with three significant digits.
func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, (10 * time.Minute).Microseconds(), 3)
}

// opened counts the sessions that are open: change is 1 or -1.
func (f *figures) opened(change int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.active += change
}

// spoke adds the audio that one session has sent.
func (f *figures) spoke(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.audio += d
}

// delay records the delay of something that was due and came at the time now: none, if it came
// before, and ten minutes at most.
func (f *figures) delay(m measure, due, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.record(m, due, now.Sub(due))
}

// counts reports whether what was due at a time is measured.
func (f *figures) counts(due time.Time) bool {
	return !due.Before(f.from) && (f.until.IsZero() || !due.After(f.until))
}

// sent records by how much frames that were sent now were late.
func (f *figures) sent(lags []time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	for _, d := range lags {
		f.record(senderLag, now, d)
	}
	f.series.frames += int64(len(lags))
}

// final records the delay of a final whose utterance's end was due at the time ended.
func (f *figures) final(ended, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := now.Sub(ended)
	f.record(finalDelay, ended, d)
	switch third := 3 * ended.Sub(f.start) / max(f.span, 1); {
	case third <= 0:
		f.record(firstThird, ended, d)
	case third >= 2:
		f.record(lastThird, ended, d)
	}
}

func (f *figures) record(m measure, due time.Time, d time.Duration) {
	h := f.delays[m]
	us := min(max(d.Microseconds(), 0), h.HighestTrackableValue())
	f.series.record(m, us)
	if f.counts(due) {
		// Within the histogram's range by the line above: it cannot fail.
		_ = h.RecordValue(us)
	}
}

// add changes the plain numbers.
func (f *figures) add(change func(*counts)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.count)
}

// heard adds what was understood of a session.
func (f *figures) heard(w wordErrors) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.words.add(w)
}

// closed counts one socket's end; code -1 is a connection lost without a close frame.
func (f *figures) closed(code int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closes[code]++
}

// trouble counts something that should not have happened, by kind. Control characters of a server's
// text are removed.
func (f *figures) trouble(format string, args ...any) {
	kind := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, fmt.Sprintf(format, args...))
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.errs[kind]; !known && len(f.errs) >= maxKinds {
		kind = "other"
	}
	f.errs[kind]++
}

// problems is the number of things that should not have happened so far. It is called with the lock
// held.
func (f *figures) problems() int { return f.count.problems(f.errs) }

// problems is how many things went wrong: a failed session counts by its error.
func (c counts) problems(errors map[string]int) int {
	n := c.Missing + c.Unrecorded + c.Differing + c.Unfollowed
	for _, times := range errors {
		n += times
	}
	return n
}

func (f *figures) progress(now time.Time) Progress {
	f.mu.Lock()
	defer f.mu.Unlock()
	return Progress{
		Elapsed: now.Sub(f.start), Span: f.span, Sessions: f.active, Finals: f.count.Finals, Failed: f.count.Failed,
		Delay: newDelay(f.delays[finalDelay]).P50, Final: newDelay(f.delays[finalDelay]).P95,
		Ack: newDelay(f.delays[ackDelay]).P95, Errors: f.problems(),
	}
}
