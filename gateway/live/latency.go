package live

import (
	"sync"
	"time"

	"steno/gateway/metrics"
	"steno/messages"
)

// measureSent measures how long a result that was emitted in this process took until it was written to a socket.
func measureSent(m *metrics.Metrics, finals *delays, e *messages.Event) {
	if e.Emitted.IsZero() {
		return
	}
	switch e.Kind {
	case messages.KindPartial:
		m.Stage(metrics.ResultPartial, metrics.StageSent, time.Since(e.Emitted))
	case messages.KindFinal:
		took := time.Since(e.Emitted)
		m.Stage(metrics.ResultFinal, metrics.StageSent, took)
		finals.send(e.Subject, took)
	}
}

// maxOpenEnds bounds the utterances that a finalLatency remembers.
const maxOpenEnds = 256

// finalLatency is a sink that measures how long finals take, from the end of speech. It is safe for concurrent use.
type finalLatency struct {
	metrics *metrics.Metrics

	mu   sync.Mutex
	ends map[string]time.Time // of speech, by utterance; nil before the first
}

func newFinalLatency(m *metrics.Metrics) *finalLatency {
	return &finalLatency{metrics: m}
}

// Wants returns the kinds that are measured.
func (m *finalLatency) Wants() messages.Filter {
	return messages.FilterOf(messages.KindSpeechEnd, messages.KindFinal)
}

// Send notes an end of speech or measures a final.
func (m *finalLatency) Send(e messages.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Kind == messages.KindSpeechEnd {
		if m.ends == nil || len(m.ends) >= maxOpenEnds {
			m.ends = map[string]time.Time{} // utterances without words have no final
		}
		m.ends[e.Subject] = time.Now()
		return
	}
	if at, ok := m.ends[e.Subject]; ok {
		delete(m.ends, e.Subject)
		m.metrics.FinalDelay.Observe(time.Since(at).Seconds())
	}
}
