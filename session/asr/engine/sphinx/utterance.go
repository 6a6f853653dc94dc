package sphinx

import (
	"io"
	"sync"

	"steno/session/asr"
	"steno/session/asr/engine/schedule"
)

// utterance implements [asr.Utterance]. All fields are guarded by the recognizer's lock, but a slot reads the samples it
// was given without it: samples once written never change.
type utterance struct {
	r      *Recognizer
	news   *sync.Cond  // for Recv
	forget func() bool // stops watching the context

	replay   bool
	partials bool // still to be given
	ended    bool
	gone     bool // over: delivered, failed or abandoned
	err      error

	lexicon lexicon // what its vocabulary adds
	samples []int16
	whole   *whole // the decoding of all samples; nil: not begun

	live    liveDecoder // leased
	begun   bool        // live has begun this utterance
	decoded int         // samples live has had
	chunk   schedule.Work
	queued  bool // chunk waits for a slot
	running bool // a slot is feeding live
	spoken  bool // a partial has been made

	text    string      // of the newest partial
	partial *asr.Result // not yet received
	final   *asr.Result // not yet received
}

func (u *utterance) Write(samples []int16) error {
	u.r.mu.Lock()
	defer u.r.mu.Unlock()
	if err := u.closed(); err != nil || len(samples) == 0 {
		return err
	}
	if len(u.samples)+len(samples) > asr.MaxSamples {
		u.fail(asr.ErrTooLong)
		return asr.ErrTooLong
	}
	u.r.discard(u)
	u.samples = append(u.samples, samples...)
	u.r.want(u)
	return nil
}

// Pause begins the final if a slot and a decoder are idle.
func (u *utterance) Pause() error {
	u.r.mu.Lock()
	defer u.r.mu.Unlock()
	if err := u.closed(); err != nil {
		return err
	}
	u.r.speculate(u)
	return nil
}

func (u *utterance) End() error {
	u.r.mu.Lock()
	defer u.r.mu.Unlock()
	if err := u.closed(); err != nil {
		return err
	}
	u.ended = true
	if u.partials && !u.begun && u.live == nil && len(u.samples) >= u.r.every {
		u.r.drop(DropNoDecoder)
	}
	u.r.dropLive(u)
	u.r.owe(u)
	return nil
}

func (u *utterance) Recv() (asr.Result, error) {
	u.r.mu.Lock()
	defer u.r.mu.Unlock()
	for {
		switch {
		case u.err != nil:
			return asr.Result{}, u.err
		case u.gone:
			return asr.Result{}, io.EOF
		case u.final != nil:
			result := *u.final
			u.leave()
			return result, nil
		case u.partial != nil:
			result := *u.partial
			u.partial = nil
			return result, nil
		}
		u.news.Wait()
	}
}

// closed says why the utterance takes nothing more; nil: it does. Call with the lock held, as all below.
func (u *utterance) closed() error {
	if u.err == nil && u.ended {
		return errEnded
	}
	return u.err
}

// fail ends an utterance that is not over yet with err.
func (u *utterance) fail(err error) {
	if u.gone {
		return
	}
	u.err = err
	u.leave()
}

// leave lets go of everything the utterance holds. What a slot is decoding of it just now comes to nothing.
func (u *utterance) leave() {
	u.gone = true
	u.r.dropLive(u)
	u.r.discard(u)
	u.samples, u.partial, u.final = nil, nil, nil
	delete(u.r.open, u)
	if !u.replay {
		u.r.speaking--
		u.r.scheduler.Live(-1)
	}
	if u.forget() {
		u.r.hooks.Done()
	}
	u.news.Broadcast()
}

// offer replaces the partial not yet received by a newer one. A text already told is no news.
func (u *utterance) offer(text string) {
	if text == "" || text == u.text {
		return
	}
	u.text = text
	if u.partial != nil {
		u.r.drop(DropReplaced)
	}
	u.spoken = true
	u.partial = u.result(untimed(text))
	u.news.Signal()
}

// decide makes the path of the whole utterance its final.
func (u *utterance) decide(w *whole) {
	if w.err != nil {
		u.fail(w.err)
		return
	}
	if u.partial != nil {
		u.r.drop(DropReplaced)
		u.partial = nil
	}
	u.final = u.result(words(w.path(), len(w.samples)))
	u.final.Final, u.final.Timed = true, true
	u.samples, u.whole = nil, nil
	u.news.Signal()
}

func (u *utterance) result(words []asr.Word) *asr.Result {
	return &asr.Result{Words: words, Language: u.r.config.Language, Engine: u.r.config.Name}
}
