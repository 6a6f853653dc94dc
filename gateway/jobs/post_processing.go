package jobs

import (
	"context"

	"steno/messages"
	"steno/session/panics"
	"steno/session/semaphore"
	"steno/session/transcribe"
)

// The stages of running jobs, as metrics name them.
const (
	stageFetching     = "fetching"     // of audio by its address
	stageTranscribing = "transcribing" // by a worker
	stageWaiting      = "waiting"      // for the add-ons to start
	stageAddons       = "addons"
)

// postProcessing bounds the second stage of recorded jobs, which processes transcripts. Most of it
// waits for other servers, so it runs on goroutines of its own, not on a worker, and a server that
// hangs delays only the jobs that need it. Embedded add-ons take half a second for an hour of
// speech: they run in this stage if the job also needs a server, else on the worker.
//
// A limited number of jobs run their add-ons at a time, which bounds the requests to servers. A
// limited number of others wait, each with its transcript in memory, about a megabyte for an hour
// of speech; accounts take turns. The time limits of their add-ons start when they run. When the
// stage is full, a worker with a job for it waits.
//
// The lease, the time limit and the return of jobs at shutdown cover both stages. A returned job is
// transcribed again.
type postProcessing struct {
	jobs     *semaphore.Semaphore // jobs in the stage
	running  *semaphore.Semaphore // jobs whose add-ons run
	encoding *semaphore.Semaphore // jobs whose redacted copy is encoded, which takes the processor
}

// newPostProcessing sizes the semaphores so that none refuses for a full queue: workers wait for
// the stage, the jobs in it for running, and running jobs and workers for encoding.
func newPostProcessing(c Config) *postProcessing {
	return &postProcessing{
		jobs:     semaphore.New(int64(c.Addons+c.Transcribed), 0, c.Workers),
		running:  semaphore.New(int64(c.Addons), 0, c.Transcribed),
		encoding: semaphore.New(int64(max(1, c.Workers/2)), 0, c.Addons+c.Workers),
	}
}

// run finishes a job. The job has a place in the stage, which run releases.
func (p *postProcessing) run(ctx context.Context, a *attempt, t transcribe.Transcript) {
	defer p.jobs.Release(a.lease.Record.Account, 1)
	result, err := p.result(ctx, a, t)
	a.end(ctx, result, err)
}

// result runs a job's add-ons once there is room for them.
func (p *postProcessing) result(ctx context.Context, a *attempt,
	t transcribe.Transcript) (result *messages.PreRecordedResult, err error) {
	account := a.lease.Record.Account
	if err := a.during(stageWaiting, func() error { return p.running.Acquire(ctx, account, 1) }); err != nil {
		return nil, err
	}
	defer p.running.Release(account, 1)
	err = a.during(stageAddons, func() (err error) {
		result, err = a.postProcess(ctx, t)
		return err
	})
	return result, err
}

// complete post-processes a transcript on the worker and ends the job.
func (a *attempt) complete(ctx context.Context, t transcribe.Transcript) {
	var result *messages.PreRecordedResult
	err := panics.Catch(func() (err error) {
		result, err = a.postProcess(ctx, t)
		return err
	})
	a.end(ctx, result, err)
}

// during runs the work of a stage and counts the job there. A panic becomes an error, with which
// the job ends.
func (a *attempt) during(stage string, work func() error) error {
	count := a.service.Metrics.JobsWorking.WithLabelValues(stage)
	count.Inc()
	defer count.Dec()
	span := a.span.Stage(stage)
	defer span.End(0)
	return panics.Catch(work)
}
