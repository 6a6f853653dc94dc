package streaming

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"steno/gateway/dialect"
	"steno/messages"
)

// A token lives as long as is asked for, within its bounds.
func TestTokens(t *testing.T) {
	var life time.Duration
	route := newHTTP(dialect.Services{
		Grant: func(_ *http.Request, _ string, l time.Duration) (string, time.Time, error) {
			life = l
			return "t", time.Time{}, nil
		},
	}).Routes[0]
	for query, want := range map[string]time.Duration{
		"": time.Minute, "?expires_in_seconds=600&max_session_duration_seconds=60": 10 * time.Minute,
		"?expires_in_seconds=0": 0, "?expires_in_seconds=601": 0, "?expires_in_seconds=x": 0,
	} {
		life = 0
		w := httptest.NewRecorder()
		err := route.Handle(w, httptest.NewRequest("GET", "/v3/token"+query, nil))
		if p, ok := errors.AsType[*messages.Problem](err); life != want || ok != (want == 0) || ok && p.Status != 400 {
			t.Errorf("%q: %v, %v", query, life, err)
		}
		if want > 0 && w.Code != http.StatusOK {
			t.Errorf("%q: %d %s", query, w.Code, w.Body)
		}
	}
}
