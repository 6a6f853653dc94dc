package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// pollInterval is the interval at which the record of an awaited job is read. If this process works
// on the job, its end is seen immediately.
const pollInterval = 250 * time.Millisecond

// Awaited is a job whose client waits for its end. It belongs to the goroutine of the client's
// request, which must call Release.
type Awaited struct {
	Record   store.Record
	Warnings messages.Warnings

	service *Service
	waiter  *waiter
}

// waiter receives the finals and the end of a job that this process works on. It is safe for
// concurrent use.
type waiter struct {
	woken chan struct{} // holds a token when there is news

	mu     sync.Mutex
	finals []messages.Utterance // of the running attempt, in order of arrival
}

// waiters are the waiters of all awaited jobs, by job id. The zero value is ready. It is safe for
// concurrent use.
type waiters struct {
	mu  sync.Mutex
	all map[string]*waiter
}

// add returns the waiter of a job, which must not have one.
func (w *waiters) add(job string) *waiter {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[string]*waiter{}
	}
	made := &waiter{woken: make(chan struct{}, 1)}
	w.all[job] = made
	return made
}

func (w *waiters) remove(job string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.all, job)
}

// of returns the waiter of a job; nil: there is none.
func (w *waiters) of(job string) *waiter {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all[job]
}

// begin starts an attempt, and returns the function that receives its finals. Another attempt has
// the same finals again, so a client that was sent some of them is sent the later ones.
func (w *waiter) begin() (final func(messages.Utterance)) {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.finals = nil
	return func(u messages.Utterance) {
		w.mu.Lock()
		w.finals = append(w.finals, u)
		w.mu.Unlock()
		w.wake()
	}
}

func (w *waiter) wake() {
	if w == nil {
		return
	}
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// from returns the finals from the nth on.
func (w *waiter) from(n int) []messages.Utterance {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.finals[min(n, len(w.finals)):]
}

// Submit queues a job whose client waits for its end. upload is that of the job; empty: the
// request's audio_url names it, or is fetched. Errors are problems.
func (s *Service) Submit(w http.ResponseWriter, r *http.Request, request *messages.PreRecordedRequest,
	upload string) (*Awaited, error) {
	return s.submit(w, r, request, upload, true)
}

// Await waits for the end of the job, and returns its result. final is called with each final as
// this process recognizes it, and before Await returns with all others; it may be nil. A failed job
// is a problem. If ctx is done, the client has left: an unfinished job is cancelled and deleted, as
// nobody would read its result. A job that outlasts this server stays in the queue.
func (a *Awaited) Await(ctx context.Context, final func(messages.Utterance)) (*messages.PreRecordedResult, error) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	sent := &sentFinals{final: final}
	for {
		record, err := a.service.Store.Get(ctx, a.Record.Account, a.Record.ID)
		switch {
		case ctx.Err() != nil:
			return nil, a.cancel(ctx)
		case err != nil && !errors.Is(err, store.ErrAway):
			return nil, err
		case err == nil && record.Finished():
			return a.result(record, sent)
		}
		sent.send(a.waiter)
		select {
		case <-ctx.Done():
			return nil, a.cancel(ctx)
		case <-a.service.life.Done():
			return nil, web.Refuse(http.StatusServiceUnavailable, "shutting down", a.service.Limits.RetryAfter)
		case <-a.waiter.woken:
		case <-tick.C:
		}
	}
}

// Release must be called when the job is not awaited any more.
func (a *Awaited) Release() { a.service.waiters.remove(a.Record.ID) }

// cancel deletes the job of a client that has left, with its file, unless it is finished.
func (a *Awaited) cancel(ctx context.Context) error {
	cause := ctx.Err()
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer done()
	record, err := a.service.Store.Get(ctx, a.Record.Account, a.Record.ID)
	if err == nil && !record.Finished() {
		err = a.service.Store.Cancel(ctx, record.Account, record.ID)
		a.service.Cancel(record.ID)
	}
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return errors.Join(cause, err)
}

// result returns the result of a finished record, or its problem.
func (a *Awaited) result(r store.Record, sent *sentFinals) (*messages.PreRecordedResult, error) {
	result, err := ResultOf(r)
	if err != nil {
		return nil, err
	}
	sent.send(a.waiter)
	sent.rest(result.Transcription.Utterances)
	return result, nil
}

// ResultOf returns the result of a finished record. For a failed job it returns a problem.
func ResultOf(r store.Record) (*messages.PreRecordedResult, error) {
	if r.Status == messages.StatusError {
		p := &messages.Problem{Status: http.StatusInternalServerError, Message: r.ErrorMessage}
		if r.ErrorCode != nil {
			p.Status = *r.ErrorCode
		}
		return nil, p
	}
	var result messages.PreRecordedResult
	if err := json.Unmarshal(r.Result, &result); err != nil {
		return nil, fmt.Errorf("read result: %w", err)
	}
	if result.Transcription == nil {
		return nil, errors.New("result has no transcription")
	}
	return &result, nil
}

// sentFinals are the finals that a client was sent.
type sentFinals struct {
	final func(messages.Utterance) // nil: none is wanted
	n     int
	until map[int]float64 // by channel, the end of the last, in seconds
}

// send sends the waiter's new finals.
func (f *sentFinals) send(w *waiter) {
	for _, u := range w.from(f.n) {
		f.n++
		f.one(u)
	}
}

// rest sends the utterances after those already sent: all of them if another process has done the
// job. A result may split an utterance that was one final.
func (f *sentFinals) rest(all []messages.Utterance) {
	for _, u := range all {
		if until, ok := f.until[u.Channel]; !ok || u.Start >= until {
			f.one(u)
		}
	}
}

func (f *sentFinals) one(u messages.Utterance) {
	if f.until == nil {
		f.until = map[int]float64{}
	}
	f.until[u.Channel] = max(f.until[u.Channel], u.End)
	if f.final != nil {
		f.final(u)
	}
}
