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
	refuses := []int{http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge}
	return dialect.HTTP{Refuse: openai.Refuse, Failure: openai.Refusal{}, Routes: []dialect.Route{
		{Method: "POST", Path: secretsPath, Bare: true, Needs: dialect.NeedOwn, Handle: own.makeSecret,
			Summary: "Make a key for one client",
			Takes:   []dialect.Body{dialect.BodyOf(secretRequest{})}, Bodiless: true,
			Gives: []dialect.Body{dialect.BodyOf(secretMade{})}, Refuses: refuses},
		{Method: "POST", Path: olderPath, Bare: true, Needs: dialect.NeedOwn, Handle: own.makeOlder,
			Summary: "Make a key for one client, by its older name",
			Takes:   []dialect.Body{dialect.BodyOf(olderRequest{})}, Bodiless: true,
			Gives: []dialect.Body{dialect.BodyOf(olderMade{})}, Refuses: refuses},
	}}
}

// secretRequest asks for a client secret.
type secretRequest struct {
	Session dialect.Raw[sessionSettings] `json:"session"`
	After   *expiry                      `json:"expires_after"`
}

// olderRequest is one in the older form, which has the settings themselves.
type olderRequest struct {
	sessionSettings
	Secret secretRequest `json:"client_secret"`
}

// expiry is when a client secret ends.
type expiry struct {
	Anchor  string `json:"anchor" enum:"created_at"`
	Seconds *int   `json:"seconds" default:"600" minimum:"10" maximum:"7200"`
}

// life returns how long the secret lasts.
func (q *secretRequest) life() (time.Duration, error) {
	if q.After != nil && q.After.Anchor != "" && q.After.Anchor != "created_at" {
		return 0, openai.Invalid("expires_after.anchor", `must be "created_at"`)
	}
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

// secretMade is a client secret with the settings that it is bound to.
type secretMade struct {
	made
	Session session `json:"session"`
}

// olderMade is one in the older form.
type olderMade struct {
	olderSession
	Secret made `json:"client_secret"`
}

// create makes a secret for settings as a client writes them, and returns these.
func (s service) create(r *http.Request, q *secretRequest, asked json.RawMessage) (made, settings, error) {
	first := defaults()
	life, err := q.life()
	if err != nil {
		return made{}, first, err
	}
	if isNull(asked) {
		asked = nil
	}
	if asked != nil {
		if err := first.update(asked, true); err != nil {
			return made{}, first, err
		}
	}
	token, expires, err := s.Grant(r, "realtime", life)
	if err != nil {
		return made{}, first, err
	}
	return made{makeSecret(token, asked), expires.Unix()}, first, nil
}

// makeSecret answers with a secret for settings.
func (s service) makeSecret(w http.ResponseWriter, r *http.Request) error {
	var q secretRequest
	if _, err := s.read(w, r, &q); err != nil {
		return err
	}
	secret, first, err := s.create(r, &q, q.Session.RawMessage)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusOK, secretMade{secret, first.session(newSession())})
	return nil
}

// makeOlder answers a request in the older form.
func (s service) makeOlder(w http.ResponseWriter, r *http.Request) error {
	var q olderRequest
	body, err := s.read(w, r, &q)
	if err != nil {
		return err
	}
	secret, first, err := s.create(r, &q.Secret, body)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusOK, olderMade{first.olderSession(newSession()), secret})
	return nil
}

// read reads a request, and returns its body; one without a body is for the settings of a client
// that sends none.
func (s service) read(w http.ResponseWriter, r *http.Request, q any) (body []byte, err error) {
	if body, err = web.ReadBody(w, r, min(s.MaxBody, maxSettings)); err != nil {
		return nil, err
	}
	if len(body) == 0 {
		body = []byte("{}")
	}
	if !isObject(body) || json.Unmarshal(body, q) != nil {
		return nil, openai.Invalid("session", "must be an object")
	}
	return body, nil
}
