package subscribers

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"steno/gateway/internal/pipenet"
	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds whatever a test waits for on a real network.
const patience = 90 * time.Second

// testServer serves subscriptions of a real store over a real network.
type testServer struct {
	t       testing.TB
	store   store.Store
	service *Service
	http    *httptest.Server
	metrics *metrics.Metrics
	flight  web.InFlight
	network *pipenet.Listener // nil: a real one

	mu        sync.Mutex
	principal web.Principal // of all requests
}

// newTestServer returns a server. change may change its configuration, and the store that the
// service sees.
func newTestServer(t testing.TB, change func(*Config)) *testServer {
	t.Helper()
	st, err := embedded.Open(t.Context(), embeddedtest.Folder(t))
	must(t, err)
	return newNode(t, st, change)
}

// newNode is newTestServer with a store, which it closes at the end.
func newNode(t testing.TB, st store.Store, change func(*Config)) *testServer {
	t.Helper()
	return newNodeOn(t, nil, st, change)
}

// newNodeOn is newNode on a network; nil: a real one.
func newNodeOn(t testing.TB, network *pipenet.Listener, st store.Store, change func(*Config)) *testServer {
	t.Helper()
	s := &testServer{t: t, store: st, metrics: metrics.New(), network: network}
	s.principal = web.Principal{Account: "acme", Key: sha256.Sum256([]byte("key")), Scopes: store.AllScopes}
	log := zerolog.Nop()
	c := Config{
		Store: st, Limits: limits.Limits{}.WithDefaults(), InFlight: &s.flight,
		HasKey:  func(web.KeyHash) bool { return true },
		Metrics: s.metrics, Recoverer: recovery.New(log, s.metrics.Panics), Log: log,
	}
	if change != nil {
		change(&c)
	}
	s.service = New(c)
	s.service.checkEvery = 200 * time.Millisecond
	s.service.Start()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v2/live/{id}/events", s.handle(s.service.FollowSession))
	mux.HandleFunc("GET /v2/events", s.handle(s.service.FollowAccount))
	s.http = httptest.NewUnstartedServer(mux)
	s.http.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if c, ok := c.(*net.TCPConn); ok {
			_ = c.SetWriteBuffer(32 << 10) // so that readers which stand still are noticed
		}
		return ctx
	}
	if network != nil {
		_ = s.http.Listener.Close()
		s.http.Listener = network
	}
	s.http.Start()
	t.Cleanup(s.close)
	return s
}

func (s *testServer) handle(h web.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		p := s.principal
		s.mu.Unlock()
		if err := h(w, web.WithPrincipal(r, p)); err != nil {
			web.WriteJSON(w, web.AsProblem(err).Status, web.AsProblem(err).Message)
		}
	}
}

func (s *testServer) close() {
	s.flight.Close()
	s.service.Halt()
	grace := time.AfterFunc(2*time.Second, s.service.Cut)
	s.flight.Wait()
	grace.Stop()
	s.service.Close()
	s.http.CloseClientConnections()
	s.http.Close()
	if err := s.store.Close(); err != nil {
		s.t.Error(err)
	}
	s.service.mu.Lock()
	defer s.service.mu.Unlock()
	if len(s.service.hubs)+len(s.service.subscriptions)+len(s.service.ofKey) > 0 {
		s.t.Errorf("left are %d hubs, %d subscriptions", len(s.service.hubs), len(s.service.subscriptions))
	}
}

// as changes who makes the requests that follow.
func (s *testServer) as(change func(*web.Principal)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.principal)
}

// testSession is a session that logs events.
type testSession struct {
	*testServer
	id        string
	live      store.Live
	publisher *Publisher
	ended     chan struct{} // closed by ends

	mu  sync.Mutex
	log []messages.Event
}

// testSession begins a session of the account.
func (s *testServer) testSession(id string) *testSession {
	s.t.Helper()
	must(s.t, s.store.Create(s.t.Context(), store.Record{
		ID: id, Account: "acme", Kind: messages.JobLive, Status: messages.StatusProcessing, Version: messages.Version,
		CreatedAt: time.Now(), Channels: 1,
		Params: []byte(`{"messages_config":{"receive_final_transcripts":true,"receive_speech_events":true,"receive_acknowledgments":true}}`),
	}))
	l, err := s.store.Claim(s.t.Context(), id, store.IfFree)
	must(s.t, err)
	return &testSession{testServer: s, id: id, live: l, publisher: NewPublisher(s.store, id),
		ended: make(chan struct{})}
}

// logs logs an event whose body has its kind and subject, padded to a size.
func (k *testSession) logs(kind messages.Kind, subject string, size int) {
	k.t.Helper()
	e := messages.Event{Key: messages.Key{Kind: kind, Subject: subject}}
	e.Body = fmt.Appendf(nil, `{"session_id":%q,"type":%q,"subject":%q,"pad":%q}`, k.id, kind, subject,
		strings.Repeat("x", size))
	seq, fresh, err := k.live.AppendEvent(context.Background(), e, -1, nil)
	if err != nil || !fresh {
		k.t.Errorf("log: %v, %t", err, fresh)
	}
	e.Seq = seq
	k.mu.Lock()
	k.log = append(k.log, e)
	k.mu.Unlock()
	k.publisher.Send(e)
}

// emitPartial emits a partial, if it is wanted.
func (k *testSession) emitPartial(subject, text string) bool {
	if !k.publisher.Wants().Has(messages.KindPartial) {
		return false
	}
	k.publisher.Send(messages.Event{
		Key:  messages.Key{Kind: messages.KindPartial, Subject: subject},
		Body: fmt.Appendf(nil, `{"session_id":%q,"type":"transcript","subject":%q,"text":%q}`, k.id, subject, text),
	})
	return true
}

// ends finishes the session.
func (k *testSession) ends() {
	k.t.Helper()
	must(k.t, k.live.Finish(context.Background(), store.Outcome{}))
	k.logs(messages.KindEndSession, "", 0)
	must(k.t, k.live.Close())
	close(k.ended)
}

// bodies are the texts of the events of the log that a filter wants.
func (k *testSession) bodies(wants messages.Filter) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var all []string
	for _, e := range k.log {
		if wants.Has(e.Kind) {
			all = append(all, string(e.Body))
		}
	}
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// received is one message as a client gets it.
type received struct{ id, event, data string }

// listener is a client of a subscription.
type listener interface {
	// next returns the next message; io.EOF after the last one.
	next() (received, error)
	close()
}

// eventSource is a client of server-sent events.
type eventSource struct {
	response *http.Response
	lines    *bufio.Reader
	comments int
	cancel   context.CancelFunc
	client   *http.Client
}

// client returns an HTTP client on the server's network.
func (s *testServer) client() *http.Client {
	if s.network != nil {
		return &http.Client{Transport: &http.Transport{DialContext: s.network.Dial}}
	}
	return &http.Client{Transport: &http.Transport{}}
}

// open opens a subscription of server-sent events.
func (s *testServer) open(path string, headers ...string) (*eventSource, int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	r, err := http.NewRequestWithContext(ctx, "GET", s.http.URL+path, nil)
	must(s.t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	client := s.client()
	response, err := client.Do(r)
	if err != nil {
		cancel()
		s.t.Error(err)
		return nil, 0
	}
	e := &eventSource{response: response, lines: bufio.NewReaderSize(response.Body, 4096), cancel: cancel,
		client: client}
	s.t.Cleanup(e.close)
	return e, response.StatusCode
}

func (e *eventSource) next() (received, error) {
	var got received
	for {
		line, err := e.lines.ReadString('\n')
		if err != nil {
			return got, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "id":
			got.id = value
		case "event":
			got.event = value
		case "data":
			got.data = value
		case "":
			if strings.HasPrefix(line, ":") {
				e.comments++
			}
			if got.data != "" {
				return got, nil
			}
		}
	}
}

func (e *eventSource) close() {
	e.cancel()
	_ = e.response.Body.Close()
	e.client.CloseIdleConnections()
}

// webSocket is a client of a WebSocket.
type webSocket struct {
	conn   *websocket.Conn
	ctx    context.Context
	cancel context.CancelFunc
	code   websocket.StatusCode // with which the server closed
}

// dial opens a WebSocket.
func (s *testServer) dial(path string) *webSocket {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	conn, _, err := websocket.Dial(ctx, s.http.URL+path, &websocket.DialOptions{HTTPClient: s.client()})
	if err != nil {
		cancel()
		s.t.Error(err)
		return nil
	}
	conn.SetReadLimit(-1)
	w := &webSocket{conn: conn, ctx: ctx, cancel: cancel}
	s.t.Cleanup(w.close)
	return w
}

func (w *webSocket) next() (received, error) {
	_, data, err := w.conn.Read(w.ctx)
	if w.code = websocket.CloseStatus(err); w.code > 0 {
		err = io.EOF
	}
	return received{data: string(data)}, err
}

func (w *webSocket) close() {
	_ = w.conn.CloseNow()
	w.cancel()
}

// all reads a subscription to its end, without notices.
func all(t testing.TB, l listener) []string {
	t.Helper()
	var list []string
	for {
		got, err := l.next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Errorf("after %d messages: %v", len(list), err)
			return list
		}
		if !strings.Contains(got.data, `"subscription_`) {
			list = append(list, got.data)
		}
	}
}

// waitUntil waits for something that other goroutines bring about.
func waitUntil(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}
