package records

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// Readers of one result have one copy of it, those of another result of the same job another, and
// nothing stays when all have gone.
func TestResultsAreShared(t *testing.T) {
	c := newResults(100, 100)
	hold := func(job, text string) (*result, *byte) {
		r := store.Record{ID: job, Result: json.RawMessage(text)}
		held := c.hold(&r, "key", 0)
		return held, &r.Result[0]
	}
	first, bytes := hold("a", `{"x":1}`)
	second, same := hold("a", `{"x":1}`)
	newer, other := hold("a", `{"x":2}`)
	if bytes != same || bytes == other || first != second || first == newer {
		t.Error("results are not shared as they are equal")
	}
	for want, r := range map[string]*result{"1": first, "2": newer} {
		if parts, err := r.object(); err != nil || string(parts["x"]) != want {
			t.Errorf("%q, %v", parts, err)
		}
	}
	if _, err := (&result{text: json.RawMessage("{")}).object(); err == nil {
		t.Error("what is no JSON has parts")
	}
	for _, r := range []*result{first, newer, second} {
		r.letGo()
	}
	if len(c.all) != 0 || c.room.Held() != 0 {
		t.Errorf("%d results are left, %d bytes", len(c.all), c.room.Held())
	}
}

// resultStore is a store of results, each of so many bytes, that counts those that are found.
type resultStore struct {
	store.Store
	bytes int
	found atomic.Int64
}

func (s *resultStore) Get(_ context.Context, account, id string) (store.Record, error) {
	s.found.Add(1)
	return store.Record{
		ID: id, Account: account, Kind: messages.JobPreRecorded, Status: messages.StatusDone,
		Params:              json.RawMessage(`{}`),
		PostSessionMetadata: json.RawMessage(`{}`), Result: json.RawMessage(`"` + id + strings.Repeat("x", s.bytes) +
			`"`),
	}, nil
}

// slowClient takes an answer when it is let.
type slowClient struct {
	*httptest.ResponseRecorder
	let <-chan struct{}
}

func (c slowClient) Write(p []byte) (int, error) {
	<-c.let
	return c.ResponseRecorder.Write(p)
}

// get begins to read a job for a client of a key.
func get(s *Service, w http.ResponseWriter, id string, key byte) error {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.SetPathValue("id", id)
	r = web.WithPrincipal(r, web.Principal{Account: "acme", Key: [32]byte{key}})
	return s.Get(AnyKind)(w, r)
}

// TestSlowReadersOfManyResults has twenty clients read a large result each and take none of it: so
// many are held as there is room for, the others wait without theirs, a client of another key does
// not, and all are answered in the end.
func TestSlowReadersOfManyResults(t *testing.T) {
	const readers, size, share = 20, 1 << 20, 4<<20 + 4096
	synctest.Test(t, func(t *testing.T) {
		kept := &resultStore{bytes: size}
		s := New(Deps{Store: kept})
		s.results = newResults(2*share, share)
		let := make(chan struct{})
		clients := map[string]*httptest.ResponseRecorder{}
		var all sync.WaitGroup
		for range readers {
			id := uuid.NewString()
			clients[id] = httptest.NewRecorder()
			client := slowClient{clients[id], let}
			all.Go(func() {
				if err := get(s, client, id, 1); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if n := len(s.results.all); n != share/size || s.results.room.Held() > share {
			t.Errorf("%d results are held, %d bytes", n, s.results.room.Held())
		}
		for _, r := range s.results.all {
			if len(r.text) < size {
				t.Errorf("a result of %d bytes is held", len(r.text))
			}
		}
		other := httptest.NewRecorder()
		if err := get(s, other, uuid.NewString(), 2); err != nil || other.Body.Len() < size {
			t.Errorf("a client of another key gets %d bytes, %v", other.Body.Len(), err)
		}
		close(let)
		all.Wait()
		for id, client := range clients {
			if !strings.Contains(client.Body.String(), `"`+id+"xxx") {
				t.Errorf("the client of %s gets %.100s", id, client.Body)
			}
		}
		if s.results.room.Held() != 0 || len(s.results.all) != 0 {
			t.Errorf("%d bytes are left", s.results.room.Held())
		}
		if n := kept.found.Load(); n > 2*readers+2 {
			t.Errorf("%d results were read", n)
		}
	})
}

// TestWaitingForResultsEnds refuses clients for which there is no room for long, and holds nothing
// for them.
func TestWaitingForResultsEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Deps{Store: &resultStore{bytes: 1000}})
		s.results = newResults(2000, 2000)
		let := make(chan struct{})
		ended := make(chan error, 2)
		for range 2 {
			client := slowClient{httptest.NewRecorder(), let}
			go func() { ended <- get(s, client, uuid.NewString(), 1) }()
			synctest.Wait()
		}
		var p *messages.Problem
		if err := <-ended; !errors.As(err, &p) || p.Status != http.StatusServiceUnavailable {
			t.Errorf("%v", err)
		}
		close(let)
		if err := <-ended; err != nil || s.results.room.Held() != 0 {
			t.Errorf("%v; %d bytes are left", err, s.results.room.Held())
		}
	})
}
