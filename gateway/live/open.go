package live

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"steno/gateway/client"
	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// refusal returns the error of a handler in the form of a dialect.
func refusal(d dialect.Dialect, err error) error {
	if d.Refuse == nil {
		return err
	}
	return &web.Formed{Err: err, Write: d.Refuse}
}

// open reads the request for a WebSocket, checks its credential, and makes the session that it asks
// for.
func (s *door) open(d dialect.Dialect, w http.ResponseWriter, r *http.Request) (opening, error) {
	begins, err := d.Open(r)
	if err != nil {
		return opening{}, err
	}
	o := opening{
		Connection: client.Connection{
			Request: strings.Clone(web.RequestID(r)), Terms: begins.Terms,
			Parser: begins.Parser, Encoder: begins.Encoder,
		},
		begins: begins, trail: web.TrailOf(r),
	}
	start := begins.Start
	if start != nil && start.Request == nil {
		o.start(start)
		return o, nil
	}
	// the values of the request are kept until the session is made
	o.late = r.WithContext(context.WithoutCancel(r.Context()))
	if begins.Credential != "" || !begins.Late && (start == nil || start.Credential == "") {
		if err := s.identify(&o, begins.Credential); err != nil {
			return o, err
		}
	}
	if start == nil { // refused before the WebSocket is accepted where that is certain
		if begins.Credential == "" {
			return o, nil
		}
		return o, s.room(web.PrincipalOf(o.late))
	}
	return o, s.make(w, &o, start)
}

// identify authenticates the client's credential.
func (s *door) identify(o *opening, credential string) error {
	p, err := s.cfg.Authenticate(o.late, credential)
	if err == nil {
		o.late = web.WithPrincipal(o.late, p)
		o.trail.Identify(&p)
	}
	return err
}

// make makes the session that a client asks for. Its errors are problems.
func (s *door) make(w http.ResponseWriter, o *opening, start *dialect.Start) error {
	if start.Credential != "" || o.begins.Credential == "" && o.begins.Late {
		if err := s.identify(o, start.Credential); err != nil {
			return err
		}
	}
	r := *o.late
	r.URL = &url.URL{Path: r.URL.Path} // its query is the dialect's
	made, err := s.create(w, &r, start.Request, o.begins.Terms.Grace)
	if err != nil {
		return err
	}
	o.start(start)
	o.token, o.made, o.late = made.Token, &made, nil
	o.trail.Concern(made.ID)
	return nil
}

// makeLate is make for a client whose WebSocket is accepted.
func (s *door) makeLate(o *opening, start *dialect.Start) error {
	err := s.make(unseen{http.Header{}}, o, start)
	if err == nil {
		return nil
	}
	p := web.AsProblem(err)
	o.trail.Done(p.Status)
	event := s.cfg.Log.Info()
	if p.Status == http.StatusInternalServerError {
		event = s.cfg.Log.Error()
	}
	event.Str("request_id", o.Request).Int("status", p.Status).Str("reason", p.Message).AnErr("cause", p.Err).
		Msg("late start refused")
	return &misspoken{dialect.Ending{Why: dialect.Refused, Status: p.Status, Detail: reason(p)}}
}

// unseen discards the answer to a request that was answered already.
type unseen struct{ header http.Header }

func (u unseen) Header() http.Header         { return u.header }
func (u unseen) Write(p []byte) (int, error) { return len(p), nil }
func (u unseen) WriteHeader(int)             {}

// reason returns the text of a problem for the client.
func reason(p *messages.Problem) string {
	if len(p.ValidationErrors) > 0 {
		return p.ValidationErrors[0]
	}
	return p.Message
}
