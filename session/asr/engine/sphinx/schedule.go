package sphinx

import (
	"slices"
	"time"

	"steno/session/asr"
)

// The queues, the most urgent first.
const (
	liveFinals = iota
	firstPartials
	laterPartials
	replayFinals
	queues
)

// schedule is the work waiting and the decoders nobody uses. Every open utterance waits in one queue at most, so the
// queues are as bounded as the open utterances.
type schedule struct {
	waiting [queues][]*utterance
	finals  []finalDecoder // idle
	lives   []liveDecoder  // not leased

	limit    int // slots
	busy     int // slots decoding
	replays  int // of them, recordings
	speaking int // open utterances of live speech
}

// take removes the most urgent utterance there are means for; nil if there is none.
func (s *schedule) take() (u *utterance, queue int) {
	for q := range s.waiting {
		if len(s.waiting[q]) == 0 || !s.may(q) {
			continue
		}
		u := s.waiting[q][0]
		s.waiting[q] = slices.Delete(s.waiting[q], 0, 1)
		return u, q
	}
	return nil, 0
}

func (s *schedule) may(queue int) bool {
	switch queue {
	case liveFinals:
		return len(s.finals) > 0
	case replayFinals:
		return len(s.finals) > 0 && (s.speaking == 0 || s.replays+1 < max(s.limit, 2))
	default:
		return true
	}
}

// remove takes an utterance out of a queue, if it is there.
func (s *schedule) remove(u *utterance, queue int) {
	if i := slices.Index(s.waiting[queue], u); i >= 0 {
		s.waiting[queue] = slices.Delete(s.waiting[queue], i, i+1)
	}
}

func (u *utterance) finalQueue() int {
	if u.replay {
		return replayFinals
	}
	return liveFinals
}

func (u *utterance) partialQueue() int {
	if u.spoken {
		return laterPartials
	}
	return firstPartials
}

func (r *Recognizer) queueFinal(u *utterance) {
	r.waiting[u.finalQueue()] = append(r.waiting[u.finalQueue()], u)
	r.wake.Signal()
}

func (r *Recognizer) unqueueFinal(u *utterance) { r.remove(u, u.finalQueue()) }

// want queues an utterance for its next partial if one is due. The first time it takes a live decoder; where none is
// free it asks again with the audio that follows, until it has fallen too far behind.
func (r *Recognizer) want(u *utterance) {
	lag := len(u.samples) - u.decoded
	if !u.partials || u.ended || u.gone || u.queued || u.running || lag < r.every {
		return
	}
	if lag > maxLag+r.every {
		r.giveUp(u)
		return
	}
	if u.live == nil {
		if len(r.lives) == 0 {
			return
		}
		last := len(r.lives) - 1
		u.live, r.lives = r.lives[last], r.lives[:last]
	}
	u.queued = true
	r.waiting[u.partialQueue()] = append(r.waiting[u.partialQueue()], u)
	r.wake.Signal()
}

func (r *Recognizer) giveUp(u *utterance) {
	reason := DropLate
	if u.live == nil && len(r.lives) == 0 {
		reason = DropNoDecoder
	}
	r.meter.drop(reason, 1)
	u.partials = false
	r.dropLive(u)
}

// dropLive gives the utterance's live decoder back, if it has one. A worker that is feeding it does so when it is done.
func (r *Recognizer) dropLive(u *utterance) {
	if u.queued {
		r.remove(u, u.partialQueue())
		u.queued = false
	}
	if u.live == nil || u.running {
		return
	}
	r.lives = append(r.lives, u.live)
	u.live = nil
}

// work is one slot: it decodes what is most urgent until Close.
func (r *Recognizer) work() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.closed {
		u, queue := r.take()
		if u == nil {
			r.wake.Wait()
			continue
		}
		r.busy++
		switch queue {
		case liveFinals, replayFinals:
			r.decodeWhole(u)
		default:
			r.decodeChunk(u)
		}
		r.busy--
	}
}

// decodeWhole makes the final. It gives the lock up while decoding.
func (r *Recognizer) decodeWhole(u *utterance) {
	last := len(r.finals) - 1
	decoder := r.finals[last]
	r.finals = r.finals[:last]
	samples := u.samples
	if u.replay {
		r.replays++
	}

	r.mu.Unlock()
	began := time.Now()
	path, err := decoder.Decode(samples)
	took := time.Since(began)
	r.mu.Lock()

	if u.replay {
		r.replays--
	}
	r.finals = append(r.finals, decoder)
	r.wake.Signal()
	r.meter.final(len(samples), took, began.Sub(u.endedAt))
	switch {
	case u.gone:
	case err != nil:
		u.fail(err)
	default:
		u.decide(path)
	}
}

// decodeChunk feeds the live decoder with one more stretch of the utterance. It gives the lock up while decoding.
func (r *Recognizer) decodeChunk(u *utterance) {
	u.queued, u.running = false, true
	decoder, begun := u.live, u.begun
	chunk := u.samples[u.decoded : u.decoded+r.every]

	r.mu.Unlock()
	began := time.Now()
	text, err := feed(decoder, begun, chunk)
	took := time.Since(began)
	r.mu.Lock()

	r.meter.chunk(len(chunk), took)
	u.running, u.begun = false, true
	u.decoded += len(chunk)
	switch {
	case u.ended || u.gone:
		r.meter.drop(DropEnded, 1)
		r.dropLive(u)
	case err != nil: // the final does not depend on it
		r.meter.drop(DropFailed, 1)
		u.partials = false
		r.dropLive(u)
	default:
		u.offer(text)
		r.want(u)
	}
}

func feed(d liveDecoder, begun bool, chunk []int16) (string, error) {
	if !begun {
		if err := d.Begin(); err != nil {
			return "", err
		}
	}
	return d.Feed(chunk)
}

// seconds tells how long n samples last.
func seconds(n int) time.Duration { return time.Duration(n) * time.Second / asr.Rate }
