package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"steno/gateway/outbound"
)

// receiver is a server that callbacks are sent to.
type receiver struct {
	url    string
	refuse atomic.Bool // answers 500

	mu   sync.Mutex
	got  []callback
	ids  []string
	news chan struct{}
}

type callback struct {
	ID, Event string
	Payload   json.RawMessage
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{news: make(chan struct{}, 1)}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL + "/hook?secret=hunter2"
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	var c callback
	if err == nil {
		err = json.Unmarshal(body, &c)
	}
	if err != nil || req.Method != http.MethodPost || r.refuse.Load() {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	r.mu.Lock()
	r.got = append(r.got, c)
	r.ids = append(r.ids, req.Header.Get("webhook-id"))
	r.mu.Unlock()
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// await waits for a callback of the event and returns all so far.
func (r *receiver) await(t *testing.T, event string) []callback {
	t.Helper()
	end := time.After(patience)
	for {
		r.mu.Lock()
		got := slices.Clone(r.got)
		r.mu.Unlock()
		if slices.ContainsFunc(got, func(c callback) bool { return c.Event == event }) {
			return got
		}
		select {
		case <-r.news:
		case <-end:
			t.Fatalf("no %s among %d callbacks", event, len(got))
		}
	}
}

// callbackServer is a test server that may send to this machine.
func callbackServer(t *testing.T) *testServer {
	t.Helper()
	client := outbound.New(true)
	t.Cleanup(func() { _ = client.Close() })
	r := newTestServer(t, func(c *Config) { c.Callbacks.FirstRetry = time.Millisecond }, func(r *testServer) {
		r.outbound = client
	})
	return r
}
