package live

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"steno/messages"
)

const (
	glanceFor   = 10 * time.Second // after a look, for which partials are wanted
	glanceChars = 400              // of what was said last
)

// glance is a sink that keeps what somebody sees who looks at a session among others: the last words, whether it speaks, how
// late its finals are. It wants partials only while somebody looks. It is safe for concurrent use.
type glance struct {
	looked atomic.Int64 // when somebody last looked, in ns since 1970
	stages delays

	mu       sync.Mutex
	final    string
	partial  string
	subject  string       // utterance of partial
	speaking map[int]bool // channels that speak: speech may end with another utterance than it began with; nil before the first
	quiet    time.Time    // when speech last ended; zero: never
}

// Wants returns the kinds that are shown.
func (g *glance) Wants() messages.Filter {
	kinds := messages.FilterOf(messages.KindSpeechStart, messages.KindSpeechEnd, messages.KindFinal)
	if at := g.looked.Load(); at > 0 && time.Since(time.Unix(0, at)) < glanceFor {
		kinds |= messages.FilterOf(messages.KindPartial)
	}
	return kinds
}

// Send takes an event.
func (g *glance) Send(e messages.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	channel, _, _ := messages.ParseUtteranceID(e.Subject)
	switch e.Kind {
	case messages.KindSpeechStart:
		if g.speaking == nil {
			g.speaking = map[int]bool{}
		}
		g.speaking[channel] = true
	case messages.KindSpeechEnd:
		g.quiet = time.Now()
		delete(g.speaking, channel)
	case messages.KindPartial:
		g.partial, g.subject = textOf(e), e.Subject
	case messages.KindFinal:
		g.sendFinal(e)
		g.stages.say(e.Subject)
	}
}

// sendFinal is called with mu held.
func (g *glance) sendFinal(e messages.Event) {
	if text := textOf(e); text != "" {
		g.final = text
	}
	if g.subject == e.Subject {
		g.partial, g.subject = "", ""
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
	if runes := []rune(text); len(runes) > glanceChars {
		return "…" + string(runes[len(runes)-glanceChars+1:])
	}
	return text
}

// The states of a session that is looked at.
const (
	StateWaiting   = "waiting"   // no client has come yet
	StateConnected = "connected" // its client is there
	StateLost      = "lost"      // its client may come back
	StateEnded     = "ended"     // no audio follows
)

// Glance is what a look at a session on this node shows.
type Glance struct {
	State       string        // one of those above
	Left        time.Duration // for the client to come back, where it is lost
	Speaking    bool
	Quiet       time.Duration // since speech ended; 0: it speaks, or nobody has spoken here yet
	Final       string        // last one
	Partial     string
	FinalDelay  time.Duration // that 19 of 20 of the newest finals took; 0: not known
	Connections int64         // sockets so far
}

// Glances returns what a look at the sessions of an account on this node shows, by their ids, except for those that have ended.
func (s *Sessions) Glances(account string) map[string]Glance {
	all := map[string]Glance{}
	for _, e := range s.registry.list() {
		if e.record.Account != account {
			continue
		}
		g := e.glance.look(time.Now())
		g.State, g.Left = e.state()
		g.Connections = e.sockets.Load()
		if g.State != "" {
			all[e.id] = g
		}
	}
	return all
}

// state returns the state of an entry, empty for one that has ended. One that is being worked on is taken for connected.
func (e *entry) state() (state string, left time.Duration) {
	if !e.mu.TryLock() {
		return StateConnected, 0
	}
	defer e.mu.Unlock()
	switch {
	case e.phase == waiting:
		return StateWaiting, 0
	case e.phase == attached:
		return StateConnected, 0
	case e.phase == detached && e.record.Stopped:
		return StateEnded, 0
	case e.phase == detached:
		return StateLost, max(0, e.sessions.cfg.Limits.ResumeWindow-time.Since(e.since))
	}
	return "", 0
}

// look notes that somebody looks, and returns what there is to see.
func (g *glance) look(now time.Time) Glance {
	g.looked.Store(now.UnixNano())
	g.mu.Lock()
	defer g.mu.Unlock()
	v := Glance{Speaking: len(g.speaking) > 0, Final: g.final, Partial: g.partial}
	if !v.Speaking && !g.quiet.IsZero() {
		v.Quiet = now.Sub(g.quiet)
	}
	v.FinalDelay = g.stages.most()
	return v
}
