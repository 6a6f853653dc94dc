package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"steno/session/asr"
)

// minSamples is the shortest audio posted: 100 ms. Servers refuse shorter files, and no word is in them: the final is
// then empty.
const minSamples = asr.Rate / 10

var (
	errEnded  = errors.New("utterance has already ended")
	errBudget = fmt.Errorf("%w: no final in time", asr.ErrUnavailable)
)

type utterance struct {
	ctx        context.Context // given to Open
	recognizer *Recognizer
	params     asr.Params
	language   string        // to ask for; empty: the server finds out
	changed    chan struct{} // holds a token when Recv has something to look at

	mu      sync.Mutex
	samples []int16
	job     *job // for all samples; nil before the end is near
	ended   bool
	err     error // why no final will come

	done error // what Recv returns from now on; Recv's goroutine only
}

// job is a transcription under way.
type job struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when result and err are set
	result asr.Result
	err    error
}

// over is a job that has nothing to do.
func over(result asr.Result, err error) *job {
	j := &job{cancel: func() {}, done: make(chan struct{}), result: result, err: err}
	close(j.done)
	return j
}

func (u *utterance) Write(samples []int16) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.writable(len(samples)); err != nil || len(samples) == 0 {
		return err
	}
	u.drop()
	u.samples = append(u.samples, samples...)
	return nil
}

// drop gives up what was begun too early.
func (u *utterance) drop() {
	if u.job != nil {
		u.job.cancel()
		u.job = nil
	}
}

func (u *utterance) writable(n int) error {
	switch {
	case u.err != nil:
		return u.err
	case u.ctx.Err() != nil:
		return u.ctx.Err()
	case u.recognizer.lifetime.Err() != nil:
		return errClosed
	case u.ended:
		return errEnded
	case len(u.samples)+n > asr.MaxSamples:
		u.err = asr.ErrTooLong
		u.drop()
		u.wake()
		return u.err
	}
	return nil
}

// Pause posts what there is, if that is wanted and a request can be made at once.
func (u *utterance) Pause() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.writable(0); err != nil {
		return err
	}
	r := u.recognizer
	if r.config.Speculate && u.job == nil && len(u.samples) >= minSamples && r.slots.Try() {
		u.job = r.start(u, u.samples, true)
	}
	return nil
}

func (u *utterance) End() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.writable(0); err != nil {
		return err
	}
	u.ended = true
	switch {
	case len(u.samples) < minSamples:
		u.job = over(u.final(nil, false, ""), nil)
	case u.job == nil || u.job.failed():
		u.job = u.recognizer.start(u, u.samples, false)
	}
	u.wake()
	return nil
}

// failed tells whether a job has failed by now.
func (j *job) failed() bool {
	select {
	case <-j.done:
		return j.err != nil
	default:
		return false
	}
}

func (u *utterance) wake() {
	select {
	case u.changed <- struct{}{}:
	default:
	}
}

// final is the result of words in a language that the server may have told. That counts where there was a choice: one
// that was told the language may still name another.
func (u *utterance) final(words []asr.Word, timed bool, told string) asr.Result {
	language := u.language
	if code := codeOf(told); code != "" && u.params.Language == "" && len(u.params.Languages) != 1 {
		language = code
	}
	if language == "" && len(u.params.Languages) == 0 && len(u.recognizer.config.Languages) > 0 {
		language = u.recognizer.config.Languages[0]
	}
	return asr.Result{
		Final: true, Words: words, Timed: timed && len(words) > 0, Language: language, Engine: u.recognizer.config.Name,
	}
}

func (u *utterance) Recv() (asr.Result, error) {
	for u.done == nil {
		job, err := u.state()
		switch {
		case err != nil:
			return u.finish(asr.Result{}, err)
		case job != nil:
			return u.await(job)
		}
		select {
		case <-u.changed:
		case <-u.ctx.Done():
		case <-u.recognizer.lifetime.Done():
		}
	}
	return asr.Result{}, u.done
}

// state returns the job whose result is owed, or why there will be none.
func (u *utterance) state() (*job, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.err != nil:
		return nil, u.err
	case u.ended:
		return u.job, nil
	case u.ctx.Err() != nil:
		u.err = u.ctx.Err()
	case u.recognizer.lifetime.Err() != nil:
		u.err = errClosed
	}
	return nil, u.err
}

func (u *utterance) await(j *job) (asr.Result, error) {
	select {
	case <-j.done:
	case <-u.ctx.Done():
		return u.finish(asr.Result{}, u.ctx.Err())
	}
	return u.finish(j.result, j.err)
}

// finish ends the utterance with its final or an error.
func (u *utterance) finish(result asr.Result, err error) (asr.Result, error) {
	u.recognizer.circuit.leave(u)
	u.mu.Lock()
	if u.ended {
		u.samples = nil
	}
	u.drop()
	u.mu.Unlock()
	if u.done = err; err == nil {
		u.done = io.EOF
	}
	return result, err
}
