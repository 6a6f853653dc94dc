package admission

import "time"

// EngineLoad is what one engine process or server reports about its work. Counts and sums run from
// its start.
type EngineLoad struct {
	Engine string // its name
	Server string // of a pool's server; empty for an engine of this machine
	Slots  int    // decodes that run at a time

	Finals   Work // of live speech: what finals need
	Partials Work // of live speech: what only partials need
	Replay   Work // of recordings
}

// Work sums up decoding of one kind.
type Work struct {
	Jobs     int64         // pieces begun
	Waiting  int           // pieces now
	Oldest   time.Duration // since the first of these was queued
	Queued   time.Duration // sum over the pieces begun, from queued to begun
	Decoding time.Duration // sum over the finished decodes
	Audio    time.Duration // decoded in those
	// Processor is the part of Decoding in which the decodes had a processor, or all of it where
	// the engine cannot tell: on a busy machine they also wait for one.
	Processor time.Duration
}

// Add returns the sum of both.
func (w Work) Add(other Work) Work {
	return Work{
		Jobs: w.Jobs + other.Jobs, Waiting: w.Waiting + other.Waiting, Oldest: max(w.Oldest, other.Oldest),
		Queued: w.Queued + other.Queued, Decoding: w.Decoding + other.Decoding, Audio: w.Audio + other.Audio,
		Processor: w.Processor + other.Processor,
	}
}

// since returns what was done since an earlier report of the same process: the sums as differences,
// the rest as it is now.
func (w Work) since(before Work) Work {
	w.Jobs -= before.Jobs
	w.Queued -= before.Queued
	w.Decoding -= before.Decoding
	w.Audio -= before.Audio
	w.Processor -= before.Processor
	return w
}

// restarted reports whether the engine's counts have started again since an earlier report.
func (l EngineLoad) restarted(before EngineLoad) bool {
	return l.Finals.Jobs < before.Finals.Jobs || l.Partials.Jobs < before.Partials.Jobs || l.Replay.Jobs <
		before.Replay.Jobs
}
