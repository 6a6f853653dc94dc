package live

import (
	"time"

	"steno/gateway/metrics"
	"steno/messages"
)

// measureSent measures how long a partial or final took from being emitted in this process to being
// written to a socket.
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
