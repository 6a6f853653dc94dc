package openai

import (
	"sync"
	"time"
)

// form is a kind of answer to ask for.
type form struct {
	format        string
	granularities []string
}

// forms are all of them, the most detailed first. Whole words with times come from few servers; some know nothing but text.
var forms = [...]form{
	{"verbose_json", []string{"word", "segment"}},
	{"verbose_json", nil},
	{"json", nil},
	{"text", nil},
}

// formsAgain is how long it is remembered what a server refuses: it may be another by then.
const formsAgain = time.Hour

// accept returns the media types of the form's answers.
func (f form) accept() string {
	if f.format == "text" {
		return "text/plain, application/json"
	}
	return "application/json"
}

// formMemory remembers in which form a server answers. Any goroutine may call its methods.
type formMemory struct {
	mu     sync.Mutex
	best   int       // in which the server is asked first
	proven bool      // it has answered in that form
	since  time.Time // when best was found out
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

// answered notes the form of an answer. Of several at the same time the least detailed counts.
func (m *formMemory) answered(i int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i > m.best || !m.proven && i == m.best {
		m.best, m.proven, m.since = i, true, time.Now()
	}
}

// less returns the form to ask for after the i-th was refused because of a field, false if there is none. proven says that
// the server has answered in that form before: then a refusal that names no field has other reasons.
func less(i int, refused string, proven bool) (next int, ok bool) {
	next = i + 1
	switch refused {
	case "response_format":
		for next < len(forms) && forms[next].format == forms[i].format {
			next++
		}
	case "timestamp_granularities":
	case unnamed:
		if proven {
			return 0, false
		}
	default:
		return 0, false
	}
	return next, next < len(forms)
}
