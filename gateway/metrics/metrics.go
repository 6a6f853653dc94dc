// Package metrics holds the metrics of the gateway, all in one place as operators see them.
package metrics

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// The reasons for [Metrics.Drop].
const (
	DropPartialReplaced = "partial_replaced" // by a newer one of its utterance, before it was sent
	DropPartialFull     = "partial_full"     // a partial for which a slow client's outbox has no room
	DropOverflow        = "overflow"         // a socket whose client is too slow for what must be sent
	DropStalled         = "stalled"          // a socket that took no bytes for too long, or answered no ping
	DropUnfinished      = "unfinished"       // a socket that began a message and did not continue it
	// a socket for whose messages, in or out, all sockets together have no room
	DropOverload        = "overload"
	DropCallbackFull    = "callback_full"    // a partial or ack for the callback, while the outbox is slow
	DropCallbackEnd     = "callback_end"     // an ack or refusal for the callback after the session's end
	DropAnswerStalled   = "answer_stalled"   // a connection whose client takes an answer too slowly
	DropBodyStalled     = "body_stalled"     // a request whose body comes too slowly
	DropSubscriberLag   = "subscriber_lag"   // a subscriber that is too slow left the fan-out and reads the log itself
	DropSubscriberFull  = "subscriber_full"  // a partial or ack for subscribers that are slow
	DropSubscriberStale = "subscriber_stale" // a partial for subscribers that the log has overtaken
	DropWaiting         = "waiting"          // an ack or refusal while too many events wait to be durable
	DropLate            = "late"             // an event for a socket that is being closed: sent on the next one
)

// Cancelled is the label of cancelled sessions and jobs, in place of an error code.
const Cancelled = "cancelled"

// Metrics are the gateway's metrics. Its methods may be called from any goroutine.
type Metrics struct {
	Registry *prometheus.Registry // of all metrics; other parts may register theirs

	SessionsCreated prometheus.Counter
	SessionsEnded   *prometheus.CounterVec // by outcome
	SessionsOpen    prometheus.Gauge
	SessionsAdopted prometheus.Counter
	SessionsMoved   prometheus.Counter
	SocketsOpen     prometheus.Gauge
	SocketsAccepted prometheus.Counter
	SocketCloses    *prometheus.CounterVec // by code
	SocketsReplaced prometheus.Counter
	Resumes         *prometheus.CounterVec // by whether the audio sent again matched
	AudioBytes      prometheus.Counter
	Acks            prometheus.Counter
	PacedSeconds    prometheus.Counter
	HeldSeconds     prometheus.Counter
	dropped         *prometheus.CounterVec // by reason
	RequestsRefused *prometheus.CounterVec // by status

	Connections        prometheus.Gauge
	ConnectionsRefused *prometheus.CounterVec // by reason

	Admission *Admission
	Accounts  *Accounts

	FinalDelay prometheus.Histogram
	stages     *prometheus.HistogramVec // by result and stage

	Callbacks        *prometheus.CounterVec // attempts, by outcome
	CallbacksPending prometheus.Gauge
	CallbackTime     prometheus.Histogram

	SubscribersOpen  *prometheus.GaugeVec // by transport
	SubscriberEvents prometheus.Counter

	JobsEnded   *prometheus.CounterVec // by error code
	JobsWorking *prometheus.GaugeVec   // by stage

	AddonFailures *prometheus.CounterVec // by add-on
	unheard       *prometheus.CounterVec // by engine
	noise         *prometheus.CounterVec // by engine
	Panics        *prometheus.CounterVec // by where they were recovered
	Damages       prometheus.Counter
}

// New returns metrics in a registry of their own, with those of the process and of Go's runtime.
func New() *Metrics {
	m := &Metrics{Registry: prometheus.NewRegistry()}
	m.SessionsCreated = m.counter("sessions_created_total", "Live sessions created.")
	m.SessionsEnded = m.vector("sessions_ended_total",
		"Live sessions ended, by error code; 0 is success, cancelled has none.", "code")
	m.SessionsOpen = m.gauge("sessions_open", "Live sessions that are not finished.")
	m.SessionsAdopted = m.counter("sessions_adopted_total",
		"Live sessions taken up because they were due and no node held them.")
	m.SessionsMoved = m.counter("sessions_moved_total", "Live sessions that another node has taken.")
	m.SocketsOpen = m.gauge("sockets_open", "WebSockets open now.")
	m.SocketsAccepted = m.counter("sockets_total", "WebSockets accepted.")
	m.SocketCloses = m.vector("socket_closes_total", "WebSockets closed by the server, by close code.", "code")
	m.SocketsReplaced = m.counter("sockets_replaced_total", "WebSockets replaced by a newer one.")
	m.Resumes = m.vector("resumes_total",
		"Resumed recordings, by whether what was sent again fitted; unsure: at several places.", "fits")
	m.AudioBytes = m.counter("audio_bytes_total", "Audio bytes received, those sent again included.")
	m.Acks = m.counter("acks_total", "Acknowledgments sent.")
	m.HeldSeconds = m.counter("audio_held_seconds_total",
		"Time in which sockets were not read because too much of their audio was not durable yet.")
	m.PacedSeconds = m.counter("audio_paced_seconds_total",
		"Time in which sockets were not read because their audio came too fast.")
	m.dropped = m.vector("dropped_total", "What was dropped for clients that are slow or hold too much, by reason.",
		"reason")
	m.RequestsRefused = m.vector("requests_refused_total", "Requests answered with an error, by status.", "status")
	m.Connections = m.gauge("connections_open", "Connections of clients, WebSockets included.")
	m.ConnectionsRefused = m.vector("connections_refused_total", "Connections refused, by whose limit was reached.",
		"reason")
	m.Callbacks = m.vector("callbacks_total", "Attempts at callbacks, by what came of them.", "outcome")
	m.CallbacksPending = m.gauge("callbacks_pending", "Callbacks that wait, at most 10000, counted every 15 s.")
	m.CallbackTime = prometheus.NewHistogram(prometheus.HistogramOpts{
		Namespace: "steno", Name: "callback_seconds", Help: "Time that receivers took for callbacks they accepted.",
		Buckets: prometheus.ExponentialBuckets(0.005, 2, 12),
	})
	m.Registry.MustRegister(m.CallbackTime)
	m.FinalDelay = prometheus.NewHistogram(prometheus.HistogramOpts{
		Namespace: "steno", Name: "final_delay_seconds",
		Help:    "From the decision that an utterance has ended to its final.",
		Buckets: prometheus.ExponentialBuckets(0.01, 2, 12),
	})
	m.newStages()
	m.newAdmission()
	m.newAccounts()
	m.SubscribersOpen = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "steno", Name: "subscribers_open", Help: "Subscribers that follow sessions now, by transport.",
	}, []string{"transport"})
	m.Registry.MustRegister(m.SubscribersOpen)
	m.SubscriberEvents = m.counter("subscriber_events_total", "Events sent to subscribers.")
	m.JobsEnded = m.vector("recorded_ended_total",
		"Recorded files ended, by error code; 0 is success, cancelled has none.", "code")
	m.Panics = m.vector("panics_total",
		"Faults of the program that ended one session, job or request, by where they were recovered.", "in")
	m.Damages = m.counter("store_damages_total", "What the store has found not to be as it was written.")
	m.AddonFailures = m.vector("addon_failures_total",
		"What add-ons failed for, an utterance or a whole text, by add-on.", "addon")
	m.unheard = m.vector("unheard_total",
		"Finals without words of utterances in which speech was heard, each answer counted, by engine.", "engine")
	m.noise = m.vector("noise_total", "Finals whose words were left out since hardly any speech was heard, by engine.",
		"engine")
	m.JobsWorking = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "steno", Name: "recorded_working", Help: "Recorded files being worked on, by stage.",
	}, []string{"stage"})
	m.initialize()
	m.Registry.MustRegister(m.JobsWorking, m.FinalDelay, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *Metrics) counter(name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: "steno", Name: name, Help: help})
	m.Registry.MustRegister(c)
	return c
}

func (m *Metrics) gauge(name, help string) prometheus.Gauge {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "steno", Name: name, Help: help})
	m.Registry.MustRegister(g)
	return g
}

// GaugeFunc registers a gauge whose value is asked for each time that the metrics are read.
func (m *Metrics) GaugeFunc(name, help string, value func() float64) {
	m.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "steno", Name: name, Help: help},
		value))
}

func (m *Metrics) vector(name, help string, labels ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "steno", Name: name, Help: help}, labels)
	m.Registry.MustRegister(v)
	return v
}

// Audit registers the counters of the lines that the audit log has lost, as lost tells: those for
// which there was no room, and those that could not be written.
func (m *Metrics) Audit(lost func() (full, unwritten int64)) {
	count := func(reason string, value func() float64) {
		m.Registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: "steno", Name: "audit_lost_total", Help: "Lines that are missing in the audit log, by reason.",
			ConstLabels: prometheus.Labels{"reason": reason},
		}, value))
	}
	count("full", func() float64 { full, _ := lost(); return float64(full) })
	count("write", func() float64 { _, unwritten := lost(); return float64(unwritten) })
}

// Unheard counts a final without words of an utterance in which speech was heard, by the engine
// that gave it.
func (m *Metrics) Unheard(engine string) { m.unheard.WithLabelValues(engine).Inc() }

// Noise counts a final whose words were left out since hardly any speech was heard, by the engine
// that gave it.
func (m *Metrics) Noise(engine string) { m.noise.WithLabelValues(engine).Inc() }

// Drop counts something that was dropped, by one of the Drop constants.
func (m *Metrics) Drop(reason string) { m.dropped.WithLabelValues(reason).Inc() }

// DropMany counts n drops for a reason.
func (m *Metrics) DropMany(reason string, n int) {
	if n > 0 {
		m.dropped.WithLabelValues(reason).Add(float64(n))
	}
}
