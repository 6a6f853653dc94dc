package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"steno/gateway/accounts"
	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/messages"
	"steno/session/retry"
	"steno/session/store"
)

const (
	// settleTime is how long the store may take to store a job's end after the end of the service's
	// life.
	settleTime = 10 * time.Second
	// longestOutage is how long a job's end waits in memory for a store that is out of reach.
	longestOutage = 15 * time.Minute
)

// end ends the attempt with a result, or with the error that it failed with. ctx is that of its
// lease.
func (a *attempt) end(ctx context.Context, result *messages.PreRecordedResult, err error) {
	a.service.Recoverer.Report(recovery.Job, a.lease.Record.ID, err)
	a.service.Recoverer.Run(recovery.Job, a.lease.Record.ID, func() { a.settle(ctx, result, err) })
	status := 0
	if err != nil {
		status = failure(err).Status
	}
	a.span.End(status)
}

func (a *attempt) settle(ctx context.Context, result *messages.PreRecordedResult, err error) {
	switch s := a.service; {
	case errors.Is(context.Cause(ctx), store.ErrLost) || errors.Is(err, store.ErrLost):
		a.abandon()
	case err == nil || errors.Is(err, errExhausted):
		a.finish(result, err)
	case s.life.Err() != nil:
		a.giveBack()
	case errors.Is(err, store.ErrAway) || errors.Is(err, store.ErrExists):
		// It may be only the recording's storage that is away; a file that exists was stored by an
		// attempt that has lost its lease.
		_ = retry.Sleep(s.life, retryPause)
		a.giveBack()
	case errors.Is(context.Cause(ctx), errSlowJob):
		a.finish(nil, &messages.Problem{Status: http.StatusGatewayTimeout, Message: "the job took too long",
			Err: errSlowJob})
	default:
		a.finish(nil, err)
	}
}

// settling returns a context for storing the job's end: it lasts through an outage, and settleTime
// beyond the service's life.
func (a *attempt) settling() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.service.life), longestOutage)
	forget := context.AfterFunc(a.service.life, func() {
		_ = retry.Sleep(ctx, settleTime)
		cancel()
	})
	return ctx, func() {
		forget()
		cancel()
	}
}

// giveBack returns the job to the queue, for another worker to start again.
func (a *attempt) giveBack() {
	ctx, cancel := a.settling()
	defer cancel()
	log, id := a.service.Log, a.lease.Record.ID
	err := a.service.Store.GiveBackJob(ctx, a.lease)
	if errors.Is(err, store.ErrLost) {
		a.abandon()
		return
	}
	if err != nil {
		log.Error().Str("job", id).Err(err).Msg("job not given back: it waits for the end of its lease")
		return
	}
	log.Info().Str("job", id).Int("attempt", a.lease.Attempt).Msg("job given back")
}

// finish stores the outcome and enqueues the callback. If the store fails, the lease expires and
// the job has another attempt.
func (a *attempt) finish(result *messages.PreRecordedResult, failed error) {
	ctx, cancel := a.settling()
	defer cancel()
	o, cause := a.conclude(result, failed)
	deliveries, err := a.service.callbacks(a.lease.Record, a.request, o, result)
	if err == nil {
		err = a.service.Store.FinishJob(ctx, a.lease, o, deliveries...)
	}
	log, record := a.service.Log, a.lease.Record
	a.service.waiters.of(record.ID).wake()
	if errors.Is(err, store.ErrLost) {
		a.abandon()
		return
	}
	if err != nil {
		log.Error().Str("job", record.ID).Err(err).Msg("outcome of job not kept: it waits for the end of its lease")
		return
	}
	if o.Upload != "" || o.NoUpload {
		a.removeUpload(ctx, a.upload())
	}
	a.erase(ctx, len(deliveries) > 0)
	a.service.Metrics.JobsEnded.WithLabelValues(strconv.Itoa(o.ErrorCode)).Inc()
	log.Info().Str("job", record.ID).Str("account", record.Account).Int("error_code", o.ErrorCode).
		Int("attempt", a.lease.Attempt).Float64("audio_seconds", o.Seconds).
		Stringer("took", time.Since(a.began).Round(time.Millisecond)).
		Stringer("age", time.Since(record.CreatedAt).Round(time.Millisecond)).AnErr("cause", cause).Msg("job ended")
}

// erase erases what of a job is not to be kept. A result that no callback carries is left to the
// sweeper, so that its client can read it.
func (a *attempt) erase(ctx context.Context, carried bool) {
	r := a.lease.Record
	parts := r.Transient
	if !carried {
		parts &= store.PartAudio
	}
	if parts == 0 {
		return
	}
	if err := a.service.Store.Strip(ctx, r.Account, r.ID, parts); err != nil && !errors.Is(err, store.ErrNotFound) {
		a.service.Log.Error().Str("job", r.ID).Err(err).
			Msg("not erased yet what is not to be kept of a job, tried again later")
	}
}

// conclude returns the outcome of the job and, for the log, why it failed.
func (a *attempt) conclude(result *messages.PreRecordedResult, failed error) (store.Outcome, error) {
	if errors.Is(failed, errExhausted) {
		o := store.GaveUp()
		o.Use = a.failedUse()
		return a.withoutRecording(o), nil
	}
	o := a.outcome
	if failed == nil {
		if o.Result, failed = json.Marshal(result); failed == nil {
			o.Params, failed = completeParams(a.request, result)
		}
		if failed == nil {
			o.Use = accounts.RecordedUse(a.request, result, o.Seconds, o.Channels)
			return o, nil
		}
		o.Result = nil
	}
	p := failure(failed)
	o.ErrorCode, o.Message, o.Use = p.Status, p.Message, a.failedUse()
	return a.withoutRecording(o), p.Err
}

// failedUse returns what a job has used that has failed.
func (a *attempt) failedUse() []store.Use {
	if a.request == nil {
		return accounts.FailedUse("")
	}
	return accounts.FailedUse(a.request.Model)
}

// withoutRecording drops the recording of a failed job that was to redact it: nothing is hidden in
// it. For a job that is done, the redacted copy replaces the recording.
func (a *attempt) withoutRecording(o store.Outcome) store.Outcome {
	if a.request == nil || !a.request.PIIRedaction || a.outcome.Upload != "" || !a.stored &&
		a.lease.Record.Upload == "" {
		return o
	}
	o.NoUpload = true
	o.Message += "; its recording is not kept, since nothing was hidden in it"
	return o
}

// abandon ends an attempt whose lease was lost: another worker has the job, or it was cancelled. It
// removes what the attempt has stored and no record refers to.
func (a *attempt) abandon() {
	ctx, cancel := a.settling()
	defer cancel()
	log, record := a.service.Log, a.lease.Record
	if a.outcome.Upload != "" {
		a.removeUpload(ctx, a.outcome.Upload)
	}
	_, err := a.service.Store.Get(ctx, record.Account, record.ID)
	if !errors.Is(err, store.ErrNotFound) {
		log.Warn().Str("job", record.ID).Int("attempt", a.lease.Attempt).Msg("job was taken by another worker")
		return
	}
	if record.Upload == "" {
		a.removeUpload(ctx, record.ID) // the fetched audio
	}
	a.service.Metrics.JobsEnded.WithLabelValues(metrics.Cancelled).Inc()
	log.Info().Str("job", record.ID).Str("account", record.Account).Msg("work on a cancelled job ended")
}

// removeUpload removes an upload that the job does not use any more, unless another job uses it.
func (a *attempt) removeUpload(ctx context.Context, upload string) {
	err := a.service.Store.DeleteUpload(ctx, a.lease.Record.Account, upload)
	if err != nil && !errors.Is(err, store.ErrUsed) && !errors.Is(err, store.ErrNotFound) {
		a.service.Log.Error().Str("job", a.lease.Record.ID).Err(err).Msg("upload of a job not removed")
	}
}
