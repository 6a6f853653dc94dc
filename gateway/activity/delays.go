package activity

import (
	"slices"
	"sync"
	"time"

	"steno/session"
)

// keptDelays is how many finals of a session have their delays kept.
const keptDelays = 40

// FinalDelay is the delay of a final, by stage.
type FinalDelay struct {
	session.Latency
	Sent  time.Duration // from being emitted to being written to a socket; 0: it was not
	final bool          // it has a final: not every utterance has words
}

// delays are the delays of the newest finals of a session. It is safe for concurrent use.
type delays struct {
	mu     sync.Mutex
	newest []FinalDelay // oldest first
}

// add adds the latency of an utterance, which may have no words.
func (d *delays) add(l session.Latency) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.newest) == keptDelays {
		d.newest = slices.Delete(d.newest, 0, 1)
	}
	d.newest = append(d.newest, FinalDelay{Latency: l})
}

// final records that an utterance has a final.
func (d *delays) final(utterance string) {
	d.change(utterance, func(f *FinalDelay) { f.final = true })
}

// send records how long a final took from being emitted to being written.
func (d *delays) send(utterance string, took time.Duration) {
	d.change(utterance, func(f *FinalDelay) { f.Sent = took })
}

func (d *delays) change(utterance string, f func(*FinalDelay)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := len(d.newest) - 1; i >= 0; i-- {
		if d.newest[i].Utterance == utterance {
			f(&d.newest[i])
			return
		}
	}
}

// list returns the delays of finals, newest first.
func (d *delays) list() (list []FinalDelay) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range slices.Backward(d.newest) {
		if f.final {
			list = append(list, f)
		}
	}
	return list
}

// most returns the delay from the end of the utterance that 19 of 20 of the newest finals do not
// exceed; 0: not known.
func (d *delays) most() time.Duration {
	list := d.list()
	if len(list) == 0 {
		return 0
	}
	took := make([]time.Duration, len(list))
	for i, f := range list {
		took[i] = f.Queued + f.Decoded
	}
	slices.Sort(took)
	return took[len(took)*19/20]
}

// Settle records the latency of an utterance, which may have no words.
func (s *Sink) Settle(l session.Latency) { s.stages.add(l) }

// Sent records how long the final of an utterance took from being emitted to being written.
func (s *Sink) Sent(utterance string, took time.Duration) { s.stages.send(utterance, took) }

// Delays returns the delays of the newest finals, newest first.
func (s *Sink) Delays() []FinalDelay { return s.stages.list() }
