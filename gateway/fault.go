package gateway

import (
	"steno/gateway/recovery"
	"steno/session/panics"
)

// guard does the work of one of the socket's goroutines. A panic ends the recording as a failure, with what there is; the
// client comes back for that.
func (k *socket) guard(work func()) {
	err := panics.Try(work)
	if err == nil {
		return
	}
	k.cut()
	if !k.session.Break(err) { // else it is told when the session has ended
		k.server.recoverer.Report(recovery.Socket, k.entry.id, err)
	}
}
