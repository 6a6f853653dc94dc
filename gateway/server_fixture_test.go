package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"steno/audio/media"
	"steno/audio/process/confine"
	"steno/gateway/audit"
	"steno/gateway/outbound"
	"steno/messages"
	"steno/session/addon/addontest"
	"steno/session/asr"
	"steno/session/asr/scripted"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

func TestMain(m *testing.M) {
	confine.Enter()
	goleak.VerifyTestMain(m)
}

const testKey = "key-of-the-test"

// patience bounds every wait of a test on a real network.
const patience = 4 * time.Minute

// testServer is a gateway with a real store and the scripted recognizer, on a real server.
type testServer struct {
	t         testing.TB
	dir       string
	change    func(*Config)
	engines   *engines
	providers addontest.Providers
	diarizer  asr.Diarizer
	store     *embedded.Store
	cramped   atomic.Bool                   // the store has no room left
	wrap      func(store.Store) store.Store // what the gateway has instead of the store; nil: the store
	server    *Server
	http      *httptest.Server
	lines     *logLines        // of the log
	outbound  *outbound.Client // nil: the gateway's own
	media     *media.Decoder
	audit     *audit.Log
	log       zerolog.Logger
}

// newTestServer returns a gateway that ends with the test. What a test changes of it with set is
// there when it starts.
func newTestServer(t *testing.T, change func(*Config), set ...func(*testServer)) *testServer {
	t.Helper()
	r := &testServer{t: t, dir: embeddedtest.Folder(t), change: change,
		engines: &engines{asr: scripted.New(scripted.Config{})}, lines: &logLines{}}
	r.log = zerolog.New(r.lines)
	for _, f := range set {
		f(r)
	}
	r.start()
	t.Cleanup(r.stop)
	return r
}

// crampedStore is a store that may have no room left.
type crampedStore struct {
	store.Store
	cramped *atomic.Bool
}

func (s crampedStore) Free(ctx context.Context) (int64, error) {
	if s.cramped.Load() {
		return 0, nil
	}
	return s.Store.Free(ctx)
}

func (r *testServer) start() {
	r.t.Helper()
	cfg := Config{Keys: []Key{{Text: testKey}}}
	cfg.Limits.FetchPatience = time.Millisecond
	if r.change != nil {
		r.change(&cfg)
	}
	var err error
	if r.store, err = embedded.OpenWith(r.t.Context(), r.dir,
		embedded.Options{ResumeWindow: cfg.Limits.ResumeWindow}); err != nil {
		r.t.Fatal(err)
	}
	var used store.Store = crampedStore{r.store, &r.cramped}
	if r.wrap != nil {
		used = r.wrap(used)
	}
	if r.server, err = New(cfg, Deps{Store: used, Engines: r.engines, Addons: r.providers.Table(),
		Diarizer: r.diarizer, Outbound: r.outbound, Media: r.media, Audit: r.audit,
		Log: r.log}); err != nil {
		r.t.Fatal(err)
	}
	r.http = httptest.NewServer(r.server.handler)
}

func (r *testServer) stop() {
	r.t.Helper()
	if r.server == nil {
		return
	}
	if err := r.server.Close(); err != nil {
		r.t.Error(err)
	}
	r.http.Close()
	if err := r.store.Close(); err != nil {
		r.t.Error(err)
	}
	r.server = nil
}

// restart stops the gateway and starts another on the same data.
func (r *testServer) restart() {
	r.t.Helper()
	r.stop()
	r.start()
}

// answer is the answer to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (r *testServer) do(method, path, body string, headers ...string) answer {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, r.http.URL+path, bytes.NewBufferString(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("x-service-key", testKey)
	for i := 0; i+1 < len(headers); i += 2 {
		if req.Header.Del(headers[i]); headers[i+1] != "" {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	resp, err := r.http.Client().Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, got}
}

// serve answers a request without a network.
func (r *testServer) serve(req *http.Request, body string) answer {
	req.Body = io.NopCloser(bytes.NewBufferString(body))
	req.Header.Set("x-service-key", testKey)
	rec := httptest.NewRecorder()
	r.server.handler.ServeHTTP(rec, req)
	return answer{rec.Code, rec.Header(), rec.Body.Bytes()}
}

// create opens a live session and returns its id and the address of its socket.
func (r *testServer) create(body string) (id, url string) {
	r.t.Helper()
	a := r.do("POST", "/v2/live", body)
	var got struct{ ID, URL string }
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated {
		r.t.Fatalf("create: %d %s", a.status, a.body)
	}
	return got.ID, got.URL
}

func (r *testServer) job(id string) messages.Job {
	r.t.Helper()
	a := r.do("GET", "/v2/live/"+id, "")
	var job messages.Job
	if err := json.Unmarshal(a.body, &job); err != nil || a.status != http.StatusOK {
		r.t.Fatalf("job: %d %s", a.status, a.body)
	}
	return job
}

// endedJob returns the job once it is finished.
func (r *testServer) endedJob(id string) (job messages.Job) {
	r.t.Helper()
	waitUntil(r.t, "the job has ended", func() bool {
		job = r.job(id)
		return job.Status == messages.StatusDone || job.Status == messages.StatusError
	})
	return job
}

// result returns the result of a session once its record has it. Clients of other services may have
// their last answer before that.
func (r *testServer) result(id string) messages.LiveResult {
	r.t.Helper()
	job := r.endedJob(id)
	var result messages.LiveResult
	if job.Result == nil {
		r.t.Fatalf("job has no result: %+v", job)
	}
	if err := json.Unmarshal(job.Result, &result); err != nil {
		r.t.Fatal(err)
	}
	return result
}

// recording returns the audio of the job's file, without its header.
func (r *testServer) recording(id string) []byte {
	r.t.Helper()
	a := r.do("GET", "/v2/live/"+id+"/file", "")
	if a.status != http.StatusOK || len(a.body) < 44 || string(a.body[:4]) != "RIFF" {
		r.t.Fatalf("file: %d, %d bytes", a.status, len(a.body))
	}
	return a.body[44:]
}

// gatedRecognizer is a recognizer that returns no final until its gate is opened.
type gatedRecognizer struct {
	asr.Recognizer
	gate   chan struct{}
	opened *atomic.Int64 // utterances
}

func newGatedRecognizer() gatedRecognizer {
	return gatedRecognizer{scripted.New(scripted.Config{}), make(chan struct{}), new(atomic.Int64)}
}

func (g gatedRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := g.Recognizer.Open(ctx, p)
	g.opened.Add(1)
	return gatedUtterance{u, ctx, g.gate}, err
}

type gatedUtterance struct {
	asr.Stream
	ctx  context.Context
	gate chan struct{}
}

func (u gatedUtterance) Recv() (asr.Result, error) {
	result, err := u.Stream.Recv()
	if !result.Final {
		return result, err
	}
	select {
	case <-u.gate:
		return result, err
	case <-u.ctx.Done():
		return asr.Result{}, u.ctx.Err()
	}
}

// newGatedServer returns a test server whose sessions get no finals until the gate is closed.
func newGatedServer(t *testing.T) (*testServer, chan struct{}) {
	t.Helper()
	g := newGatedRecognizer()
	r := newTestServer(t, nil, func(r *testServer) { r.engines.asr = g })
	return r, g.gate
}

// awaitStatus waits until a job has the status.
func (r *testServer) awaitStatus(id string, want messages.Status) {
	r.t.Helper()
	waitUntil(r.t, "the job is "+string(want), func() bool { return r.job(id).Status == want })
}

// waitUntil waits for a condition that other goroutines bring about. It polls ever less often,
// which leaves them the processor.
func waitUntil(t testing.TB, what string, done func() bool) {
	t.Helper()
	for began := time.Now(); !done(); {
		waited := time.Since(began)
		if waited > patience {
			t.Fatalf("waited in vain until %s", what)
		}
		time.Sleep(min(max(waited/8, 5*time.Millisecond), 50*time.Millisecond))
	}
}

// logLines is the gateway's log. It may be read while the gateway writes.
type logLines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logLines) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Reset()
}
