package loadtest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"time"

	"steno/audio"
)

// Options describe the load. The zero value of an optional field means the default named there.
type Options struct {
	URL   string // address of the gateway, http or https
	Key   string // API key; empty: none is sent
	Clips []*Clip

	// Sessions is how many clients speak at a time, at least 1.
	Sessions int
	// Duration is how long each client speaks, continuing with the next recording of the same
	// format when one ends. Zero: client i plays recordings i, i+Sessions, ... (or i modulo their
	// number), once, each in a session of its own.
	Duration time.Duration
	// Ramp is the time over which the clients begin to speak; optional, 23 ms for each but at most
	// 10 s.
	Ramp time.Duration
	// WarmUp is how long after the last client has begun nothing is measured yet; nor is it when
	// the first one has ended. Optional: everything is measured from the beginning of the run on.
	WarmUp time.Duration
	// Chunk is the audio in one frame, 10 ms to 1 s; optional, 20 ms.
	Chunk time.Duration
	// Jitter is by how much a frame is sent late at the most, evenly distributed, as a network
	// would have it; 0 to 10 s. Delays count from when the frame was to be sent, jitter included.
	Jitter time.Duration
	// Patience is how long after the last audio a session may still take to end; optional, 60 s.
	Patience time.Duration

	// RandomStart lets each client begin at a random place of its recordings instead of their
	// beginning, so that the utterances of clients that play the same recording do not end
	// together. It needs a Duration.
	RandomStart bool
	// Channels is how many channels mono recordings are spread over, 1 to 8; optional, 1. Each
	// channel plays the recording from another place on.
	Channels int
	// Silence is the share of pauses that are added between recordings, 0 to 0.95.
	Silence float64
	// DropEvery is the mean time between losses of a client's connection; optional, none is lost.
	// The client connects again and resumes, as it does after any loss.
	DropEvery time.Duration
	// SlowReaders is the share of clients that read slowly, a message each quarter of a second, 0
	// to 1. Their delays are not measured.
	SlowReaders float64
	// Subscribers is how many followers each session has, 0 to 100.
	Subscribers int
	// Seed determines everything that is drawn at random: two runs with the same seed and options
	// make the same load.
	Seed uint64

	Languages    []string // language_config; optional
	Endpointing  float64  // seconds of silence; optional, the gateway's default
	MaxUtterance float64  // seconds after which an utterance is cut; optional, the gateway's default
	Partials     bool     // ask for partial transcripts

	// Transcript, if set, is called for every transcript, from a goroutine of its client: one call
	// at a time for each client, concurrently for several clients.
	Transcript func(Transcript)
	// Progress, if set, is called once a second while the run lasts, from one goroutine.
	Progress func(Progress)

	// dial opens the connections of tests that have no network; nil: TCP.
	dial dialer
}

// Progress is how far a run has come.
type Progress struct {
	Elapsed  time.Duration
	Span     time.Duration // how long audio is sent if all goes well
	Sessions int           // open now
	Finals   int           // received so far
	Failed   int           // sessions
	Errors   int           // things that should not have happened, failed sessions included
	Delay    float64       // median of the delay of finals so far, in seconds
	Final    float64       // 95 in 100 finals came within so many seconds
	Ack      float64       // and 95 in 100 acknowledgments within so many
}

const (
	// maxSession is the longest live session a client holds; a longer Duration continues in a new
	// one.
	maxSession     = time.Hour
	maxJitter      = 10 * time.Second
	maxSilence     = 0.95
	maxSubscribers = 100
	maxUtterance   = 3600 // seconds; gateways have limits of their own
	leastDropEvery = 100 * time.Millisecond
)

func (o Options) withDefaults() Options {
	if o.Chunk == 0 {
		o.Chunk = 20 * time.Millisecond
	}
	if o.Patience == 0 {
		o.Patience = time.Minute
	}
	if o.Channels == 0 {
		o.Channels = 1
	}
	return o
}

func (o Options) check() error {
	u, err := url.Parse(o.URL)
	switch {
	case !strings.HasPrefix(o.URL, "http://") && !strings.HasPrefix(o.URL, "https://"):
		return fmt.Errorf("address of the gateway must begin with http:// or https://, not %q", o.URL)
	case err != nil:
		return fmt.Errorf("address of the gateway: %w", err)
	case u.Host == "":
		return fmt.Errorf("address of the gateway has no host: %q", o.URL)
	case len(o.Clips) == 0:
		return errors.New("no recordings to stream")
	case o.Sessions < 1:
		return fmt.Errorf("sessions must be at least 1, not %d", o.Sessions)
	case o.Duration < 0 || o.Duration != 0 && o.Duration < o.Chunk:
		return fmt.Errorf("duration must be at least one chunk (%v), not %v", o.Chunk, o.Duration)
	case o.RandomStart && o.Duration == 0:
		return errors.New("a random start needs a duration")
	}
	return o.checkRanges()
}

func (o Options) checkRanges() error {
	for _, r := range []struct {
		name             string
		value, low, high time.Duration
	}{
		{"chunk", o.Chunk, 10 * time.Millisecond, time.Second},
		{"jitter", o.Jitter, 0, maxJitter},
		{"ramp", o.Ramp, 0, time.Hour},
		{"warm-up", o.WarmUp, 0, time.Hour},
		{"patience", o.Patience, 0, time.Hour},
	} {
		if r.value < r.low || r.value > r.high {
			return fmt.Errorf("%s must be between %v and %v, not %v", r.name, r.low, r.high, r.value)
		}
	}
	for _, r := range []struct {
		name             string
		value, low, high float64
	}{
		{"channels", float64(o.Channels), 1, audio.MaxChannels},
		{"silence", o.Silence, 0, maxSilence},
		{"slow-readers", o.SlowReaders, 0, 1},
		{"subscribers", float64(o.Subscribers), 0, maxSubscribers},
		{"endpointing", o.Endpointing, 0, maxUtterance},
		{"max-utterance", o.MaxUtterance, 0, maxUtterance},
	} {
		if !(r.value >= r.low && r.value <= r.high) { // NaN is out of range
			return fmt.Errorf("%s must be between %g and %g, not %g", r.name, r.low, r.high, r.value)
		}
	}
	if o.DropEvery != 0 && o.DropEvery < leastDropEvery {
		return fmt.Errorf("time between lost connections must be at least %v, not %v", leastDropEvery, o.DropEvery)
	}
	return nil
}

// checkWarmUp tells where a warm-up leaves no time to measure.
func (o Options) checkWarmUp(plans []plan) error {
	begins, ends := plans[len(plans)-1].begin, plans[0].end()
	if o.WarmUp == 0 || begins+o.WarmUp < ends {
		return nil
	}
	return fmt.Errorf("nothing would be measured: the duration of the first client ends after %v, the ramp and the "+
		"warm-up after %v", ends, begins+o.WarmUp)
}

// clips returns the recordings as they are played: on so many channels, and with pauses.
func (o Options) clips() []*Clip {
	clips := o.Clips
	if o.Channels > 1 {
		clips = spread(clips, o.Channels)
	}
	if o.Silence > 0 {
		clips = withPauses(clips, o.Silence, o.Seed)
	}
	return clips
}

// What is drawn at random for a client, each from a sequence of its own.
const (
	startDraw  = iota // where it begins in its recordings
	phaseDraw         // when its frames are due within a chunk
	jitterDraw        // the seed of its jitter
	dropDraw          // when its connections are lost
	slowDraw          // whether it reads slowly
)

// random returns the sequence of random numbers from which client i draws one thing.
func (o Options) random(i int, draw uint64) *rand.Rand {
	return rand.New(rand.NewPCG(o.Seed, uint64(i)<<8|draw))
}

// beginnings returns when each client begins to speak, counted from the beginning of the run:
// evenly over the ramp, and each at a random place within a chunk. Frames of different clients are
// therefore never due in step, whatever the chunk and the number of clients.
func (o Options) beginnings() []time.Duration {
	const apart, most = 23 * time.Millisecond, 10 * time.Second
	ramp := o.Ramp
	if ramp == 0 {
		ramp = min(time.Duration(o.Sessions)*apart, most)
	}
	all := make([]time.Duration, o.Sessions)
	for i := range all {
		even := time.Duration(float64(ramp) * float64(i) / float64(o.Sessions))
		all[i] = even + time.Duration(o.random(i, phaseDraw).Int64N(int64(o.Chunk)))
	}
	return all
}

// tracks lists what client i plays, one live session each.
func (o Options) tracks(i int, clips []*Clip) []*track {
	n := len(clips)
	if o.Duration > 0 {
		var all []*track
		for left := o.Duration; left > 0; left -= maxSession {
			t := loopTrack(clips, i%n, min(left, maxSession))
			if o.RandomStart {
				t.startAt(o.random(i, startDraw).Float64())
			}
			all = append(all, t)
		}
		return all
	}
	all := []*track{onceTrack(clips[i%n])}
	for j := i + o.Sessions; j < n; j += o.Sessions {
		all = append(all, onceTrack(clips[j]))
	}
	return all
}

// plan is what one client does.
type plan struct {
	begin  time.Duration // since the beginning of the run
	tracks []*track
}

// plans lists what the clients do.
func (o Options) plans() []plan {
	clips := o.clips()
	all := make([]plan, o.Sessions)
	for i, begin := range o.beginnings() {
		all[i] = plan{begin, o.tracks(i, clips)}
	}
	return all
}

// end is when a client's audio ends if all goes well.
func (p plan) end() time.Duration {
	sum := p.begin
	for _, t := range p.tracks {
		sum += t.duration(t.length)
	}
	return sum
}

// opensAgain reports whether a client opens more than one session.
func (p plan) opensAgain() bool { return len(p.tracks) > 1 }

// hasWhole reports whether a client plays a recording with a transcript from beginning to end.
func (p plan) hasWhole() bool {
	return slices.ContainsFunc(p.tracks, func(t *track) bool { return newHeardWords(t).errors().Recordings > 0 })
}

// countsFirstThird reports whether what is measured begins in the first third of the run.
func (o Options) countsFirstThird(plans func() []plan) bool {
	begins := o.beginnings()
	last := begins[len(begins)-1]
	span := last + o.Duration
	if o.Duration == 0 {
		span = spanOf(plans())
	}
	return last+o.WarmUp < span/3
}

// allReadSlowly reports whether every client is one of the slow readers.
func (o Options) allReadSlowly() bool {
	for i := range o.Sessions {
		if o.readsFast(i) {
			return false
		}
	}
	return true
}

// readsFast reports whether client i is none of the slow readers.
func (o Options) readsFast(i int) bool { return o.random(i, slowDraw).Float64() >= o.SlowReaders }

// untilDrop draws how long a connection lasts: losses come at random, at a constant rate.
func (o Options) untilDrop(r *rand.Rand) time.Duration {
	if o.DropEvery == 0 {
		return 0
	}
	return max(time.Duration(math.Min(r.ExpFloat64(), 10)*float64(o.DropEvery)), time.Millisecond)
}
