package streaming

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai"
	"steno/gateway/web"
	"steno/messages"
)

// The life of a temporary token, in seconds.
const (
	usualLife   = 60
	longestLife = 600
)

// newHTTP returns the operation that makes tokens, with which browsers connect that must not know a
// key.
func newHTTP(s dialect.Services) dialect.HTTP {
	return dialect.HTTP{Refuse: assemblyai.Refuse, Failure: assemblyai.Refusal{}, Credential: credential,
		Routes: []dialect.Route{{
			Method: http.MethodGet, Path: "/v3/token", Bare: true, Needs: dialect.NeedOwn,
			Summary: "Make a token for streaming", Query: []string{"expires_in_seconds", "token"},
			Gives: []dialect.Body{dialect.BodyOf(granted{})}, Refuses: []int{http.StatusBadRequest},
			Handle: func(w http.ResponseWriter, r *http.Request) error { return grant(s, w, r) },
		}}}
}

// granted is a token.
type granted struct {
	Token string `json:"token"`
	Life  int    `json:"expires_in_seconds"`
}

// grant answers with a token of the request's key.
func grant(s dialect.Services, w http.ResponseWriter, r *http.Request) error {
	life, err := lifeOf(r.URL.Query())
	if err != nil {
		return err
	}
	token, _, err := s.Grant(r, "AssemblyAI", time.Duration(life)*time.Second)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, granted{token, life})
	return nil
}

// lifeOf returns how many seconds a token is to last.
func lifeOf(query url.Values) (int, error) {
	text := query.Get("expires_in_seconds")
	if text == "" {
		return usualLife, nil
	}
	seconds, err := strconv.Atoi(text)
	if err != nil || seconds < 1 || seconds > longestLife {
		return 0, messages.Invalid("expires_in_seconds", "must be a whole number from 1 to "+strconv.Itoa(longestLife))
	}
	return seconds, nil
}
