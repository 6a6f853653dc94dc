// Package recovery recovers panics at the edges of the gateway's goroutines, and counts and logs
// each of them once.
package recovery

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"steno/session/panics"
)

// Where panics are recovered, as metrics and the log name it.
const (
	Request  = "request"
	Session  = "session"
	Socket   = "socket"
	Job      = "job"
	Callback = "callback"
	Task     = "task" // of the gateway itself
)

// Recoverer runs work whose panics must end nothing but this work. Its methods may be called from
// any goroutine.
type Recoverer struct {
	log    zerolog.Logger
	panics *prometheus.CounterVec // by where
}

// New returns a Recoverer that logs panics and counts them by where they were recovered.
func New(log zerolog.Logger, panics *prometheus.CounterVec) *Recoverer {
	return &Recoverer{log: log, panics: panics}
}

// Run does work and reports whether it returned. A panic is recovered and reported; id names what
// it ends.
func (r *Recoverer) Run(where, id string, work func()) bool {
	err := panics.Try(work)
	if err != nil {
		r.Report(where, id, err)
	}
	return err == nil
}

// Report counts and logs the panic that err wraps, with its stack. It ignores an error that wraps
// none.
func (r *Recoverer) Report(where, id string, err error) {
	p := panics.In(err)
	if p == nil {
		return
	}
	r.panics.WithLabelValues(where).Inc()
	r.log.Error().Str("in", where).Str("id", id).Err(err).Str("stack", string(p.Stack)).Msg("panic recovered")
}
