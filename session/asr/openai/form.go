package openai

import (
	"strings"
	"sync"
	"time"

	"steno/session/asr"
)

// form is a kind of answer to ask for.
type form struct {
	format        string // empty: what the server answers unasked
	granularities []string
}

// forms are all of them, the most detailed first. Whole words with times come from few servers;
// some know nothing but text, or no field beside the file.
var forms = [...]form{
	{"verbose_json", []string{"word", "segment"}},
	{"verbose_json", nil},
	{"json", nil},
	{"text", nil},
	{"", nil},
}

const (
	// formsAgain is how long it is remembered what a server refuses: it may be another by then.
	formsAgain = time.Hour
	// formsDoubted is how many utterances in a row must need a less detailed form than the server
	// has answered in before it is asked for that one first: a single one may be what the server
	// stumbles over.
	formsDoubted = 2
)

// accept returns the media types of the form's answers.
func (f form) accept() string {
	if f.format == "text" || f.format == "" {
		return "text/plain, application/json"
	}
	return "application/json"
}

// The times that an answer has, the most exact first.
const (
	TimesOfWords    = "words"
	TimesOfSegments = "segments" // those of words are estimated within them
	TimesEstimated  = "none"
)

// Answers is what a server answers with.
type Answers struct {
	Format string // the response_format it is asked for; empty: none is named
	Times  string // TimesOfWords, TimesOfSegments or TimesEstimated
}

// formMemory remembers in which form a server answers. Any goroutine may call its methods.
type formMemory struct {
	// called with what the server answers with, at first and where it is less than before, or in
	// another format; may be nil
	changed func(Answers)

	mu      sync.Mutex
	best    int       // in which the server is asked first
	proven  bool      // it has answered in that form
	doubted int       // utterances in a row that needed a less detailed one
	since   time.Time // when best was found out
	known   Answers   // zero: nothing
}

// first returns the form to ask for first, and whether the server is known to answer in it.
func (m *formMemory) first() (i int, proven bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.best > 0 && time.Since(m.since) >= formsAgain {
		m.best, m.proven = 0, false
	}
	return m.best, m.proven
}

// answered notes the form of an answer. named: the server has named what it refused of the
// forms before. Of several at the same time the least detailed counts.
func (m *formMemory) answered(i int, named bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case i == m.best:
		m.doubted = 0
		if m.proven {
			return
		}
	case i < m.best:
		return
	case m.proven && !named:
		if m.doubted++; m.doubted < formsDoubted {
			return
		}
	}
	m.best, m.proven, m.doubted, m.since = i, true, 0, time.Now()
}

// saw notes what an answer with words, in the i-th form, had of times. Times that a server states
// now and then count.
func (m *formMemory) saw(i int, times string) {
	m.mu.Lock()
	seen := Answers{forms[i].format, times}
	told := m.known == Answers{} || seen.Format != m.known.Format
	if i != m.best || !told && exactness(times) <= exactness(m.known.Times) {
		m.mu.Unlock()
		return
	}
	m.known = seen
	m.mu.Unlock()
	if told && m.changed != nil {
		m.changed(seen)
	}
}

// exactness orders times.
func exactness(times string) int {
	return strings.Index(TimesEstimated+TimesOfSegments+TimesOfWords, times)
}

// Answers returns what the server answers with; false while that is not known. Any goroutine may
// call it.
func (r *Recognizer) Answers() (a Answers, known bool) {
	r.forms.mu.Lock()
	defer r.forms.mu.Unlock()
	return r.forms.known, r.forms.known != Answers{}
}

// times returns what an answer has of times.
func (a *answer) times() string {
	for _, w := range a.Words {
		if w.timed() {
			return TimesOfWords
		}
	}
	best := TimesEstimated
	for _, s := range a.Segments {
		for _, w := range s.Words {
			if w.timed() {
				return TimesOfWords
			}
		}
		if s.End > s.Start {
			best = TimesOfSegments
		}
	}
	return best
}

// refused is what a server refuses of a request.
type refused struct {
	field string // of the form; empty: none, or it is not known
	how   howRefused
}

// howRefused is why a field may have been refused.
type howRefused int

const (
	forOther howRefused = iota // the form is not the reason
	forField                   // the server has named the field
	unnamed                    // the server names none, and may have refused any
	broken                     // the server may have failed by a field that it does not know
)

// less returns the form to ask for after the i-th was refused, false if there is none. proven:
// the server has answered in that form before: then a refusal that names no field has other
// reasons, unless the form is doubted. Where a server failed, that is what is thought of last: it
// has to be doubted.
func less(i int, r refused, proven, doubt bool) (next int, ok bool) {
	next = i + 1
	switch {
	case r.how == forField && r.field == "response_format":
		for next < len(forms) && forms[next].format == forms[i].format {
			next++
		}
	case r.how == forField && r.field == "timestamp_granularities":
	case r.how == forField && r.field == "temperature":
		next = max(next, len(forms)-1)
	case r.how == unnamed && (!proven || doubt):
	case r.how == broken && doubt:
	default:
		return 0, false
	}
	return next, next < len(forms)
}

// doubts reports whether a request for an utterance may be refused because the server no longer
// answers as it did: others have been refused before it, or this one was. last: the
// request is the last of those made after failures.
func (r *Recognizer) doubts(u *stream, last bool, how howRefused) bool {
	if how == broken {
		return last
	}
	return u.params.Attempt >= asr.EngineAttempts || r.server.Circuit.Suspects()
}
