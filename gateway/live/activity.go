package live

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"steno/messages"
)

const (
	watchedFor    = 10 * time.Second // how long after a read partials are wanted
	maxShownChars = 400              // the last characters of a text
)

// activity is a sink that keeps what the overview of sessions shows of one: its last texts, whether
// somebody speaks, and the delays of its finals. It wants partials only while it is being read. Its
// methods may be called from any goroutine.
type activity struct {
	lastRead atomic.Int64 // time of the last read, in ns since 1970
	stages   delays

	mu      sync.Mutex
	final   string
	partial string
	subject string // utterance of partial
	// channels that speak: speech may end with another utterance than it began with; nil before the
	// first
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

// Send takes an event.
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
		a.stages.say(e.Subject)
	}
}

// sendFinal is called with mu held.
func (a *activity) sendFinal(e messages.Event) {
	if text := textOf(e); text != "" {
		a.final = text
	}
	if a.subject == e.Subject {
		a.partial, a.subject = "", ""
	}
}

// textOf returns what is shown of a transcript.
func textOf(e messages.Event) string {
	t, ok := e.Message.(messages.Transcript)
	if !ok {
		return ""
	}
	return Shown(t.Utterance.Text)
}

// Shown returns the end of what was said, at most 400 characters.
func Shown(text string) string {
	text = strings.TrimSpace(text)
	if runes := []rune(text); len(runes) > maxShownChars {
		return "…" + string(runes[len(runes)-maxShownChars+1:])
	}
	return text
}

// The states of a session in an Activity.
const (
	StateWaiting   = "waiting"   // no client has come yet
	StateConnected = "connected" // its client is there
	StateLost      = "lost"      // its client may come back
	StateEnded     = "ended"     // no audio follows
)

// Activity is what a session on this node is doing.
type Activity struct {
	State       string        // one of those above
	Left        time.Duration // for the client to come back, where it is lost
	Speaking    bool
	Quiet       time.Duration // since speech ended; 0: it speaks, or nobody has spoken here yet
	Final       string        // last one
	Partial     string
	FinalDelay  time.Duration // that 19 of 20 of the newest finals took; 0: not known
	Connections int64         // sockets so far
}

// read returns the current values, and has partials wanted for the next 10 seconds.
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
