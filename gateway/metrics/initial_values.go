package metrics

import "github.com/prometheus/client_golang/prometheus"

// initialize makes the counters and gauges of label values that are known beforehand, at 0: so a
// rate counts the first increment too, and dashboards find their metrics before anything has
// happened. Other values may follow.
func (m *Metrics) initialize() {
	for vector, values := range map[*prometheus.CounterVec][]string{
		m.SessionsEnded: {"0", Cancelled},
		m.SocketCloses:  {"1000", "1012"},
		m.Resumes:       {"true", "false", "unsure"},
		m.dropped: {
			DropPartialReplaced, DropPartialFull, DropOverflow, DropStalled, DropUnfinished, DropOverload,
			DropCallbackFull,
			DropCallbackEnd, DropAnswerStalled, DropBodyStalled, DropSubscriberLag, DropSubscriberFull,
			DropSubscriberStale, DropWaiting, DropLate,
		},
		m.RequestsRefused:    {"429", "503"},
		m.ConnectionsRefused: {"all", "address"},
		m.Callbacks:          {"delivered", "failed", "dead", "postponed"},
		m.JobsEnded:          {"0", Cancelled},
		m.Panics:             {"request", "session", "socket", "job", "callback", "task"},
	} {
		for _, v := range values {
			vector.WithLabelValues(v)
		}
	}
	for vector, values := range map[*prometheus.GaugeVec][]string{
		m.SubscribersOpen: {"sse", "websocket"},
		m.JobsWorking:     {"fetching", "transcribing", "waiting", "addons"},
	} {
		for _, v := range values {
			vector.WithLabelValues(v)
		}
	}
}
