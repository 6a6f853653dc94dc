package gateway

import (
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"

	"steno/gateway/audit"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// action is what the audit log calls an operation.
type action string

const (
	// unaudited states that an operation neither reads nor changes what people said or who may do
	// what. The audit log has those of its requests that are refused for their credential.
	unaudited action = "-"
	// refused stands for these.
	refused action = "refused"
	// connects is the opening of a live session's socket.
	connects action = "live.connect"
)

// trail returns the trail of a request of a principal, which err has refused; nil: it is not
// audited.
func (o *operation) trail(r *http.Request, p *web.Principal, err error) *web.Trail {
	log, does, socket := o.server.deps.Audit, o.action, o.needs.socket && web.IsUpgrade(r)
	if socket {
		does = connects
	}
	if does == unaudited && isRefusal(err) {
		does = refused
	}
	kept := o.server.auditKept
	if log == nil && kept == nil || does == unaudited {
		return nil
	}
	line := audit.Line{Action: string(does), Method: web.MethodName(r.Method), RequestID: web.RequestID(r)}
	if client := o.server.proxies.Client(r); client.IsValid() {
		line.Address = client.String()
	}
	if id, err := uuid.Parse(r.PathValue("id")); err == nil { // nothing else that a client put there
		line.Object = id.String()
	}
	return web.NewTrail(p, socket, func(who *web.Principal, object string, status int) {
		line := line // each has its own
		if object != "" && object != line.Object {
			line.Object, line.In = object, line.Object
		}
		line.Time, line.Status = time.Now().UTC(), status
		line.Account, line.Token, line.Credential = who.Account, who.TokenID, credentialKind(who)
		if who.Account != "" {
			line.Key = store.ShortHash(who.Key[:])
		}
		log.Write(&line)
		kept.Write(&line)
	})
}

// keepAudit begins the audit log in the store of a server; nil: it is not there.
func keepAudit(s *Server) *audit.Kept {
	if s.cfg.AuditKeep.Keep == 0 {
		return nil
	}
	return audit.Keep(s.deps.Store, s.cfg.AuditKeep, func(err error) {
		s.log.Error().Err(err).Msg("audit log is incomplete")
	})
}

// lostLines returns how many lines the audit log in the file lacks, and that in the store.
func lostLines(file *audit.Log, kept *audit.Kept) func() (full, unwritten int64) {
	return func() (full, unwritten int64) {
		full, unwritten = file.Lost()
		moreFull, moreUnwritten := kept.Lost()
		return full + moreFull, unwritten + moreUnwritten
	}
}

// isRefusal reports whether an error refuses a request for its credential.
func isRefusal(err error) bool {
	var p *messages.Problem
	return errors.As(err, &p) && p.Status < http.StatusInternalServerError
}

// credentialKind returns what a principal's request carries; empty: nothing that is known.
func credentialKind(p *web.Principal) string {
	switch {
	case p.Account == "":
		return ""
	case p.Session:
		return "session"
	case p.Ticket:
		return "ticket"
	case p.SignedIn:
		return "console"
	case p.IsShare():
		return "share link"
	case p.IsToken():
		return "token"
	}
	return "key"
}
