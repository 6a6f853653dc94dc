package live

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

// activity is a sink that keeps what the overview shows of a session: its last texts, whether
// somebody speaks, and the delays of its finals. It wants partials only while it is being read. Its
// methods may be called from any goroutine.
type activity struct {
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
func (a *activity) Wants() messages.Filter {
	kinds := messages.FilterOf(messages.KindSpeechStart, messages.KindSpeechEnd, messages.KindFinal)
	if at := a.lastRead.Load(); at > 0 && time.Since(time.Unix(0, at)) < watchedFor {
		kinds |= messages.FilterOf(messages.KindPartial)
	}
	return kinds
}

// Send records an event.
func (a *activity) Send(e messages.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	channel, _, _ := messages.ParseUtteranceID(e.Subject)
	switch e.Kind {
	case messages.KindSpeechStart:
		if a.speaking == nil {
			a.speaking = map[int]bool{}
		}
		a.speaking[channel] = true
	case messages.KindSpeechEnd:
		a.quiet = time.Now()
		delete(a.speaking, channel)
	case messages.KindPartial:
		a.partial, a.subject = textOf(e), e.Subject
	case messages.KindFinal:
		a.sendFinal(e)
		a.stages.final(e.Subject)
	}
}

// sendFinal records a final. It is called with mu held.
func (a *activity) sendFinal(e messages.Event) {
	if text := textOf(e); text != "" {
		a.final = text
	}
	if a.subject == e.Subject {
		a.partial, a.subject = "", ""
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

// The states of a session in an Activity.
const (
	StateWaiting   = "waiting"   // no client has connected yet
	StateConnected = "connected" // its client is connected
	StateLost      = "lost"      // its client may reconnect
	StateEnded     = "ended"     // no audio follows
)

// Activity is what a session on this node is doing.
type Activity struct {
	State       string        // one of those above
	Left        time.Duration // for the client to reconnect, in StateLost
	Speaking    bool
	Quiet       time.Duration // since speech ended; 0: somebody speaks, or nobody has spoken here
	Final       string        // newest
	Partial     string
	FinalDelay  time.Duration // not exceeded by 19 of 20 of the newest finals; 0: not known
	Connections int64         // sockets so far
}

// read returns the current values, and makes partials wanted for the next 10 seconds.
func (a *activity) read(now time.Time) Activity {
	a.lastRead.Store(now.UnixNano())
	a.mu.Lock()
	defer a.mu.Unlock()
	v := Activity{Speaking: len(a.speaking) > 0, Final: a.final, Partial: a.partial}
	if !v.Speaking && !a.quiet.IsZero() {
		v.Quiet = now.Sub(a.quiet)
	}
	v.FinalDelay = a.stages.most()
	return v
}
