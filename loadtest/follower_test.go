package loadtest

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// talkative is a server that sends a final to the client of a session, and nothing yet to its
// followers.
func talkative(t *testing.T) http.Handler {
	const final = `{"type":"transcript","data":{"id":"00_00000000","is_final":true,"utterance":{"start":0,"end":0.1,"text":"one"}}}`
	accept := func(w http.ResponseWriter, r *http.Request, say string) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.CloseNow() //nolint:errcheck // the client has left
		if say != "" {
			_ = conn.Write(r.Context(), websocket.MessageText, []byte(say))
		}
		for {
			if _, _, err := conn.Read(r.Context()); err != nil {
				return
			}
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v2/live", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"id":"one","url":"ws://127.0.0.1:1/v2/live?token=one"}`))
	})
	mux.HandleFunc("GET /v2/live", func(w http.ResponseWriter, r *http.Request) { accept(w, r, final) })
	mux.HandleFunc("GET /v2/live/{id}/events", func(w http.ResponseWriter, r *http.Request) { accept(w, r, "") })
	mux.HandleFunc("DELETE /v2/live/{id}", func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
	})
	return mux
}

func TestFollowersThatAreCutMissNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		o := Options{
			URL: "http://127.0.0.1:1", Clips: []*Clip{noise("one", mono16, time.Minute, 1)}, Sessions: 1,
			Subscribers: 2, dial: serveInMemory(t, talkative(t)),
		}
		r, err := Run(ctx, o)
		if err == nil || !r.Interrupted || r.Finals != 1 || r.Unfollowed != 0 || !r.OK() {
			t.Errorf("finals %d, missed by followers %d, errors %v, error %v", r.Finals, r.Unfollowed, r.Errors, err)
		}
	})
}
