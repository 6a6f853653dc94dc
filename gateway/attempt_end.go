package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"steno/gateway/recovery"
	"steno/messages"
	"steno/session/store"
)

// settleTime is for the store to take a job's end.
const settleTime = 10 * time.Second

// end sees the attempt off, whatever it came to: the context is that of its hold, the error what it failed with.
func (a *attempt) end(ctx context.Context, err error) {
	a.server.recoverer.Report(recovery.Job, a.lease.Record.ID, err)
	a.server.recoverer.Run(recovery.Job, a.lease.Record.ID, func() { a.settle(ctx, err) })
}

func (a *attempt) settle(ctx context.Context, err error) {
	switch s := a.server; {
	case errors.Is(context.Cause(ctx), store.ErrLost) || errors.Is(err, store.ErrLost):
		a.lost()
	case err != nil && s.life.Err() != nil:
		a.giveBack()
	case err != nil && errors.Is(context.Cause(ctx), errSlowJob):
		a.finish(&messages.Problem{Status: http.StatusGatewayTimeout, Message: "the job took too long", Err: errSlowJob})
	default:
		a.finish(err)
	}
}

// giveBack lets another worker begin the job anew.
func (a *attempt) giveBack() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.server.life), settleTime)
	defer cancel()
	log, id := a.server.log, a.lease.Record.ID
	err := a.server.deps.Store.GiveBackJob(ctx, a.lease)
	if errors.Is(err, store.ErrLost) {
		a.lost()
		return
	}
	if err != nil {
		log.Error().Str("job", id).Err(err).Msg("job not given back: it waits for the end of its lease")
		return
	}
	log.Info().Str("job", id).Int("attempt", a.lease.Attempt).Msg("job given back")
}

// finish keeps the outcome and enqueues the callback. Where the store does not take it, the lease runs out, and the
// job has another attempt.
func (a *attempt) finish(failed error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.server.life), settleTime)
	defer cancel()
	o, cause := a.outcome(failed)
	deliveries, err := announcements(a.lease.Record, a.request, o, a.result)
	if err == nil {
		err = a.server.deps.Store.FinishJob(ctx, a.lease, o, deliveries...)
	}
	log, record := a.server.log, a.lease.Record
	if errors.Is(err, store.ErrLost) {
		a.lost()
		return
	}
	if err != nil {
		log.Error().Str("job", record.ID).Err(err).Msg("outcome of job not kept: it waits for the end of its lease")
		return
	}
	a.dropOriginal(ctx, o)
	a.server.metrics.JobsEnded.WithLabelValues(strconv.Itoa(o.ErrorCode)).Inc()
	log.Info().Str("job", record.ID).Str("account", record.Account).Int("error_code", o.ErrorCode).
		Int("attempt", a.lease.Attempt).Float64("audio_seconds", o.Seconds).
		Stringer("took", time.Since(a.began).Round(time.Millisecond)).
		Stringer("age", time.Since(record.CreatedAt).Round(time.Millisecond)).AnErr("cause", cause).Msg("job ended")
}

// outcome is how the job ended, and for the log why it failed.
func (a *attempt) outcome(failed error) (store.Outcome, error) {
	o := store.Outcome{Seconds: a.seconds, Channels: a.channels, Upload: a.silenced}
	if failed == nil && a.lease.Exhausted() {
		o = store.GaveUp()
		a.letGo(&o)
		return o, nil
	}
	if failed == nil {
		if o.Result, failed = json.Marshal(a.result); failed == nil {
			o.Params, failed = settled(a.request, a.result)
		}
		if failed == nil {
			return o, nil
		}
		o.Result = nil
	}
	p := failure(failed)
	o.ErrorCode, o.Message = p.Status, p.Message
	a.letGo(&o)
	return o, p.Err
}
