package gateway

import (
	"context"
	"errors"

	"steno/gateway/metrics"
	"steno/session/store"
)

// lost is for an attempt whose job is not its own any more: another worker has taken it, or it was cancelled. What the
// attempt has kept and nobody refers to is removed.
func (a *attempt) lost() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.server.life), settleTime)
	defer cancel()
	log, record := a.server.log, a.lease.Record
	if a.silenced != "" {
		a.remove(ctx, a.silenced)
	}
	_, err := a.server.deps.Store.Get(ctx, record.Account, record.ID)
	if !errors.Is(err, store.ErrNotFound) {
		log.Warn().Str("job", record.ID).Int("attempt", a.lease.Attempt).Msg("job was taken by another worker")
		return
	}
	if record.Upload == "" {
		a.remove(ctx, record.ID) // what was fetched for it
	}
	a.server.metrics.JobsEnded.WithLabelValues(metrics.Cancelled).Inc()
	log.Info().Str("job", record.ID).Str("account", record.Account).Msg("work on a cancelled job ended")
}

// remove removes an upload that the job does not use any more, unless another does.
func (a *attempt) remove(ctx context.Context, upload string) {
	err := a.server.deps.Store.DeleteUpload(ctx, a.lease.Record.Account, upload)
	if err != nil && !errors.Is(err, store.ErrUsed) && !errors.Is(err, store.ErrNotFound) {
		a.server.log.Error().Str("job", a.lease.Record.ID).Err(err).Msg("upload of a job not removed")
	}
}
