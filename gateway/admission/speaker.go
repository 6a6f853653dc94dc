package admission

import (
	"math"
	"time"
)

const (
	newFor   = 30 * time.Second // for which a session counts as speaking, from its first socket on
	learnFor = time.Minute      // time constant of a session's share of speech
)

// Speaker is what one live session counts for: as speaking while it is new, and later by its own
// share of speech. Its methods may be called from any goroutine, and on nil.
type Speaker struct {
	of       *Controller
	account  string // whose session it is
	holder   string // the key that it counts for
	engine   string
	channels float64

	// Guarded by the controller's lock.
	newUntil  time.Time
	connected bool    // a socket is there
	begun     bool    // one has been
	speaking  float64 // channels with open speech
	spoken    float64 // s of speech, older ones less
	observed  float64 // s, older ones less
	at        time.Time
}

// Connect reports that the session has a socket now, or has none any more, and so cannot speak.
func (s *Speaker) Connect(on bool) {
	if s == nil {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	now := time.Now()
	s.advance(now)
	if on && !s.begun {
		s.begun, s.newUntil = true, now.Add(newFor)
	}
	s.connected = on
}

// Speak reports that speech of a channel has begun, or has ended.
func (s *Speaker) Speak(on bool) {
	if s == nil {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.advance(time.Now())
	if on {
		s.speaking = min(s.speaking+1, s.channels)
	} else {
		s.speaking = max(s.speaking-1, 0)
	}
}

// Serve sets which engine recognizes the session's speech.
func (s *Speaker) Serve(engine string) {
	if s == nil {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.engine = engine
}

// Leave reports that the session has ended. Further calls have no effect.
func (s *Speaker) Leave() {
	if s == nil {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if _, there := s.of.speakers[s]; there {
		delete(s.of.speakers, s)
		s.of.ended(time.Now())
	}
}

// advance learns from the time since the last call.
func (s *Speaker) advance(now time.Time) {
	passed := now.Sub(s.at).Seconds()
	s.at = now
	if passed <= 0 {
		return
	}
	keep := math.Exp(-passed / learnFor.Seconds())
	gained := learnFor.Seconds() * (1 - keep)
	s.observed = s.observed*keep + gained
	s.spoken = s.spoken*keep + gained*s.active()
}

// active returns how many channels are speaking.
func (s *Speaker) active() float64 {
	if !s.connected {
		return 0
	}
	return s.speaking
}

// isNew reports whether the session counts as speaking whatever it does.
func (s *Speaker) isNew(now time.Time) bool { return now.Before(s.newUntil) }

// share returns how many channels are expected to speak.
func (s *Speaker) share() float64 {
	if s.observed == 0 {
		return s.channels
	}
	return s.spoken / s.observed
}

// forecast returns for how many channels a new session is expected to count once it is none any
// more: half of them, the less it has been observed.
func (s *Speaker) forecast() float64 {
	weight := newFor.Seconds()
	return (s.spoken + s.channels/2*weight) / (s.observed + weight)
}

// demand is what sessions count for, in speakers.
type demand struct {
	speaking float64 // now
	reserved float64 // by new sessions that do not speak
	expected float64 // on average, new sessions as speaking
}

// add counts a session.
func (d *demand) add(s *Speaker, now time.Time) {
	s.advance(now)
	active := s.active()
	d.speaking += active
	if s.isNew(now) {
		d.reserved += s.channels - active
		d.expected += s.channels
		return
	}
	d.expected += s.share()
}

// speakers returns what must be reckoned with: all that speak now and all that are new, or the
// average if that is more.
func (d demand) speakers() float64 { return max(d.speaking+d.reserved, d.expected) }
