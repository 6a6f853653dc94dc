package endtoend_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	hookSecret   = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcyEhISE="
	chaosKills   = 5
	chaosClients = 3
	chaosLimit   = 8 * time.Minute
)

// TestCallbacksOverKills has a receiver that fails half of the time, and a gateway that is killed
// every couple of seconds while clients speak. Afterwards the receiver has every message that the
// records hold, in their order, and saw repeats only under the same id, and only until it said yes.
func TestCallbacksOverKills(t *testing.T) {
	if testing.Short() {
		t.Skip("builds, starts and kills the programs, takes most of a minute")
	}
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), chaosLimit)
	defer cancel()
	hooks := newHooks(t)
	g := newGateway(t, build(t), "scripted", "STENO_ALLOW_PRIVATE=true", "STENO_CALLBACKS_SECRET="+hookSecret,
		"STENO_CALLBACKS_FIRST_RETRY=20ms", "STENO_CALLBACKS_LONGEST_RETRY=400ms")

	speaking, hush := context.WithCancel(ctx)
	defer hush()
	var clients sync.WaitGroup
	pcm := babble(t).pcm
	for i := range chaosClients {
		clients.Go(func() {
			for n := uint64(0); speaking.Err() == nil; n++ {
				s := speaker{g: g, hooks: hooks, r: rand.New(rand.NewPCG(uint64(i), n))}
				if err := s.run(ctx, pcm); err != nil {
					t.Errorf("client %d: %v", i, err)
					return
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(5, 9))
	for range chaosKills {
		time.Sleep(800*time.Millisecond + time.Duration(r.Int64N(int64(1500*time.Millisecond))))
		restart(t, g)
	}
	hush()
	clients.Wait()

	jobs := hooks.jobs()
	if len(jobs) < 2*chaosClients {
		t.Errorf("%d sessions: too few to show anything", len(jobs))
	}
	events := 0
	for _, id := range jobs {
		want := loggedMessages(ctx, t, g, id)
		events += len(want)
		hooks.check(ctx, t, id, want)
	}
	said := hooks.counts()
	t.Logf("%d sessions, %d messages, %d requests, %d kills; %v", len(jobs), events, said["requests"], chaosKills, said)
	if said["requests"] < events*3/2 || said["repeats of accepted"] == 0 {
		t.Error("the receiver did not fail often enough to show anything")
	}
}

// loggedMessages are the messages of the job's record, which has an outcome by then.
func loggedMessages(ctx context.Context, t *testing.T, g *gateway, id string) []string {
	t.Helper()
	for {
		var job struct {
			Status string
			Result struct{ Messages []string }
		}
		if err := g.call(ctx, http.MethodGet, "/v2/live/"+id, "", &job); err != nil {
			t.Fatal(err)
		}
		last := ""
		if n := len(job.Result.Messages); n > 0 {
			last = job.Result.Messages[n-1]
		}
		if job.Status == "done" && strings.Contains(last, `"end_session"`) {
			return job.Result.Messages
		}
		if job.Status == "error" {
			t.Fatalf("job %s failed", id)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("job %s is %s, its last message %.100s", id, job.Status, last)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// call asks the gateway, again while it is away.
func (g *gateway) call(ctx context.Context, method, path, body string, into any) error {
	for {
		status, answer, err := g.callOnce(ctx, method, path, body)
		switch {
		case err == nil && status/100 == 2:
			return json.Unmarshal(answer, into)
		case err == nil && status != http.StatusServiceUnavailable:
			return fmt.Errorf("%s %s: %d %s", method, path, status, answer)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (g *gateway) callOnce(ctx context.Context, method, path, body string) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, g.url()+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("x-service-key", testKey)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}

// speaker has one session, on as many sockets as it takes. It asks for no acks, so each socket goes
// on where the gateway's journal ends.
type speaker struct {
	g     *gateway
	hooks *hooks
	r     *rand.Rand
}

// run speaks for a while, stops, and returns when the gateway has said that all is done.
func (s *speaker) run(ctx context.Context, pcm []byte) error {
	var job struct{ ID, URL string }
	request := fmt.Sprintf(`{"endpointing":0.2,"messages_config":{"receive_acknowledgments":false},"callback":true,
		"callback_config":{"url":%q,"receive_speech_events":true,"receive_errors":true}}`, s.hooks.url)
	if err := s.g.call(ctx, http.MethodPost, "/v2/live", request, &job); err != nil {
		return err
	}
	s.hooks.expect(job.ID)
	left := pcm[:len(pcm)/2+2*s.r.IntN(len(pcm)/4)]
	for {
		code, err := s.socket(ctx, job.URL, &left)
		if code == 1000 || code == 4401 {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("session %s does not end: %d %w", job.ID, code, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// socket sends what is left at four times the speed of speech, then the stop, and returns the close
// code, -1 for none.
func (s *speaker) socket(ctx context.Context, url string, left *[]byte) (websocket.StatusCode, error) {
	conn, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return -1, err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(-1)
	heard := make(chan error, 1)
	go func() {
		for {
			if _, _, err := conn.Read(ctx); err != nil {
				heard <- err
				return
			}
		}
	}()
	err = s.send(ctx, conn, left)
	if err != nil {
		_ = conn.CloseNow()
	}
	err = errors.Join(<-heard, err)
	return websocket.CloseStatus(err), err
}

func (s *speaker) send(ctx context.Context, conn *websocket.Conn, left *[]byte) error {
	const chunk = clipRate / 10 * 2
	for len(*left) > 0 {
		n := min(chunk, len(*left))
		if err := conn.Write(ctx, websocket.MessageBinary, (*left)[:n]); err != nil {
			return err
		}
		*left = (*left)[n:]
		time.Sleep(25 * time.Millisecond)
	}
	return conn.Write(ctx, websocket.MessageText, []byte(`{"type":"stop_recording"}`))
}

// hooks is a receiver of callbacks that fails half of the time.
type hooks struct {
	t      *testing.T
	url    string
	verify *webhooks.Webhook

	mu         sync.Mutex
	r          *rand.Rand
	order      []string // jobs
	recordings map[string]bool
	by         map[string]*delivered
	count      map[string]int
}

// delivered is what the receiver has of a job.
type delivered struct {
	ids      []string
	payloads []string
	accepted bool // the last one
}

func newHooks(t *testing.T) *hooks {
	t.Helper()
	verify, err := webhooks.NewWebhook(hookSecret)
	if err != nil {
		t.Fatal(err)
	}
	h := &hooks{t: t, verify: verify, r: rand.New(rand.NewPCG(3, 3)), by: map[string]*delivered{},
		count:      map[string]int{},
		recordings: map[string]bool{}}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	h.url = server.URL + "/hook"
	return h
}

// expect knows a job. Its first callback may have come before its client knows its id.
func (h *hooks) expect(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.order = append(h.order, id)
}

func (h *hooks) jobs() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.order)
}

func (h *hooks) counts() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count
}

// ServeHTTP records what arrives whole, then answers with success, with something else, or not at
// all.
func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the gateway was killed
	}
	if err := h.verify.Verify(body, r.Header); err != nil {
		h.t.Errorf("signature: %v", err)
	}
	var call struct {
		ID, Event string
		Payload   json.RawMessage
	}
	if err := json.Unmarshal(body, &call); err != nil {
		h.t.Errorf("body: %v", err)
	}
	status := h.take(call.ID, r.Header.Get("webhook-id"), call.Payload)
	switch status {
	case 0: // hangs up
		panic(http.ErrAbortHandler)
	case http.StatusFound:
		w.Header().Set("Location", "/elsewhere")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "0")
	}
	w.WriteHeader(status)
}

// take checks a request against those before it and decides its answer.
func (h *hooks) take(job, id string, payload json.RawMessage) (status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count["requests"]++
	d := h.by[job]
	if d == nil {
		d = new(delivered)
		h.by[job] = d
	}
	switch i := slices.Index(d.ids, id); {
	case i < 0 && (len(d.ids) == 0 || d.accepted):
		d.ids, d.payloads, d.accepted = append(d.ids, id), append(d.payloads, string(payload)), false
	case i < 0:
		h.t.Errorf("job %s: %s comes before the receiver said yes to the one before it", job, id)
	case i < len(d.ids)-1:
		h.t.Errorf("job %s: callback %d comes again after callback %d", job, i, len(d.ids)-1)
	case !bytes.Equal(payload, []byte(d.payloads[i])):
		h.t.Errorf("job %s: %s comes again with another payload", job, id)
	case d.accepted:
		h.count["repeats of accepted"]++
	default:
		h.count["repeats"]++
	}
	bad := []int{0, 0, 500, 404, 429, http.StatusFound, http.StatusServiceUnavailable, http.StatusBadGateway}
	switch h.r.IntN(20) {
	case 0: // took it, but the answer is lost
		d.accepted = true
		return 0
	case 1, 2, 3, 4, 5, 6, 7, 8, 9:
		return bad[h.r.IntN(len(bad))]
	}
	d.accepted = true
	return http.StatusNoContent
}

// check waits until the receiver has taken so many callbacks of a job and compares them.
func (h *hooks) check(ctx context.Context, t *testing.T, job string, want []string) {
	t.Helper()
	var got delivered
	for {
		h.mu.Lock()
		if d := h.by[job]; d != nil {
			got = *d
		}
		h.mu.Unlock()
		if len(got.ids) >= len(want) && got.accepted {
			break
		}
		select {
		case <-ctx.Done():
			t.Fatalf("job %s: %d of %d callbacks have come", job, len(got.ids), len(want))
		case <-time.After(50 * time.Millisecond):
		}
	}
	if !slices.Equal(got.payloads, want) {
		t.Errorf("job %s: got\n%s\nwant\n%s", job, strings.Join(got.payloads, "\n"), strings.Join(want, "\n"))
	}
}
