// Package activity keeps what people are shown of sessions while they run: what each is doing, the
// delays of its finals, and which sessions were not admitted. It is in memory, of one node.
package activity

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"steno/messages"
)

const (
	watchedFor    = 10 * time.Second // partials are wanted for this long after a read
	maxShownChars = 400              // of a text: its end is shown
)

// Sink is a sink of a session's events that keeps what the overview shows of it: its last texts,
// whether somebody speaks, and the delays of its finals. It wants partials only while it is being
// read. Its methods may be called from any goroutine. The zero value is ready.
type Sink struct {
	lastRead atomic.Int64 // time of the last read, in ns since 1970
	stages   delays

	mu      sync.Mutex
	final   string
	partial string
	subject string // utterance of partial
	// channels with speech, which may end with another utterance than it started with; nil before
	// the first
	speaking map[int]bool
	quiet    time.Time // when speech last ended; zero: never
}

// Wants returns the kinds that are shown.
func (s *Sink) Wants() messages.Filter {
	kinds := messages.FilterOf(messages.KindSpeechStart, messages.KindSpeechEnd, messages.KindFinal)
	if at := s.lastRead.Load(); at > 0 && time.Since(time.Unix(0, at)) < watchedFor {
		kinds |= messages.FilterOf(messages.KindPartial)
	}
	return kinds
}

// Send records an event.
func (s *Sink) Send(e messages.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	channel, _, _ := messages.ParseUtteranceID(e.Subject)
	switch e.Kind {
	case messages.KindSpeechStart:
		if s.speaking == nil {
			s.speaking = map[int]bool{}
		}
		s.speaking[channel] = true
	case messages.KindSpeechEnd:
		s.quiet = time.Now()
		delete(s.speaking, channel)
	case messages.KindPartial:
		s.partial, s.subject = textOf(e), e.Subject
	case messages.KindFinal:
		s.sendFinal(e)
		s.stages.final(e.Subject)
	}
}

// sendFinal records a final. It is called with mu held.
func (s *Sink) sendFinal(e messages.Event) {
	if text := textOf(e); text != "" {
		s.final = text
	}
	if s.subject == e.Subject {
		s.partial, s.subject = "", ""
	}
}

// textOf returns the shown text of a transcript.
func textOf(e messages.Event) string {
	t, ok := e.Message.(messages.Transcript)
	if !ok {
		return ""
	}
	return Shown(t.Utterance.Text)
}

// Shown returns the end of a text, at most 400 characters.
func Shown(text string) string {
	text = strings.TrimSpace(text)
	if runes := []rune(text); len(runes) > maxShownChars {
		return "…" + string(runes[len(runes)-maxShownChars+1:])
	}
	return text
}

// The states of a session.
const (
	StateWaiting   = "waiting"   // no client has connected yet
	StateConnected = "connected" // its client is connected
	StateLost      = "lost"      // its client may reconnect
	StateEnded     = "ended"     // no audio follows
)

// Session is what a session on this node is doing.
type Session struct {
	State       string        // one of those above
	Left        time.Duration // for the client to reconnect, in StateLost
	Speaking    bool
	Quiet       time.Duration // since speech ended; 0: somebody speaks, or nobody has spoken here
	Final       string        // newest
	Partial     string
	FinalDelay  time.Duration // not exceeded by 19 of 20 of the newest finals; 0: not known
	Connections int64         // sockets so far
}

// Read returns the current values, but for the state and the connections, and makes partials wanted
// for the next 10 seconds.
func (s *Sink) Read(now time.Time) Session {
	s.lastRead.Store(now.UnixNano())
	s.mu.Lock()
	defer s.mu.Unlock()
	v := Session{Speaking: len(s.speaking) > 0, Final: s.final, Partial: s.partial}
	if !v.Speaking && !s.quiet.IsZero() {
		v.Quiet = now.Sub(s.quiet)
	}
	v.FinalDelay = s.stages.most()
	return v
}
