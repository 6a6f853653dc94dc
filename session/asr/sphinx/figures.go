package sphinx

import (
	"time"

	"steno/session/asr/schedule"
)

// Drop says why partials were left out.
type Drop string

const (
	DropNoDecoder Drop = "no_decoder" // an utterance got no live decoder and has no partials at all
	DropLate      Drop = "late"       // an utterance's live pass fell 3 s behind and was given up
	DropReplay    Drop = "replay"     // a recording asked for partials
	DropReplaced  Drop = "replaced"   // a newer result came before this one was received
	DropEnded     Drop = "ended"      // the utterance ended while this one was made
	DropFailed    Drop = "failed"     // the live pass of an utterance failed
)

// Work sums up one kind of decoding.
type Work struct {
	Count   int           // decodes begun
	Audio   time.Duration // audio decoded
	Time    time.Duration // time taken, on the wall
	Longest time.Duration
}

// RTF is the real-time factor: time taken for each second of audio, 0 before the first decode.
func (w Work) RTF() float64 {
	if w.Audio == 0 {
		return 0
	}
	return float64(w.Time) / float64(w.Audio)
}

func summed(f schedule.Figures) Work {
	return Work{Count: f.Calls, Audio: f.Audio, Time: f.Decoding, Longest: f.LongestDecode}
}

// Speculations counts finals begun when speech paused.
type Speculations struct {
	Begun  int
	Used   int // taken over when the utterance ended with the samples it had
	Wasted int // thrown away because more samples came, or no end
}

// Stats are figures of this moment, and sums since New.
type Stats struct {
	Slots, Busy int // of the scheduler: decodes that may run, that run

	FinalDecoders, FinalIdle int
	LiveDecoders, LiveIdle   int

	Open, Speaking int // utterances not yet over; those of live speech
	Refused        int // by Open, for want of room

	LiveFinals, FirstPartials, LaterPartials, ReplayFinals int // utterances waiting for each

	Finals, Chunks Work          // whole utterances, speculation included; stretches of live passes
	Waited         time.Duration // finals, from End to the start of their decoding
	LongestWait    time.Duration
	Speculations   Speculations
	Dropped        map[Drop]int

	Vocabularies Lessons // decoders taught one
}

func (r *Recognizer) drop(reason Drop) { r.liveQueue.Shed(string(reason), 1) }

// Figures tell the cost of both passes: finals, then partials, then the finals with each of the vocabularies. The caller
// owns what they return.
func (r *Recognizer) Figures() []schedule.Figures {
	out := []schedule.Figures{r.finalQueue.Figures(), r.liveQueue.Figures()}
	for _, p := range r.places {
		out = append(out, p.queue.Figures())
	}
	return out
}

// Stats may be called from any goroutine; the caller owns what it returns.
func (r *Recognizer) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	finals, chunks := r.finalQueue.Figures(), r.liveQueue.Figures()
	s := Stats{
		FinalDecoders: r.config.FinalDecoders, FinalIdle: len(r.finals),
		LiveDecoders: r.config.Decoders - r.config.FinalDecoders, LiveIdle: len(r.lives),
		Open: len(r.open), Speaking: r.speaking, Refused: r.refused,
		LiveFinals: finals.Waiting[schedule.Final], ReplayFinals: finals.Waiting[schedule.Replay],
		FirstPartials: chunks.Waiting[schedule.FirstPartial], LaterPartials: chunks.Waiting[schedule.Partial],
		Finals: summed(finals), Chunks: summed(chunks),
		Waited: finals.Queued, LongestWait: finals.LongestQueued,
		Speculations: r.speculations, Vocabularies: r.lessons,
		Dropped: map[Drop]int{},
	}
	s.Slots, s.Busy = r.scheduler.Slots()
	for reason, n := range chunks.Shed {
		s.Dropped[Drop(reason)] = n
	}
	return s
}
