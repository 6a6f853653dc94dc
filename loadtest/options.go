package loadtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"
)

// Options say what load to make. The zero value of what is marked optional means the default named there.
type Options struct {
	URL   string // address of the gateway, http or https
	Key   string // API key; empty: none is sent
	Clips []*Clip

	// Sessions is how many clients speak at once, at least 1.
	Sessions int
	// Duration is how long each client speaks, going on with the next recording of the same format when one ends.
	// Zero: client i plays recordings i, i+Sessions, ... (or i modulo their number), once, each in a session of its own.
	Duration time.Duration
	// Chunk is the audio in one frame, 10 ms to 1 s; optional, 20 ms.
	Chunk time.Duration
	// Patience is how long after the last audio a session may still take to end; optional, 60 s.
	Patience time.Duration

	// RandomStart lets each client begin at a random place of its recordings instead of their beginning, so that the
	// utterances of clients that play the same recording do not end together. It needs a Duration.
	RandomStart bool
	// Seed determines everything that is drawn at random: two runs with the same seed and options make the same load.
	Seed uint64

	Languages   []string // language_config; optional
	Endpointing float64  // seconds of silence; optional, the gateway's default
	Partials    bool     // ask for partial transcripts

	// Transcript, if set, is called for every transcript, from a goroutine of its client: one call at a time for each
	// client, several at once for several clients.
	Transcript func(Transcript)
	// Progress, if set, is called once a second while the run lasts, from one goroutine.
	Progress func(Progress)
}

// Progress is how far a run has come.
type Progress struct {
	Elapsed time.Duration
	Span    time.Duration // how long audio is sent if all goes well
	Finals  int           // received so far
	Delay   float64       // median of the delay of finals so far, in seconds
	Failed  int           // sessions
}

// maxSession is the longest live session a client holds; a longer Duration goes on in a new one.
const maxSession = time.Hour

func (o Options) withDefaults() Options {
	if o.Chunk == 0 {
		o.Chunk = 20 * time.Millisecond
	}
	if o.Patience == 0 {
		o.Patience = time.Minute
	}
	return o
}

func (o Options) check() error {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil:
		return fmt.Errorf("address of the gateway: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("address of the gateway must begin with http:// or https://, not %q", o.URL)
	case len(o.Clips) == 0:
		return errors.New("no recordings to stream")
	case o.Sessions < 1:
		return fmt.Errorf("sessions must be at least 1, not %d", o.Sessions)
	case o.Chunk < 10*time.Millisecond || o.Chunk > time.Second:
		return fmt.Errorf("chunk must be between 10ms and 1s, not %v", o.Chunk)
	case o.Duration < 0 || o.Duration != 0 && o.Duration < o.Chunk:
		return fmt.Errorf("duration must be at least one chunk (%v), not %v", o.Chunk, o.Duration)
	case o.RandomStart && o.Duration == 0:
		return errors.New("a random start needs a duration")
	case o.Patience < 0:
		return fmt.Errorf("patience must not be negative, not %v", o.Patience)
	}
	return nil
}

// What is drawn at random for a client, each from a sequence of its own.
const (
	startDraw = iota // where it begins in its recordings
	phaseDraw        // when its frames are due within a chunk
)

// random returns the sequence of random numbers from which client i draws one thing.
func (o Options) random(i int, draw uint64) *rand.Rand {
	return rand.New(rand.NewPCG(o.Seed, uint64(i)<<8|draw))
}

// beginnings returns when each client begins to speak, counted from the beginning of the run: one after the other,
// 23 ms apart and all of them within 10 s, and each at a random place within a chunk. Frames of different clients are
// therefore never due in step, whatever the chunk and the number of clients.
func (o Options) beginnings() []time.Duration {
	const apart, most = 23 * time.Millisecond, 10 * time.Second
	all := make([]time.Duration, o.Sessions)
	for i := range all {
		even := min(time.Duration(i)*apart, time.Duration(i)*most/time.Duration(o.Sessions))
		all[i] = even + time.Duration(o.random(i, phaseDraw).Int64N(int64(o.Chunk)))
	}
	return all
}

// tracks lists what client i plays, one live session each.
func (o Options) tracks(i int) []*track {
	n := len(o.Clips)
	if o.Duration > 0 {
		var all []*track
		for left := o.Duration; left > 0; left -= maxSession {
			t := loopTrack(o.Clips, i%n, min(left, maxSession))
			if o.RandomStart {
				t.startAt(o.random(i, startDraw).Float64())
			}
			all = append(all, t)
		}
		return all
	}
	all := []*track{onceTrack(o.Clips[i%n])}
	for j := i + o.Sessions; j < n; j += o.Sessions {
		all = append(all, onceTrack(o.Clips[j]))
	}
	return all
}
