package gateway

import (
	"context"

	"steno/session/panics"
	"steno/session/slots"
)

// The stages of a recorded job that is being worked on, as metrics name them.
const (
	stageFetching     = "fetching"     // its audio, from elsewhere
	stageTranscribing = "transcribing" // by a worker
	stageWaiting      = "waiting"      // for its add-ons to begin
	stageAddons       = "addons"
)

// afterwards is the second stage of recorded jobs: what is made of a transcript once it is there. It mostly waits for servers
// elsewhere, so no worker does it, and a server that hangs delays none but jobs that wait for one too. What is embedded
// takes half a second for an hour of speech, and is done with it where something else is waited for, else by the worker.
//
// Some jobs have their add-ons done at a time, and servers meet no more than those. The others wait, first come, first
// served, each with its transcript in memory, a megabyte or so for an hour of speech; the time of their add-ons does not run
// meanwhile. When as many wait as may, a worker that has one more for this stage waits for a place, and takes no other job until
// there is one.
//
// Lease, time limit, and what becomes of a job when the server ends are those of the first stage. A job that is given back
// is transcribed again.
type afterwards struct {
	places *slots.Slots // for the jobs in the stage
	turns  *slots.Slots // for those whose add-ons are done now
	cuts   *slots.Slots // for those whose recording is silenced now, which takes the processor
}

// newAfterwards has slots for which nobody waits in vain: for places wait workers, for turns those who have places, for cuts
// those who have turns, and workers.
func newAfterwards(c Config) *afterwards {
	return &afterwards{
		places: slots.New(c.Addons+c.Transcribed, c.Workers, 1), turns: slots.New(c.Addons, c.Transcribed, 1),
		cuts: slots.New(max(1, c.Workers/2), c.Addons+c.Workers, 1),
	}
}

// enter takes a place for a job, to be left. While there is none it waits. Errors: the context's.
func (w *afterwards) enter(ctx context.Context) error { return w.places.Take(ctx, 0) }

func (w *afterwards) leave() { w.places.Give() }

// finish does a job's add-ons when it is its turn.
func (w *afterwards) finish(ctx context.Context, a *attempt) error {
	if err := a.during(stageWaiting, func() error { return w.turns.Take(ctx, 0) }); err != nil {
		return err
	}
	defer w.turns.Give()
	return a.during(stageAddons, func() error { return a.addons(ctx) })
}

// during does work of a stage, and counts it there. A panic is an error as any other: the job ends with it.
func (a *attempt) during(stage string, work func() error) error {
	count := a.server.metrics.JobsWorking.WithLabelValues(stage)
	count.Inc()
	defer count.Dec()
	return panics.Catch(work)
}

// lasting tells whether something is left to do that somebody else may let wait. What is done here is the worker's.
func (a *attempt) lasting() bool {
	return a.heard != nil && a.server.deps.Ways.Waits(a.request)
}
