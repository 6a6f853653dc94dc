package gateway

import (
	"steno/session/panics"
)

// Where panics are recovered, as metrics name it.
const (
	faultRequest  = "request"
	faultSession  = "session"
	faultSocket   = "socket"
	faultJob      = "job"
	faultCallback = "callback"
	faultTask     = "task" // of the gateway's own
)

// guard does work at the edge of a goroutine: a panic ends what id names, and nothing else. It tells whether there was none.
func (s *Server) guard(where, id string, work func()) bool {
	err := panics.Try(work)
	if err != nil {
		s.fault(where, id, err)
	}
	return err == nil
}

// fault counts and logs a panic that was recovered, with the stack. Other errors are not its business.
func (s *Server) fault(where, id string, err error) {
	p := panics.In(err)
	if p == nil {
		return
	}
	s.metrics.Panics.WithLabelValues(where).Inc()
	s.log.Error().Str("in", where).Str("id", id).Err(err).Str("stack", string(p.Stack)).Msg("panic recovered")
}

// guard does the work of one of the socket's goroutines. A panic ends the recording as a failure, with what there is; the
// client comes back for that.
func (k *socket) guard(work func()) {
	err := panics.Try(work)
	if err == nil {
		return
	}
	k.cut()
	if !k.session.Break(err) { // else it is told when the session has ended
		k.server.fault(faultSocket, k.entry.id, err)
	}
}
