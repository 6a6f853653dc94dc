package gateway

import (
	"cmp"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"

	"steno/gateway/overview"
	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
	"steno/session/store/valkey"
	"steno/session/store/valkeytest"
)

// cluster is a set of nodes on one Valkey server.
type cluster struct {
	t      *testing.T
	server *valkeytest.Server
	blobs  string
	asr    asr.Recognizer // of nodes that start; nil: the scripted one
	window time.Duration  // of nodes that start; 0: clusterWindow
}

// clusterLease and clusterWindow are short, so that tests see them expire.
const (
	clusterLease  = 2 * time.Second
	clusterWindow = 4 * time.Second
)

func newCluster(t *testing.T) *cluster {
	return &cluster{t: t, server: valkeytest.Start(t, "--appendonly", "yes"), blobs: t.TempDir()}
}

// node starts a gateway of the cluster, which ends with the test.
func (c *cluster) node(name string, change func(*Config)) (*testServer, *valkeytest.Proxy) {
	c.t.Helper()
	proxy := valkeytest.NewProxy(c.t, c.server.Addr())
	records, err := valkey.Open(c.t.Context(), valkey.Options{
		Addr: proxy.Addr(), Node: name, Blobs: c.blobs, Spool: c.t.TempDir(), Lease: clusterLease,
		ResumeWindow: cmp.Or(c.window, clusterWindow),
	})
	if err != nil {
		c.t.Fatal(err)
	}
	r := &testServer{t: c.t, lines: &logLines{}}
	r.log = zerolog.New(r.lines)
	recognizer := c.asr
	if recognizer == nil {
		recognizer = scripted.New(scripted.Config{})
	}
	cfg := Config{Keys: []Key{{Text: testKey}}}
	cfg.Jobs.Node, cfg.Limits.ResumeWindow = name, cmp.Or(c.window, clusterWindow)
	if change != nil {
		change(&cfg)
	}
	if r.server, err = New(cfg, Deps{Store: records, Engines: &engines{asr: recognizer},
		Log: r.log}); err != nil {
		c.t.Fatal(err)
	}
	r.http = httptest.NewServer(r.server.handler)
	c.t.Cleanup(func() {
		if err := r.server.Close(); err != nil {
			c.t.Error(err)
		}
		r.http.Close()
		if err := records.Close(); err != nil {
			c.t.Error(err)
		}
	})
	return r, proxy
}

// stream sends audio in pieces of 100 ms, twice as fast as it plays. Where the connection is lost
// the rest is kept as well, for the next: people speak on.
func stream(c *caller, sound []byte) error {
	for len(sound) > 0 {
		n := min(3200, len(sound))
		if err := c.send(sound[:n]); err != nil {
			c.mu.Lock()
			c.kept = append(c.kept, sound[n:]...)
			c.mu.Unlock()
			return err
		}
		sound = sound[n:]
		time.Sleep(50 * time.Millisecond)
	}
	return nil
}

// awaitDone waits until a session is done.
func awaitDone(t *testing.T, r *testServer, id string) {
	t.Helper()
	waitUntil(t, "a node has ended the session", func() bool { return r.job(id).Status == messages.StatusDone })
}

// finish stops the client's session and returns its transcript.
func finish(t *testing.T, r *testServer, c *caller, id string) messages.Transcription {
	t.Helper()
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != websocket.StatusNormalClosure {
		t.Fatalf("close code %d", code)
	}
	return r.result(id).Transcription
}

// TestNodesOnValkey moves clients between nodes that share a server, and cuts the nodes off from
// it.
func TestNodesOnValkey(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	first, link := c.node("first", nil)
	second, other := c.node("second", nil)
	sound := speech(6, 3)
	id, url := first.create(`{}`)
	alone := call(t, url).mustConnect()
	if err := stream(alone, sound); err != nil {
		t.Fatal(err)
	}
	want := finish(t, first, alone, id)
	if want.FullTranscript == "" {
		t.Fatal("there is no transcript")
	}
	check := func(t *testing.T, got messages.Transcription) {
		t.Helper()
		if got.FullTranscript != want.FullTranscript || len(got.Utterances) != len(want.Utterances) {
			t.Errorf("transcript is %q, want %q", got.FullTranscript, want.FullTranscript)
		}
	}
	on := func(r *testServer, url string) string {
		return "ws" + r.http.URL[len("http"):] + "/v2/live?" + afterQuestion(url)
	}

	t.Run("a client comes to another node", func(t *testing.T) {
		id, url := first.create(`{}`)
		client := call(t, url).mustConnect()
		if err := stream(client, sound[:96000]); err != nil {
			t.Fatal(err)
		}
		client.hangUp()
		client.url = on(second, url)
		client.mustConnect()
		if err := stream(client, sound[96000:]); err != nil {
			t.Fatal(err)
		}
		check(t, finish(t, second, client, id))
	})

	t.Run("two sockets of a session", func(t *testing.T) {
		_, url := first.create(`{}`)
		one := call(t, url).mustConnect()
		if err := stream(one, sound[:32000]); err != nil {
			t.Fatal(err)
		}
		one.ackedTo(32000)
		two := call(t, on(second, url))
		two.acked = 32000
		two.mustConnect()
		if code := one.end(); code != 4409 {
			t.Errorf("close code %d, want 4409", code)
		}
		if err := stream(two, sound[32000:64000]); err != nil {
			t.Fatal(err)
		}
		two.ackedTo(64000)
	})

	t.Run("the server is away for a while", func(t *testing.T) {
		id, url := first.create(`{}`)
		client := call(t, url).mustConnect()
		if err := stream(client, sound[:64000]); err != nil {
			t.Fatal(err)
		}
		link.Cut()
		if err := stream(client, sound[64000:96000]); err != nil {
			t.Fatal(err)
		}
		if a := first.do("POST", "/v2/live", `{}`); a.status != 503 || a.header.Get("Retry-After") == "" {
			t.Errorf("create: %d %s", a.status, a.body)
		}
		if a := first.do("GET", "/healthz", ""); a.status != 200 {
			t.Errorf("alive: %d", a.status)
		}
		link.Restore()
		if err := stream(client, sound[96000:]); err != nil {
			t.Fatal(err)
		}
		client.ackedTo(int64(len(sound)))
		check(t, finish(t, first, client, id))
	})

	t.Run("a node is cut off and its client comes to another", func(t *testing.T) {
		id, url := first.create(`{}`)
		client := call(t, url).mustConnect()
		if err := stream(client, sound[:64000]); err != nil {
			t.Fatal(err)
		}
		client.ackedTo(64000)
		link.Cut()
		defer link.Restore()
		if err := stream(client, sound[64000:96000]); err != nil { // which that node never makes durable
			t.Fatal(err)
		}
		next := call(t, on(second, url))
		next.acked, next.kept = client.acked, append([]byte(nil), client.kept...)
		next.mustConnect()
		if err := stream(next, sound[96000:]); err != nil {
			t.Fatal(err)
		}
		check(t, finish(t, second, next, id))
		link.Restore()
		if code := client.end(); code != 4409 && code != 1012 && code != 4503 {
			t.Errorf("the old socket is closed with %d", code)
		}
	})

	t.Run("a node that is cut off sends its clients away", func(t *testing.T) {
		id, url := first.create(`{}`)
		client := call(t, url).mustConnect()
		if err := stream(client, sound[:64000]); err != nil {
			t.Fatal(err)
		}
		client.ackedTo(64000)
		follower := call(t, "ws"+first.http.URL[len("http"):]+"/v2/live/"+id+"/events?ticket="+
			first.ticket(testKey)).mustConnect()
		follower.await("event", func(frame) bool { return true })
		link.Cut()
		defer link.Restore()
		_ = stream(client, sound[64000:160000]) // which that node never makes durable
		if code := client.end(); code != 4503 {
			t.Fatalf("close code %d (%s), want 4503", code, client.reason)
		}
		if at := second.job(id).Status; at != messages.StatusProcessing {
			t.Errorf("the session is %s when its client learns of it", at)
		}
		if a, b := first.do("GET", "/readyz", "").status, second.do("GET", "/readyz", "").status; a != 503 || b != 200 {
			t.Errorf("ready: %d where it is cut off, %d where not", a, b)
		}
		if code := follower.end(); code != 1012 {
			t.Errorf("close code of a follower %d, want 1012", code)
		}
		client.url = on(second, url)
		if err := stream(client.mustConnect(), sound[160000:]); err != nil {
			t.Fatal(err)
		}
		check(t, finish(t, second, client, id))
		link.Restore()
		waitUntil(t, "the node is ready again", func() bool { return first.do("GET", "/readyz", "").status == 200 })
	})

	t.Run("all nodes are cut off", func(t *testing.T) {
		id, url := first.create(`{}`)
		client := call(t, url).mustConnect()
		if err := stream(client, sound[:64000]); err != nil {
			t.Fatal(err)
		}
		link.Cut()
		other.Cut()
		defer link.Restore()
		defer other.Restore()
		_ = stream(client, sound[64000:160000])
		if code := client.end(); code != 4503 {
			t.Fatalf("close code %d (%s), want 4503", code, client.reason)
		}
		client.url = on(second, url)
		if code := client.mustConnect().end(); code != 1013 {
			t.Errorf("close code %d at a node that does not reach the server either, want 1013", code)
		}
		if a, b := first.do("GET", "/readyz", "").status, second.do("GET", "/readyz", "").status; a != 503 || b != 503 {
			t.Errorf("ready: %d and %d while the server is away", a, b)
		}
		link.Restore()
		other.Restore()
		client.url = url
		if err := stream(client.mustConnect(), sound[160000:]); err != nil {
			t.Fatal(err)
		}
		check(t, finish(t, first, client, id))
	})

	t.Run("a node is cut off until another has ended its session", func(t *testing.T) {
		id, url := first.create(`{}`)
		client := call(t, url).mustConnect()
		if err := stream(client, sound); err != nil {
			t.Fatal(err)
		}
		client.ackedTo(int64(len(sound)))
		link.Cut()
		defer link.Restore()
		awaitDone(t, second, id)
		check(t, second.result(id).Transcription)
		link.Restore()
		if code := client.end(); code != 4503 {
			t.Errorf("close code %d, want 4503", code)
		}
		client.url = on(second, url)
		if code := client.mustConnect().end(); code != websocket.StatusNormalClosure {
			t.Errorf("close code %d of a socket that comes for the rest, want 1000", code)
		}
	})

	t.Run("a client does not come back", func(t *testing.T) {
		id, url := first.create(`{}`)
		client := call(t, url).mustConnect()
		if err := stream(client, sound); err != nil {
			t.Fatal(err)
		}
		client.ackedTo(int64(len(sound)))
		link.Cut() // with its node
		defer link.Restore()
		client.hangUp()
		awaitDone(t, second, id)
		check(t, second.result(id).Transcription)
	})
}

// TestDrainOnValkey drains a node under load: its clients continue at another, and no word is lost.
func TestDrainOnValkey(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	first, _ := c.node("first", func(c *Config) { c.Limits.Drain = 4 * time.Second })
	second, _ := c.node("second", nil)
	time.Sleep(2 * reportTime)
	sound := speech(6, 3)
	const clients = 6
	texts := make([]string, clients)
	var playing sync.WaitGroup
	for i := range clients {
		id, url := first.create(`{}`)
		playing.Go(func() { texts[i] = playThroughDrain(t, second, id, url, sound) })
	}
	time.Sleep(time.Second)
	first.server.Drain(t.Context())
	playing.Wait()
	if t.Failed() {
		t.Log(first.lines, second.lines)
	}
	for i, text := range texts {
		if text == "" || text != texts[0] {
			t.Errorf("client %d has %q, the first %q", i, text, texts[0])
		}
	}
}

// playThroughDrain sends audio and stops. When its node releases the session it continues at the
// other one.
func playThroughDrain(t *testing.T, other *testServer, id, url string, sound []byte) string {
	client := call(t, url).mustConnect()
	moved := false
	for sent := 0; ; {
		var err error
		if sent < len(sound) {
			err = stream(client, sound[sent:sent+3200])
			sent += 3200 // kept, and sent again, after an error
		} else if err = client.stop(); err == nil && client.end() == websocket.StatusNormalClosure {
			return other.result(id).Transcription.FullTranscript
		} else if err == nil {
			err = errBroken
		}
		if err == nil {
			continue
		}
		if code := client.end(); code != 1012 || moved {
			t.Errorf("%s: %v, close code %d", id, err, code)
			return ""
		}
		moved = true
		client.url = "ws" + other.http.URL[len("http"):] + "/v2/live?" + afterQuestion(url)
		if err := client.connect(); err != nil {
			t.Errorf("%s: %v", id, err)
			return ""
		}
	}
}

// reportTime is the interval of the nodes' reports.
const reportTime = 2 * time.Second

// The current words of a session are shown by the other nodes too.
func TestSessionsElsewhere(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	one, _ := c.node("one", nil)
	two, _ := c.node("two", nil)
	_, url := one.create(`{"messages_config":{"receive_partial_transcripts":true}}`)
	client := call(t, url).mustConnect()
	voice := speech(60, 5)
	var seen overview.RunningSession
	waitUntil(t, "a partial on the other node", func() bool {
		n := min(len(voice), 640)
		if err := client.send(voice[:n]); err != nil {
			t.Fatal(err)
		}
		voice = voice[n:]
		seen = get[overview.RunningSessions](two, "/v2/sessions").Items[0]
		return seen.Partial != ""
	})
	if seen.State != "elsewhere" || !seen.Speaking {
		t.Errorf("%+v", seen)
	}
}

// The last words of sessions are shown by the other nodes, also for those that did not speak last.
func TestWordsElsewhere(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	one, _ := c.node("one", nil)
	two, _ := c.node("two", nil)
	for range 2 {
		_, url := one.create(`{"endpointing":0.2}`)
		client := call(t, url).mustConnect()
		if err := client.send(append(speech(4, 5), make([]byte, 32000)...)); err != nil {
			t.Fatal(err)
		}
		waitUntil(t, "a final", func() bool {
			return slices.ContainsFunc(client.all(), func(f frame) bool { return f.final() != "" })
		})
	}
	seen := get[overview.RunningSessions](two, "/v2/sessions").Items
	for _, s := range seen {
		if s.State != "elsewhere" || s.Final == "" {
			t.Errorf("%+v", s)
		}
	}
	if len(seen) != 2 {
		t.Errorf("%d sessions", len(seen))
	}
}
