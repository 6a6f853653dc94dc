package sphinx

import (
	"maps"
	"time"
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
	Count   int           // decodes
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

func (w *Work) add(samples int, took time.Duration) {
	w.Count++
	w.Audio += seconds(samples)
	w.Time += took
	w.Longest = max(w.Longest, took)
}

// Stats are figures of this moment, and sums since New.
type Stats struct {
	Slots, Busy int // decodes that may run, that run

	FinalDecoders, FinalIdle int
	LiveDecoders, LiveIdle   int

	Open, Speaking int // utterances not yet over; those of live speech
	Refused        int // by Open, for want of room

	LiveFinals, FirstPartials, LaterPartials, ReplayFinals int // utterances waiting in each queue

	Finals, Chunks Work          // whole utterances; stretches of live passes
	Waited         time.Duration // finals, from End to the start of their decoding
	LongestWait    time.Duration
	Dropped        map[Drop]int
}

// meter keeps the sums; it is guarded by the recognizer's lock.
type meter struct {
	finals, chunks      Work
	waited, longestWait time.Duration
	refused             int
	dropped             map[Drop]int
}

func (m *meter) final(samples int, took, waited time.Duration) {
	m.finals.add(samples, took)
	m.waited += waited
	m.longestWait = max(m.longestWait, waited)
}

func (m *meter) chunk(samples int, took time.Duration) { m.chunks.add(samples, took) }

func (m *meter) drop(reason Drop, n int) {
	if m.dropped == nil {
		m.dropped = map[Drop]int{}
	}
	m.dropped[reason] += n
}

// Stats may be called from any goroutine; the caller owns what it returns.
func (r *Recognizer) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Stats{
		Slots: r.config.Slots, Busy: r.busy,
		FinalDecoders: r.config.FinalDecoders, FinalIdle: len(r.finals),
		LiveDecoders: r.config.Decoders - r.config.FinalDecoders, LiveIdle: len(r.lives),
		Open: len(r.open), Speaking: r.speaking, Refused: r.meter.refused,
		LiveFinals: len(r.waiting[liveFinals]), FirstPartials: len(r.waiting[firstPartials]),
		LaterPartials: len(r.waiting[laterPartials]), ReplayFinals: len(r.waiting[replayFinals]),
		Finals: r.meter.finals, Chunks: r.meter.chunks,
		Waited: r.meter.waited, LongestWait: r.meter.longestWait,
		Dropped: maps.Clone(r.meter.dropped),
	}
}
