package vad

import "math"

// All in frames.
const (
	hangover    = 20  // after the last sure frame: bridges the closures of stops
	closing     = 15  // of the hangover, what belongs to the utterance's audio: weak ends of words
	tail        = 5   // of the hangover, what an utterance's End counts as speech
	preRoll     = 25  // of audio before the onset
	minLookBack = 30  // of audio before the decision at least
	lead        = 7   // by which the onset precedes the first sure frame: the detector needs some of a word
	cutWindow   = 240 // before the longest duration, in which the weakest place is sought
	cutSpan     = 12  // over which a place is weighed: longer than the closure of a stop, within a word
	minLongest  = 250 // shorter maxima are raised to this
)

// mostFrames bounds the arithmetic: a day.
const mostFrames = 24 * 60 * 60 * 100

// Config sets an Endpointer. Positions are samples at 16 kHz.
type Config struct {
	// Threshold, 0..1: the higher, the less is called speech; 0 calls everything
	// speech, 1 nothing. DefaultThreshold is the tuned operating point.
	Threshold float64
	// Endpointing is the silence, after the hangover of 0.2 s, that ends an
	// utterance; rounded up to frames, at least one.
	Endpointing int64
	// MaxDuration is the longest utterance; rounded down to frames, at least 2.5 s.
	MaxDuration int64
}

// DefaultThreshold is the threshold the detector's numbers were tuned for.
const DefaultThreshold = 0.6

// Step is what a frame changed; the zero value means no change.
//
// An utterance begins with a Step that has Started set, or silently at the Upto of a
// Step with Forced set. While it runs each Step carries Upto; the last one has Ended
// set. Utterances never overlap: From is at least the Upto that ended the one before.
type Step struct {
	// Started: an utterance begins. Its audio is from From on, pre-roll included;
	// speech began about Onset (From <= Onset). Never set together with Ended.
	Started     bool
	From, Onset int64
	// Upto: the samples before it belong to the running utterance. While silence lasts
	// it stands still 0.15 s after the last speech, whatever Endpointing is,
	// and moves on if speech resumes. It never falls within an utterance, but for a
	// Forced cut, which takes back up to 2.4 s.
	Upto int64
	// Rest: there was no speech for 0.15 s. If none follows within the hangover and Endpointing,
	// the utterance's audio ends at Upto as it is.
	Rest bool
	// Ended: the utterance's audio is [From, Upto), speech ended about End (<= Upto).
	Ended bool
	End   int64
	// Forced, only with Ended: speech continued at MaxDuration and the utterance was cut at Upto,
	// the weakest place of its last 2.4 s. The next utterance has begun at exactly Upto (its From
	// and Onset); no Started is given for it and its Upto comes with the next frame's Step.
	Forced bool
}

// Endpointer finds utterances in the probabilities of a Detector. It keeps no audio:
// the caller holds the samples from Keep on.
type Endpointer struct {
	longest int64 // frames
	speech  hysteresis
	past    past

	floor   int64 // frame before which everything belongs to finished utterances
	running bool
	from    int64 // first frame of the running utterance
	last    int64 // frame after its last sure speech
	upto    int64 // frames reported as its own
	cut     int64 // where it would be cut by force, once near its longest
	weakest float32
}

// NewEndpointer puts values out of range to the nearest that make sense.
func NewEndpointer(c Config) *Endpointer {
	wait := min(max((c.Endpointing+FrameSamples-1)/FrameSamples, 1), mostFrames)
	return &Endpointer{
		longest: min(max(c.MaxDuration/FrameSamples, minLongest), mostFrames),
		speech:  newHysteresis(c.Threshold, hangover+int(wait)),
	}
}

// Configure changes the Config, but for MaxDuration, from the next frame on.
func (e *Endpointer) Configure(c Config) {
	wait := min(max((c.Endpointing+FrameSamples-1)/FrameSamples, 1), mostFrames)
	next := newHysteresis(c.Threshold, hangover+int(wait))
	next.run, next.speaking, next.gap = e.speech.run, e.speech.speaking, e.speech.gap
	next.gap = min(next.gap, next.wait-1) // the next frame ends what would have ended
	e.speech = next
}

// Silence returns for how long there was no speech beyond the hangover of 0.2 s, in the running
// utterance; 0 while there is some, and where none runs.
func (e *Endpointer) Silence() int64 {
	if !e.running {
		return 0
	}
	return samples(int64(max(e.speech.gap-hangover, 0)))
}

// Discard ends the running utterance, whose audio is not wanted, at the last frame: no later Step
// refers to anything before it. Frames may follow.
func (e *Endpointer) Discard() Step {
	was := e.running
	e.speech.speaking, e.speech.run = false, 0
	upto := max(e.past.n, e.floor)
	e.running, e.floor = false, upto
	if !was {
		return Step{}
	}
	return Step{Upto: samples(max(e.upto, e.from)), Ended: true, End: samples(max(min(e.last, e.upto), e.from))}
}

// Frame takes the next frame and the probability of speech the Detector gave for it.
// It does not keep samples.
func (e *Endpointer) Frame(samples []int16, p float32) Step {
	if !(p >= 0) { // NaN too
		p = 0
	}
	e.past.push(samples, p)
	switch e.speech.push(float64(p)) {
	case began:
		return e.start(e.past.n - minSpeech)
	case ended:
		if e.running {
			return e.end()
		}
		return Step{}
	}
	if !e.speech.speaking {
		return Step{}
	}
	if !e.running { // ended in silence at its longest, before the wait was over
		if e.speech.gap > 0 {
			return Step{}
		}
		return e.start(e.past.n - 1)
	}
	return e.advance()
}

// start begins an utterance whose first sure frame is `first`.
func (e *Endpointer) start(first int64) Step {
	now := e.past.n
	onset := max(e.past.confidentSince(first, e.floor, e.speech.off)-lead, e.floor)
	// The audio begins earlier than what is called speech: words cut at the front cost more than
	// silence heard.
	maybe := min(e.past.audibleSince(first, e.floor), e.past.plausibleSince(first, e.floor, e.speech.low))
	e.from = max(min(onset-preRoll, maybe-preRoll/2, now-minLookBack), e.floor, 0)
	e.running, e.last, e.upto = true, now, now
	e.openCut()
	return Step{Started: true, From: samples(e.from), Onset: samples(max(onset, 0)), Upto: samples(now)}
}

// openCut forgets the place for a forced cut; until one is found it is the
// earliest allowed.
func (e *Endpointer) openCut() {
	e.cut = e.from + e.longest - cutWindow
	e.weakest = float32(math.Inf(1))
}

func (e *Endpointer) advance() Step {
	now, limit := e.past.n, e.from+e.longest
	speaks := e.speech.gap == 0
	if speaks && now > limit {
		return e.force()
	}
	if speaks {
		e.last = now
	}
	e.weigh(now, limit)
	if now >= limit && e.speech.gap > hangover {
		return e.end()
	}
	e.upto = max(e.upto, min(now, e.last+closing, limit))
	return Step{Upto: samples(e.upto), Rest: e.speech.gap == closing}
}

// weigh considers cutting in the middle of the last cutSpan frames. Of equal places
// the later is taken; so the cut never lies before an earlier answer.
func (e *Endpointer) weigh(now, limit int64) {
	place := now - cutSpan/2
	if place < limit-cutWindow || place > limit {
		return
	}
	if mean := e.past.mean(now-cutSpan, now); mean <= e.weakest {
		e.weakest, e.cut = mean, place
	}
}

// force ends the utterance at the weakest place and begins the next one there.
func (e *Endpointer) force() Step {
	step := Step{Upto: samples(e.cut), Ended: true, End: samples(e.cut), Forced: true}
	e.floor, e.from, e.upto = e.cut, e.cut, e.cut
	e.last = e.past.n
	e.openCut()
	return step
}

func (e *Endpointer) end() Step {
	limit := e.from + e.longest
	upto := max(e.upto, min(e.past.n, e.last+closing, limit))
	e.running, e.floor = false, upto
	return Step{Upto: samples(upto), Ended: true, End: samples(min(e.past.lastAudible(e.last, e.from)+tail, upto))}
}

// Keep is the earliest sample a later Step may still refer to; the caller may drop what
// lies before, once it has taken what the latest Step gave to an utterance.
func (e *Endpointer) Keep() int64 {
	if e.running {
		return samples(min(e.upto, e.cut))
	}
	return samples(max(e.floor, e.past.n-reach-minSpeech-preRoll, 0))
}

// Quiet reports whether no utterance runs, and the last frame is not the beginning of one.
func (e *Endpointer) Quiet() bool { return !e.running && !e.speech.speaking && e.speech.run == 0 }

// Finish ends the running utterance, as at the end of a stream. Speech that was not yet certain is
// dropped. Frames may follow: they start a new stream after all earlier ones.
func (e *Endpointer) Finish() Step {
	e.speech.speaking, e.speech.run = false, 0
	if !e.running {
		return Step{}
	}
	return e.end()
}

const endpointerState = 'E' | 'P'<<8 | 3<<16

// AppendState appends the state, which does not hold the Config, to b. The size is
// fixed, about 1 kB.
func (e *Endpointer) AppendState(b []byte) []byte {
	s := state{b: b}
	e.state(&s)
	return s.b
}

// RestoreState takes a state from the front of b and returns the rest. The Endpointer
// must have been made with the Config of the one that was saved. On an error, which
// wraps ErrState, it is as before.
func (e *Endpointer) RestoreState(b []byte) (rest []byte, err error) {
	n := *e
	s := state{b: b, reading: true}
	n.state(&s)
	if s.bad || !n.sane() {
		return b, ErrState
	}
	*e = n
	return s.b, nil
}

func (e *Endpointer) state(s *state) {
	s.header(endpointerState)
	e.past.state(s)
	s.count(&e.speech.run, minSpeech)
	s.flag(&e.speech.speaking)
	s.count(&e.speech.gap, e.speech.wait)
	s.flag(&e.running)
	for _, v := range []*int64{&e.floor, &e.from, &e.last, &e.upto, &e.cut} {
		s.position(v)
	}
	weakest := float64(min(e.weakest, math.MaxFloat32))
	s.float(&weakest)
	e.weakest = float32(weakest)
}

// sane reports whether restored positions are in an order that frames could have made.
func (e *Endpointer) sane() bool {
	now := e.past.n
	if e.floor > now {
		return false
	}
	if !e.running {
		return true
	}
	return e.speech.speaking && e.floor <= e.from && e.from <= e.upto && e.upto <= now &&
		e.last <= now && e.upto <= e.last+hangover && e.from+e.longest-cutWindow <= e.cut && e.cut <= e.from+e.longest
}

func samples(frames int64) int64 { return frames * FrameSamples }
