package sphinx

import (
	"steno/session/asr"
	"steno/session/asr/schedule"
)

// maxLag is the undecoded audio (3 s) beyond which an utterance gets no more partials: they would
// be too late to be of use.
const maxLag = 3 * asr.Rate

// want queues an utterance for its next partial if one is due. The first time it takes a live
// decoder; if none is free it tries again with the audio that follows, until it lags too far.
func (r *Recognizer) want(u *stream) {
	lag := len(u.samples) - u.decoded
	if !u.partials || u.ended || u.gone || u.queued || u.running || lag < r.every {
		return
	}
	if lag > maxLag+r.every {
		r.giveUp(u)
		return
	}
	if u.live == nil {
		if u.live = r.takeLive(); u.live == nil {
			return
		}
	}
	u.queued = true
	u.chunk = schedule.Work{Class: u.partialClass(), Samples: r.every, Task: u, Party: u.party}
	r.liveQueue.Put(&u.chunk)
}

// takeLive returns a live decoder that no utterance has, nil if none is loaded.
func (r *Recognizer) takeLive() (d liveDecoder) {
	if last := len(r.lives) - 1; last >= 0 {
		d, r.lives = r.lives[last], r.lives[:last]
	}
	if len(r.lives) == 0 {
		r.loadLive()
	}
	return d
}

// loadLive loads a live decoder in the background, one at a time. The caller holds the lock.
func (r *Recognizer) loadLive() {
	if r.closed || r.loadingLive || r.unloaded == 0 {
		return
	}
	r.loadingLive = true
	r.background.Go(func() {
		d, err := r.from.Live()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.loadingLive = false
		if err != nil {
			r.unloaded = 0 // what the first one was loaded from is gone: there will be no more
			return
		}
		r.unloaded--
		r.lives = append(r.lives, d)
	})
}

func (s *stream) partialClass() schedule.Class {
	if s.spoken {
		return schedule.Partial
	}
	return schedule.FirstPartial
}

func (r *Recognizer) giveUp(u *stream) {
	reason := DropLate
	if u.live == nil && len(r.lives) == 0 {
		reason = DropNoDecoder
	}
	r.drop(reason)
	u.partials = false
	r.dropLive(u)
}

// dropLive returns the utterance's live decoder, if it has one. If a slot is using it, the slot
// returns it afterwards.
func (r *Recognizer) dropLive(u *stream) {
	if u.queued {
		r.liveQueue.Drop(&u.chunk) // a slot that has it already will find that it is not wanted
		u.queued = false
	}
	if u.live == nil || u.running {
		return
	}
	r.lives = append(r.lives, u.live)
	u.live = nil
}

// decodeChunk feeds the live decoder with one more chunk of the utterance. It releases the lock
// while decoding.
func (r *Recognizer) decodeChunk(batch []*schedule.Work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	u := batch[0].Task.(*stream)
	if !u.queued {
		return
	}
	u.queued, u.running = false, true
	decoder, begun := u.live, u.begun
	chunk := u.samples[u.decoded : u.decoded+r.every]

	r.mu.Unlock()
	text, err := feed(decoder, begun, chunk)
	r.mu.Lock()

	u.running, u.begun = false, true
	u.decoded += len(chunk)
	switch {
	case u.ended || u.gone || !u.partials: // the utterance has ended, or was cut
		r.drop(DropEnded)
		r.dropLive(u)
	case err != nil: // the final does not depend on it
		r.drop(DropFailed)
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
