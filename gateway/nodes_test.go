package gateway

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/jobs"
	"steno/gateway/limits"
	"steno/messages"
	"steno/session/addon/addontest"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

// beside returns another gateway over the same store, which the test must stop with leave.
func (w *bubble) beside(name string) *bubble {
	w.t.Helper()
	other := &bubble{t: w.t, store: w.store, config: w.config}
	other.config.Jobs.Node = name
	other.serve()
	return other
}

// leave stops a gateway whose store stays open.
func (w *bubble) leave() {
	w.t.Helper()
	if err := w.server.Close(); err != nil {
		w.t.Error(err)
	}
	if err := <-w.served; err != nil {
		w.t.Error(err)
	}
}

// A client that connects to another node continues there; its old socket is closed as replaced.
func TestClientComesToAnotherNode(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		other := w.beside("other")
		defer other.leave()
		id, url := w.create()
		first, second := w.call(url), call(t, url)
		sound := speech(4, 1)
		if err := first.send(sound[:32000]); err != nil {
			t.Fatal(err)
		}
		first.ackedTo(32000)
		second.acked = 32000
		second.mustConnectTo(other)
		if code := first.end(); code != 4409 {
			t.Errorf("the old socket is closed with %d, want 4409", code)
		}
		if err := second.send(sound[32000:64000]); err != nil {
			t.Fatal(err)
		}
		second.ackedTo(64000)
		first.acked = 64000
		first.mustConnectTo(w) // and back
		if code := second.end(); code != 4409 {
			t.Errorf("the second socket is closed with %d, want 4409", code)
		}
		if err := first.send(sound[64000:]); err != nil {
			t.Fatal(err)
		}
		if err := first.stop(); err != nil {
			t.Fatal(err)
		}
		if code := first.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
		if got := w.job(id); got.Status != messages.StatusDone || *got.File.AudioDuration != 4 {
			t.Errorf("job %+v", got)
		}
		time.Sleep(time.Minute)
		for name, server := range map[string]*Server{"first": w.server, "other": other.server} {
			if n := server.live.Connected(); n != 0 {
				t.Errorf("the %s node has %d sockets", name, n)
			}
		}
	})
}

// A session whose first socket connects to another node is dropped by the node that made it, and
// ended by none early.
func TestSessionMadeElsewhere(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		other := w.beside("other")
		defer other.leave()
		id, url := w.create()
		c := call(t, url)
		c.mustConnectTo(other)
		if err := c.send(speech(2, 1)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(64000)
		time.Sleep(90 * time.Second) // beyond the time for a first socket
		if got := w.job(id).Status; got != messages.StatusProcessing {
			t.Fatalf("status %s", got)
		}
		c.hangUp()
		w.after(id, 30*time.Second, messages.StatusProcessing, messages.StatusDone)
	})
}

// A node that drains hands its sessions over one after the other; the others finish those whose
// clients do not reconnect.
func TestDrainHandsSessionsOver(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		other := w.beside("other")
		defer other.leave()
		time.Sleep(5 * time.Second) // they know each other
		var ids []string
		var clients []*caller
		for range 4 {
			id, url := other.create()
			c := call(t, url)
			c.mustConnectTo(other)
			if err := c.send(speech(1, 1)); err != nil {
				t.Fatal(err)
			}
			c.ackedTo(32000)
			ids, clients = append(ids, id), append(clients, c)
		}
		began := time.Now()
		drained := make(chan struct{})
		go func() {
			defer close(drained)
			other.server.Drain(context.Background())
		}()
		synctest.Wait()
		if status := other.do("GET", "/readyz", "", nil); status != 503 {
			t.Errorf("ready at once: %d", status)
		}
		if n := other.server.live.Connected(); n != 4 {
			t.Errorf("%d sockets at first", n)
		}
		time.Sleep(14 * time.Second)
		if n := other.server.live.Connected(); n == 0 || n == 4 {
			t.Errorf("%d sockets in the midst", n)
		}
		<-drained
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("drained after %s", took)
		}
		for i, c := range clients {
			if code := c.end(); code != websocket.StatusServiceRestart {
				t.Errorf("client %d: close code %d", i, code)
			}
		}
		back := clients[0]
		back.mustConnectTo(w)
		if err := back.stop(); err != nil {
			t.Fatal(err)
		}
		if code := back.end(); code != 1000 {
			t.Errorf("close code %d", code)
		}
		time.Sleep(time.Minute)
		for _, id := range ids {
			if got := w.job(id); got.Status != messages.StatusDone || *got.File.AudioDuration != 1 {
				t.Errorf("job %+v", got)
			}
		}
	})
}

// A drain ends with the last socket, and does not wait for sessions without one.
func TestDrainEndsWithTheLastSocket(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		other := w.beside("other")
		defer other.leave()
		time.Sleep(5 * time.Second) // they know each other
		for range 3 {
			other.create() // never connected
		}
		_, url := other.create()
		c := call(t, url)
		c.mustConnectTo(other)
		if err := c.send(speech(1, 1)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(32000)
		began := time.Now()
		other.server.Drain(context.Background())
		if code := c.end(); code != websocket.StatusServiceRestart {
			t.Errorf("close code %d", code)
		}
		if took := time.Since(began); took > 10*time.Second { // a quarter of the limit, for load balancers
			t.Errorf("drained after %s", took)
		}
	})
}

func TestSessionsOfAllNodesCountForTheirKey(t *testing.T) {
	inBubbleWith(t, limits.Limits{KeySessions: 3, NeverConnected: time.Hour}, func(t *testing.T, w *bubble) {
		other := w.beside("other")
		defer other.leave()
		for range 2 {
			other.create()
		}
		time.Sleep(5 * time.Second)
		w.create()
		var refused messages.ErrorBody
		if status := w.do("POST", "/v2/live", `{}`, &refused); status != 429 {
			t.Errorf("status %d, want 429", status)
		}
	})
}

// awayStore is a store that can be out of reach, and full of audio.
type awayStore struct {
	store.Store
	*outage
}

// outage selects what a store fails to do.
type outage struct {
	away atomic.Bool
	full atomic.Pointer[chan struct{}]
	mute atomic.Bool // logs cannot be read
}

// inAwayBubble runs a test in a bubble whose store fails as the outage selects.
func inAwayBubble(t *testing.T, test func(t *testing.T, w *bubble, o *outage)) {
	synctest.Test(t, func(t *testing.T) {
		var o outage
		w := &bubble{t: t, dir: embeddedtest.Folder(t), change: func(d *Deps) { d.Store = awayStore{d.Store, &o} }}
		w.start()
		defer w.stop()
		test(t, w, &o)
	})
}

func (s awayStore) err() error {
	if s.away.Load() {
		return fmt.Errorf("ask the server: %w", store.ErrAway)
	}
	return nil
}

func (s awayStore) Ping(ctx context.Context) error {
	if err := s.err(); err != nil {
		return err
	}
	return s.Store.Ping(ctx)
}

func (s awayStore) Create(ctx context.Context, r store.Record) error {
	if err := s.err(); err != nil {
		return err
	}
	return s.Store.Create(ctx, r)
}

func (s awayStore) Report(ctx context.Context, node string, counts map[string]int64,
	ttl time.Duration) (map[string]int64, error) {
	if err := s.err(); err != nil {
		return nil, err
	}
	return s.Store.Report(ctx, node, counts, ttl)
}

func (s awayStore) ByToken(ctx context.Context, hash []byte) (store.Record, error) {
	if err := s.err(); err != nil {
		return store.Record{}, err
	}
	return s.Store.ByToken(ctx, hash)
}

func (s awayStore) Claim(ctx context.Context, id string, intent store.Intent) (store.Live, error) {
	if err := s.err(); err != nil {
		return nil, err
	}
	l, err := s.Store.Claim(ctx, id, intent)
	return awayLive{l, s}, err
}

type awayLive struct {
	store.Live
	store awayStore
}

func (l awayLive) Events(ctx context.Context, after int64, limit int) ([]messages.Event, error) {
	if l.store.mute.Load() {
		return nil, store.ErrAway
	}
	return l.Live.Events(ctx, after, limit)
}

func (l awayLive) Full() <-chan struct{} {
	if c := l.store.full.Load(); c != nil {
		return *c
	}
	return nil
}

func TestStoreIsAway(t *testing.T) {
	inAwayBubble(t, func(t *testing.T, w *bubble, o *outage) {
		_, url := w.create()
		c := w.call(url)
		sound := speech(10, 1)
		if err := c.send(sound[:32000]); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(32000)

		room := make(chan struct{})
		o.full.Store(&room)
		o.away.Store(true)
		resp, err := w.request("POST", "/v2/live", `{}`, testKey)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") != "5" {
			t.Errorf("create: %d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
		}
		time.Sleep(2 * time.Second)
		if status := w.do("GET", "/healthz", "", nil); status != 200 {
			t.Errorf("alive: %d", status)
		}
		if status := w.do("GET", "/readyz", "", nil); status != 200 { // others do not reach it either
			t.Errorf("ready: %d", status)
		}
		if code := w.call(url).end(); code != 1013 {
			t.Errorf("another socket: close code %d, want 1013", code)
		}
		sent := make(chan error, 1)
		go func() {
			for at := 32000; at < len(sound); at += 3200 {
				c.mu.Lock()
				c.kept = append(c.kept, sound[at:at+3200]...)
				c.mu.Unlock()
				if err := c.conn.Write(context.Background(), websocket.MessageBinary, sound[at:at+3200]); err != nil {
					sent <- err
					return
				}
			}
			sent <- nil
		}()
		time.Sleep(5 * time.Minute) // the client is held back, and nothing ends it
		if acked := c.acknowledged(); acked > 32000+2*3200 {
			t.Errorf("%d bytes were taken while there was no room", acked)
		}
		o.full.Store(nil)
		close(room)
		o.away.Store(false)
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		c.ackedTo(int64(len(sound)))
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
	})
}

// A client that was refused while the store was out of reach still has its resume window
// afterwards.
func TestOutageIsNotAwaited(t *testing.T) {
	inAwayBubble(t, func(t *testing.T, w *bubble, o *outage) {
		id, url := w.create()
		c := w.call(url)
		if err := c.send(speech(1, 1)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(32000)
		o.away.Store(true)
		c.hangUp()
		time.Sleep(2 * time.Minute)
		o.away.Store(false)
		time.Sleep(27 * time.Second)
		if got := w.job(id).Status; got != messages.StatusProcessing {
			t.Errorf("%s within the resume window", got)
		}
		time.Sleep(5 * time.Second)
		if got := w.job(id).Status; got != messages.StatusDone {
			t.Errorf("%s after the resume window", got)
		}
	})
}

// uploadsAway is a store whose recordings are out of reach a number of times.
type uploadsAway struct {
	store.Store
	left *atomic.Int64
}

func (s uploadsAway) OpenUpload(ctx context.Context, account, id string) (store.UploadFile, error) {
	if s.left.Add(-1) >= 0 {
		return nil, fmt.Errorf("open upload: %w", store.ErrAway)
	}
	return s.Store.OpenUpload(ctx, account, id)
}

// A job whose recording is out of reach more often than a job has attempts waits for it.
func TestJobAwaitsStore(t *testing.T) {
	const outages = 2 * store.MaxAttempts
	var left atomic.Int64
	left.Store(outages)
	front := func(s *embedded.Store) store.Store { return uploadsAway{s, &left} }
	inJobBubble(t, Config{Jobs: jobs.Config{Workers: 1}}, addontest.Providers{}, front,
		func(t *testing.T, w jobBubble) {
			id := w.createJob("")
			w.checkStatus(messages.StatusProcessing, id)
			w.pass(outages * 3 * time.Second)
			w.checkStatus(messages.StatusDone, id)
			if n := left.Load(); n != -1 {
				t.Errorf("the recording was opened %d times", outages-n)
			}
		})
}

// A socket that connects while the log cannot be read is refused for now; the session is
// nevertheless finished in time.
func TestLogIsAway(t *testing.T) {
	inAwayBubble(t, func(t *testing.T, w *bubble, o *outage) {
		id, url := w.create()
		c := w.call(url)
		if err := c.send(speech(2, 1)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(64000)
		o.mute.Store(true)
		lost := time.Now()
		if code := w.call(url).end(); code != 1013 {
			t.Errorf("close code %d, want 1013", code)
		}
		if code := c.end(); code != 4409 {
			t.Errorf("the former socket is closed with %d, want 4409", code)
		}
		o.mute.Store(false)
		w.after(id, 30*time.Second-time.Since(lost), messages.StatusProcessing, messages.StatusDone)
	})
}

func (c *caller) acknowledged() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.acked
}
