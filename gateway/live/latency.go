package live

import (
	"sync"
	"time"

	"steno/gateway/metrics"
	"steno/messages"
)

// maxOpenEnds bounds the utterances whose finals a meter waits for.
const maxOpenEnds = 256

// meter is a session's permanent outlet that measures how long finals take.
type meter struct {
	metrics *metrics.Metrics

	mu   sync.Mutex
	ends map[string]time.Time // of speech, by utterance
}

func newMeter(m *metrics.Metrics) *meter { return &meter{metrics: m, ends: map[string]time.Time{}} }

// Wants tells the kinds measured.
func (m *meter) Wants() messages.Filter {
	return messages.FilterOf(messages.KindSpeechEnd, messages.KindFinal)
}

// Send notes an end of speech or measures a final.
func (m *meter) Send(e messages.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Kind == messages.KindSpeechEnd {
		if len(m.ends) >= maxOpenEnds {
			clear(m.ends) // utterances without words have no final
		}
		m.ends[e.Subject] = time.Now()
		return
	}
	if at, ok := m.ends[e.Subject]; ok {
		delete(m.ends, e.Subject)
		m.metrics.FinalDelay.Observe(time.Since(at).Seconds())
	}
}
