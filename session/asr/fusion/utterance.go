package fusion

import (
	"context"
	"errors"
	"fmt"
	"io"

	"steno/session/asr"
	"steno/session/panics"
)

// maxWords is more than anybody says in the longest utterance: 16 a second. A member that hears more is broken, and time and
// memory of the alignment grow with its square.
const maxWords = 1024

var (
	errEnded   = errors.New("fusion: utterance already ended")
	errNoFinal = fmt.Errorf("fusion: member ended an utterance without a final: %w", asr.ErrUnavailable)
	errTooMany = fmt.Errorf("fusion: member heard more than %d words: %w", maxWords, asr.ErrUnavailable)
	errDeaf    = fmt.Errorf("fusion: no member takes audio any more: %w", asr.ErrUnavailable)
)

// utterance implements [asr.Utterance].
type utterance struct {
	ctx    context.Context         // the caller's
	open   context.Context         // of the members' utterances, within ctx; its cause may be ErrTooLong
	cancel context.CancelCauseFunc // of open
	rover  rover
	voices []*voice // one for each member, in order

	// Of the goroutine that writes.
	samples int
	ended   bool

	err error // what Recv returns from now on; Recv's goroutine only
}

// voice is one member's part of an utterance.
type voice struct {
	member    Member
	utterance asr.Utterance // nil: refused
	deaf      bool          // a write failed: nothing more is given, Recv tells why. Of the goroutine that writes.
	result    asr.Result
	err       error // why there is no result; of the goroutine of Open, then Recv's
}

func (u *utterance) Write(samples []int16) error {
	if u.samples += len(samples); u.samples > asr.MaxSamples {
		u.cancel(asr.ErrTooLong)
		return asr.ErrTooLong
	}
	return u.give(func(to asr.Utterance) error { return to.Write(samples) })
}

func (u *utterance) Pause() error { return u.give(asr.Utterance.Pause) }

func (u *utterance) End() error {
	err := u.give(asr.Utterance.End)
	u.ended = true
	return err
}

// give does the same with the utterance of each member. One that fails is done with; it is an error if all have failed.
func (u *utterance) give(to func(asr.Utterance) error) error {
	if u.open.Err() != nil {
		return u.cancelled()
	}
	if u.ended {
		return errEnded
	}
	hearing := false
	for _, v := range u.voices {
		if v.utterance == nil || v.deaf {
			continue
		}
		v.deaf = to(v.utterance) != nil
		hearing = hearing || !v.deaf
	}
	if !hearing {
		return errDeaf
	}
	return nil
}

// Recv waits for the finals of all members, however long that takes: leaving the slow ones out would make the result depend
// on time. Their own deadlines are the bound.
func (u *utterance) Recv() (asr.Result, error) {
	if u.err != nil {
		return asr.Result{}, u.err
	}
	u.collect()
	result, err := u.decide()
	if u.err = err; err == nil {
		u.err = io.EOF
	}
	u.cancel(nil)
	return result, err
}

// collect receives from all members at a time: some have a deadline that runs until their final is received.
func (u *utterance) collect() {
	var all panics.Group
	for _, v := range u.voices {
		if v.err == nil {
			all.Go(v.receive)
		}
	}
	all.Wait()
}

func (v *voice) receive() {
	for !v.result.Final && v.err == nil {
		v.result, v.err = v.utterance.Recv()
	}
	switch {
	case errors.Is(v.err, io.EOF):
		v.err = errNoFinal
	case v.err == nil && len(v.result.Words) > maxWords:
		v.err = errTooMany
	}
}

// decide makes the result of what the members have said.
func (u *utterance) decide() (asr.Result, error) {
	if err := u.refusal(); err != nil {
		return asr.Result{}, err
	}
	var heard []*voice
	lost := false
	for _, v := range u.voices {
		if v.err == nil {
			heard = append(heard, v)
			lost = lost || v.result.StoodIn
		} else {
			lost = lost || !errors.Is(v.err, asr.ErrLanguage)
		}
	}
	result := u.rover.vote(heard)
	result.StoodIn = lost
	return result, nil
}

// cancelled says why the members' utterances were given up.
func (u *utterance) cancelled() error {
	if err := u.ctx.Err(); err != nil {
		return err
	}
	return context.Cause(u.open)
}
