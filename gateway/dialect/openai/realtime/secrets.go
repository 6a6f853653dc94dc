package realtime

import (
	"encoding/json"
	"net/http"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
	"steno/gateway/web"
)

const (
	secretsPath = "/v1/realtime/client_secrets"
	olderPath   = "/v1/realtime/transcription_sessions" // the older name, for settings in the older form
)

// How long a client secret lasts, in seconds.
const (
	usualLife    = 600
	shortestLife = 10
	longestLife  = 7200
)

// service makes client secrets.
type service struct{ dialect.Services }

func newHTTP(s dialect.Services) dialect.HTTP {
	own := service{s}
	return dialect.HTTP{Refuse: openai.Refuse, Failure: openai.Refusal{}, Routes: []dialect.Route{
		{Method: "POST", Path: secretsPath, Bare: true, Needs: dialect.NeedOwn, Handle: own.makeSecret,
			Summary: "Make a key for one client"},
		{Method: "POST", Path: olderPath, Bare: true, Needs: dialect.NeedOwn, Handle: own.makeOlder,
			Summary: "Make a key for one client, by its older name"},
	}}
}

// wanted is a request for a client secret.
type wanted struct {
	Session json.RawMessage `json:"session"`
	After   *struct {
		Seconds *int `json:"seconds"`
	} `json:"expires_after"`
}

// life returns how long the secret lasts.
func (q *wanted) life() (time.Duration, error) {
	seconds := usualLife
	if q.After != nil && q.After.Seconds != nil {
		seconds = *q.After.Seconds
	}
	if seconds < shortestLife || seconds > longestLife {
		return 0, openai.Invalid("expires_after.seconds", "must be from 10 to 7200")
	}
	return time.Duration(seconds) * time.Second, nil
}

// made is a client secret.
type made struct {
	Value   string `json:"value"`
	Expires int64  `json:"expires_at"` // seconds since 1970
}

// create makes a secret for settings, and returns these as clients read them.
func (s service) create(r *http.Request, q *wanted, session json.RawMessage, older bool) (made, map[string]any, error) {
	life, err := q.life()
	if err != nil {
		return made{}, nil, err
	}
	first := defaults()
	if session != nil && !isNull(session) {
		if err := first.update(session, true); err != nil {
			return made{}, nil, err
		}
	} else {
		session = nil
	}
	token, expires, err := s.Grant(r, "realtime", life)
	if err != nil {
		return made{}, nil, err
	}
	return made{makeSecret(token, session), expires.Unix()}, first.describe(newSession(), older), nil
}

// makeSecret answers with a secret for settings.
func (s service) makeSecret(w http.ResponseWriter, r *http.Request) error {
	q, err := s.read(w, r)
	if err != nil {
		return err
	}
	secret, session, err := s.create(r, &q.wanted, q.Session, false)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusOK, struct {
		made
		Session map[string]any `json:"session"`
	}{secret, session})
	return nil
}

// makeOlder answers a request in the older form, which has the settings themselves.
func (s service) makeOlder(w http.ResponseWriter, r *http.Request) error {
	q, err := s.read(w, r)
	if err != nil {
		return err
	}
	secret, session, err := s.create(r, &q.Secret, q.body, true)
	if err != nil {
		return err
	}
	session["client_secret"] = secret
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusOK, session)
	return nil
}

// request is a request in either form.
type request struct {
	wanted
	Secret wanted `json:"client_secret"`
	body   json.RawMessage
}

// read reads a request; one without a body is for the settings of a client that sends none.
func (s service) read(w http.ResponseWriter, r *http.Request) (q request, err error) {
	body, err := web.ReadBody(w, r, min(s.MaxBody, maxSettings))
	if err != nil {
		return q, err
	}
	if len(body) == 0 {
		body = []byte("{}")
	}
	if !isObject(body) || json.Unmarshal(body, &q) != nil {
		return q, openai.Invalid("session", "must be an object")
	}
	q.body = body
	return q, nil
}
