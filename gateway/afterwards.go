package gateway

import "context"

// The stages of a recorded job that is being worked on, as metrics name them.
const (
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
	places chan struct{} // a token for each job in the stage
	turns  chan struct{} // for each whose add-ons are done now
	cuts   chan struct{} // for each whose recording is silenced now, which takes the processor
}

func newAfterwards(c Config) *afterwards {
	return &afterwards{
		places: make(chan struct{}, c.Addons+c.Transcribed), turns: make(chan struct{}, c.Addons),
		cuts: make(chan struct{}, max(1, c.Workers/2)),
	}
}

// enter takes a place for a job, to be left. While there is none it waits. Errors: the context's.
func (w *afterwards) enter(ctx context.Context) error { return take(ctx, w.places) }

func (w *afterwards) leave() { <-w.places }

// finish does a job's add-ons when it is its turn.
func (w *afterwards) finish(ctx context.Context, a *attempt) error {
	if err := a.during(stageWaiting, func() error { return take(ctx, w.turns) }); err != nil {
		return err
	}
	defer func() { <-w.turns }()
	return a.during(stageAddons, func() error { return a.addons(ctx) })
}

// take puts a token where there is room for it, as soon as there is. Errors: the context's.
func take(ctx context.Context, room chan struct{}) error {
	select {
	case room <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// during does work of a stage, and counts it there.
func (a *attempt) during(stage string, work func() error) error {
	count := a.server.metrics.working.WithLabelValues(stage)
	count.Inc()
	defer count.Dec()
	return work()
}

// lasting tells whether something is left to do that somebody else may let wait. What is done here is the worker's.
func (a *attempt) lasting() bool {
	return a.heard != nil && a.server.deps.Ways.Waits(a.request)
}
