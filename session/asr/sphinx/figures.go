package sphinx

import (
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// Drop is a reason for leaving partials out.
type Drop string

const (
	DropNoDecoder Drop = "no_decoder" // no live decoder was free: the utterance has no partials at all
	DropLate      Drop = "late"       // the live pass lagged by 3 s and was dropped
	DropReplay    Drop = "replay"     // a recording asked for partials
	DropReplaced  Drop = "replaced"   // a newer result replaced one that was not received
	DropEnded     Drop = "ended"      // the utterance ended or was cut while the partial was made
	DropFailed    Drop = "failed"     // the live pass failed
)

// Work sums up one kind of decoding.
type Work struct {
	Count   int           // decodes started
	Audio   time.Duration // audio decoded
	Time    time.Duration // time taken
	Longest time.Duration
}

// RTF returns the real-time factor: time taken for each second of audio, 0 before the first decode.
func (w Work) RTF() float64 {
	if w.Audio == 0 {
		return 0
	}
	return float64(w.Time) / float64(w.Audio)
}

func summed(f schedule.Figures) Work {
	return Work{Count: f.Calls, Audio: f.Audio, Time: f.Decoding, Longest: f.LongestDecode}
}

// Speculations counts finals begun in pauses.
type Speculations struct {
	Begun  int
	Used   int // used: the utterance ended with the samples it had
	Wasted int // discarded: more samples came, or no end
}

// Stats are current figures, and sums since New.
type Stats struct {
	Slots, Busy int // slots of the scheduler, and how many are decoding

	FinalDecoders, FinalIdle int
	LiveDecoders, LiveIdle   int

	Open, Speaking int // utterances not yet over, and those of live speech
	Refused        int // by Open, for want of room

	LiveFinals, FirstPartials, LaterPartials, ReplayFinals int // utterances waiting for each

	Finals Work // decodes to the end of an utterance, speculation included
	Lagged Work // pieces decoded before it
	Chunks Work // of live passes
	// sum over finals, from End to the start of the decode, and while they gave way to others
	Waited       time.Duration
	LongestWait  time.Duration
	Speculations Speculations
	Dropped      map[Drop]int

	Vocabularies VocabularyLoads // vocabularies loaded
}

func (r *Recognizer) drop(reason Drop) { r.liveQueue.Shed(string(reason), 1) }

// Figures returns the cost of finals at the end of utterances, of partials, of finals while
// utterances are in progress, of learning vocabularies, and of the finals with each. The result is
// the caller's.
func (r *Recognizer) Figures() []schedule.Figures {
	out := []schedule.Figures{r.plain.finals.Figures(), r.liveQueue.Figures(), r.plain.lagged.Figures(),
		r.learning.Figures()}
	for _, p := range r.workers {
		out = append(out, p.finals.Figures())
	}
	return out
}

// Stats returns the figures. Any goroutine may call it; the result is the caller's.
func (r *Recognizer) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	finals, lagged, chunks := r.plain.finals.Figures(), r.plain.lagged.Figures(), r.liveQueue.Figures()
	s := Stats{
		FinalDecoders: r.config.FinalDecoders, FinalIdle: r.plain.idles(),
		LiveDecoders: r.config.Decoders - r.config.FinalDecoders, LiveIdle: len(r.lives) + r.unloaded,
		Open: len(r.open), Speaking: r.speaking, Refused: r.refused,
		LiveFinals:    finals.Waiting[schedule.Final] + r.plain.waiting(asr.Live),
		ReplayFinals:  finals.Waiting[schedule.Replay] + r.plain.waiting(asr.Replay),
		FirstPartials: chunks.Waiting[schedule.FirstPartial], LaterPartials: chunks.Waiting[schedule.Partial],
		Finals: summed(finals), Lagged: summed(lagged), Chunks: summed(chunks),
		Waited: finals.Queued, LongestWait: finals.LongestQueued,
		Speculations: r.speculations, Vocabularies: r.loads,
		Dropped: map[Drop]int{},
	}
	s.Slots, s.Busy = r.scheduler.Slots()
	for reason, n := range chunks.Shed {
		s.Dropped[Drop(reason)] = n
	}
	return s
}
