package gateway

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// The reasons for which something is dropped.
const (
	dropPartialReplaced = "partial_replaced" // by a newer one of its utterance, before it was sent
	dropPartialFull     = "partial_full"     // a partial for which a slow client's outbox has no room
	dropOverflow        = "overflow"         // a socket whose client is too slow for what must be sent
	dropStalled         = "stalled"          // a socket that took no bytes for too long, or answered no ping
	dropUnfinished      = "unfinished"       // a socket that began a message and did not go on with it
	dropOverload        = "overload"         // a socket for whose messages, in or out, all sockets together have no room
	dropCallbackFull    = "callback_full"    // a partial or ack for the callback, while the outbox is slow
	dropAnswerStalled   = "answer_stalled"   // a connection whose client takes an answer too slowly
	dropBodyStalled     = "body_stalled"     // a request whose body comes too slowly
	dropLate            = "late"             // an event for a socket that is being closed: sent on the next one
)

// cancelled stands in the place of an error code for what was cancelled.
const cancelled = "cancelled"

// metrics are what operators watch.
type metrics struct {
	registry *prometheus.Registry

	created  prometheus.Counter
	ended    *prometheus.CounterVec // by outcome
	open     prometheus.Gauge
	sockets  prometheus.Gauge
	accepted prometheus.Counter
	closes   *prometheus.CounterVec // by code
	replaced prometheus.Counter
	resumes  *prometheus.CounterVec // by what was found
	bytes    prometheus.Counter
	acks     prometheus.Counter
	paced    prometheus.Counter
	dropped  *prometheus.CounterVec // by reason
	refused  *prometheus.CounterVec // by status

	connections        prometheus.Gauge
	connectionsRefused *prometheus.CounterVec // by reason

	finals prometheus.Histogram

	callbacks        *prometheus.CounterVec // claims, by outcome
	callbacksPending prometheus.Gauge
	callbackTime     prometheus.Histogram

	recorded *prometheus.CounterVec // jobs, by outcome
	working  *prometheus.GaugeVec   // those being worked on, by stage

	addonFailures *prometheus.CounterVec // by add-on
	panics        *prometheus.CounterVec // by where they were recovered
}

func newMetrics() *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	m.created = m.counter("sessions_created_total", "Live sessions created.")
	m.ended = m.vector("sessions_ended_total", "Live sessions ended, by error code; 0 is success, cancelled has none.", "code")
	m.open = m.gauge("sessions_open", "Live sessions that are not finished.")
	m.sockets = m.gauge("sockets_open", "WebSockets open now.")
	m.accepted = m.counter("sockets_total", "WebSockets accepted.")
	m.closes = m.vector("socket_closes_total", "WebSockets closed by the server, by close code.", "code")
	m.replaced = m.counter("sockets_replaced_total", "WebSockets replaced by a newer one.")
	m.resumes = m.vector("resumes_total", "Resumed recordings, by whether what was sent again fitted.", "fits")
	m.bytes = m.counter("audio_bytes_total", "Audio bytes received, those sent again included.")
	m.acks = m.counter("acks_total", "Acknowledgments sent.")
	m.paced = m.counter("audio_paced_seconds_total", "Time in which sockets were not read because their audio came too fast.")
	m.dropped = m.vector("dropped_total", "What was dropped for clients that are slow or hold too much, by reason.", "reason")
	m.refused = m.vector("requests_refused_total", "Requests answered with an error, by status.", "status")
	m.connections = m.gauge("connections_open", "Connections of clients, WebSockets included.")
	m.connectionsRefused = m.vector("connections_refused_total", "Connections refused, by whose limit was reached.", "reason")
	m.callbacks = m.vector("callbacks_total", "Attempts at callbacks, by what came of them.", "outcome")
	m.callbacksPending = m.gauge("callbacks_pending", "Callbacks that wait, at most 10000, counted every 15 s.")
	m.callbackTime = prometheus.NewHistogram(prometheus.HistogramOpts{
		Namespace: "steno", Name: "callback_seconds", Help: "Time that receivers took for callbacks they accepted.",
		Buckets: prometheus.ExponentialBuckets(0.005, 2, 12),
	})
	m.registry.MustRegister(m.callbackTime)
	m.finals = prometheus.NewHistogram(prometheus.HistogramOpts{
		Namespace: "steno", Name: "final_delay_seconds", Help: "From speech_end to the final of the utterance.",
		Buckets: prometheus.ExponentialBuckets(0.01, 2, 12),
	})
	m.recorded = m.vector("recorded_ended_total", "Recorded files ended, by error code; 0 is success, cancelled has none.", "code")
	m.panics = m.vector("panics_total", "Faults of the program that ended one session, job or request, by where they were recovered.", "in")
	m.addonFailures = m.vector("addon_failures_total", "What add-ons failed for, an utterance or a whole text, by add-on.", "addon")
	m.working = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "steno", Name: "recorded_working", Help: "Recorded files being worked on, by stage.",
	}, []string{"stage"})
	m.registry.MustRegister(m.working, m.finals, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: "steno", Name: name, Help: help})
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) gauge(name, help string) prometheus.Gauge {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "steno", Name: name, Help: help})
	m.registry.MustRegister(g)
	return g
}

// measure publishes what is asked for when the metrics are.
func (m *metrics) measure(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "steno", Name: name, Help: help}, value))
}

func (m *metrics) vector(name, help, label string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "steno", Name: name, Help: help}, []string{label})
	m.registry.MustRegister(v)
	return v
}

func (m *metrics) drop(reason string) { m.dropped.WithLabelValues(reason).Inc() }
