package gateway

import (
	"strings"
	"sync"
	"time"

	"steno/gateway/metrics"
	"steno/messages"
	"steno/session"
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
func (m *meter) Send(e session.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	utterance := e.Key[strings.LastIndexByte(e.Key, '/')+1:]
	if e.Kind == messages.KindSpeechEnd {
		if len(m.ends) >= maxOpenEnds {
			clear(m.ends) // utterances without words have no final
		}
		m.ends[utterance] = time.Now()
		return
	}
	if at, ok := m.ends[utterance]; ok {
		delete(m.ends, utterance)
		m.metrics.FinalDelay.Observe(time.Since(at).Seconds())
	}
}
