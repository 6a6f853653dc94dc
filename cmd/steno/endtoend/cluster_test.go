package endtoend_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"steno/session/store/valkeytest"
)

// chaosVariable makes the test of a cluster last longer, with more sessions: a duration.
const chaosVariable = "STENO_CHAOS"

// clusterLease is the lease of a session in these tests, shorter than usual so that many run out.
const clusterLease = 3 * time.Second

// cluster is gateways that share a Valkey server and a folder of blobs, with a balancer in front.
type cluster struct {
	t        *testing.T
	valkey   *valkeytest.Server
	nodes    []*gateway
	balancer *balancer
	front    *gateway // the balancer, as clients address it; never started
	blobs    string   // the folder
}

// newCluster starts a Valkey server with the options given and so many gateways, and waits until
// they are ready.
func newCluster(t *testing.T, bin, engine string, size int, options []string, env ...string) *cluster {
	t.Helper()
	c := &cluster{t: t, valkey: valkeytest.Start(t, options...), blobs: t.TempDir()}
	env = append(env, "STENO_VALKEY_LEASE="+clusterLease.String(), "STENO_LIMITS_DRAIN=4s", "STENO_ALLOW_PRIVATE=true",
		"STENO_CALLBACKS_SECRET="+hookSecret,
		"STENO_CALLBACKS_FIRST_RETRY=20ms", "STENO_CALLBACKS_LONGEST_RETRY=400ms")
	var addrs []string
	for i := range size {
		g := gatewayToBe(t, bin, engine, env...)
		g.args = []string{"--valkey", c.valkey.Addr(), "--blob", "file://" + c.blobs, "--node",
			fmt.Sprintf("node-%d", i+1)}
		c.nodes, addrs = append(c.nodes, g), append(addrs, g.addr)
	}
	c.each(func(g *gateway) error { return g.start() })
	c.balancer = newBalancer(t, addrs...)
	c.front = &gateway{t: t, addr: c.balancer.addr()}
	ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
	defer cancel()
	for !probe(ctx, c.front.addr, "/readyz") {
		if ctx.Err() != nil {
			t.Fatal("no gateway is ready behind the balancer")
		}
	}
	return c
}

// each calls do for all gateways concurrently, and ends the test when it fails.
func (c *cluster) each(do func(*gateway) error) {
	c.t.Helper()
	var all sync.WaitGroup
	for _, g := range c.nodes {
		all.Go(func() {
			if err := do(g); err != nil {
				c.t.Error(err)
			}
		})
	}
	all.Wait()
	if c.t.Failed() {
		c.t.FailNow()
	}
}

// TestCluster has clients speak to three gateways through a balancer while gateways, Valkey and
// connections fail. Whatever fails, the transcripts are those of an undisturbed conversation, no
// audio is lost, and callbacks come once and in order.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("builds, starts and kills the programs, takes about a minute")
	}
	sdk := findSDK(t)
	valkeytest.Program(t)
	t.Parallel()
	bin := build(t)
	t.Run("everysec", func(t *testing.T) {
		besideOthers(t)
		testCluster(t, sdk, bin, scenario{
			engine: engines()[0], sync: "everysec", sdkClients: clusterSize(3, 30), speakers: 2, jobs: 1,
			lasts: clusterTime(12 * time.Second),
		})
	})
	t.Run("real engine", func(t *testing.T) {
		if os.Getenv(chaosVariable) == "" {
			t.Skip("as everysec, but for the engine, whose finals TestEndToEnd compares: " + chaosVariable +
				"=1m runs it")
		}
		e := engines()[1]
		e.need(t)
		testCluster(t, sdk, bin, scenario{engine: e, sync: "everysec", sdkClients: clusterSize(1, 3),
			lasts: clusterTime(10 * time.Second)})
	})
	t.Run("always", func(t *testing.T) {
		if os.Getenv(chaosVariable) == "" {
			t.Skip("as everysec, but for the server's settings: " + chaosVariable + "=1m runs it")
		}
		testCluster(t, sdk, bin, scenario{
			engine: engines()[0], sync: "always", sdkClients: clusterSize(3, 30), speakers: 2, jobs: 1,
			lasts: clusterTime(20 * time.Second),
		})
	})
}

// besideOthers has the short test of a scenario run beside others. The long one has the machine for
// itself.
func besideOthers(t *testing.T) {
	if os.Getenv(chaosVariable) == "" {
		t.Parallel()
	}
}

// clusterTime is how long a scenario lasts: as usual, or as the environment asks.
func clusterTime(usual time.Duration) time.Duration {
	if d, err := time.ParseDuration(os.Getenv(chaosVariable)); err == nil {
		return d
	}
	return usual
}

// clusterSize is a number of clients: the usual one, or the full one where the environment asks for
// a long test.
func clusterSize(usual, full int) int {
	if os.Getenv(chaosVariable) != "" {
		return full
	}
	return usual
}

// scenario is what happens in a cluster.
type scenario struct {
	engine     engineCase
	sync       string // appendfsync of the server
	sdkClients int    // that speak through the public library
	speakers   int    // that have callbacks
	jobs       int    // clients that have recordings transcribed
	lasts      time.Duration
}

func testCluster(t *testing.T, sdk, bin string, s scenario) {
	c := newCluster(t, bin, s.engine.name, 3, []string{"--appendonly", "yes", "--appendfsync", s.sync})
	sound := s.engine.clip(t)
	want := converse(t, sdk, c.front.url(), sound, nil).checkKept(t, sound)
	if t.Failed() {
		t.FailNow()
	}
	hooks := newHooks(t)
	recording := recordedClient{g: c.front, hooks: hooks, wav: sound.wav(t)}
	text, err := recording.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	speaking, hush := context.WithTimeout(t.Context(), s.lasts)
	defer hush()
	ctx, cancel := context.WithTimeout(t.Context(), s.lasts+readyWithin)
	defer cancel()

	var clients sync.WaitGroup
	var spoken, refused atomic.Int64
	for i := range s.sdkClients {
		clients.Go(func() {
			time.Sleep(time.Duration(i) * 300 * time.Millisecond) // not all programs at the same time
			for speaking.Err() == nil {
				said := converse(t, sdk, c.front.url(), sound, nil)
				if said.refused { // the library asks once or twice
					refused.Add(1)
					continue
				}
				spoken.Add(1)
				compareFinals(t, said.checkKept(t, sound), want)
			}
		})
	}
	for i := range s.speakers {
		clients.Go(func() {
			for n := uint64(0); speaking.Err() == nil; n++ {
				one := speaker{g: c.front, hooks: hooks, r: rand.New(rand.NewPCG(uint64(i), n))}
				if err := one.run(ctx, sound.pcm); err != nil {
					t.Errorf("speaker %d: %v", i, err)
					return
				}
			}
		})
	}
	for i := range s.jobs {
		clients.Go(func() {
			for speaking.Err() == nil {
				if got, err := recording.run(ctx); err != nil || got != text {
					t.Errorf("recording client %d: %v, transcript %q, undisturbed %q", i, err, got, text)
					return
				}
			}
		})
	}
	n := faultInjector{c: c, r: rand.New(rand.NewPCG(11, uint64(len(s.sync)))), began: time.Now()}
	n.run(speaking)
	clients.Wait()
	for _, id := range hooks.jobs() {
		if hooks.recorded(id) {
			hooks.checkOutcome(ctx, t, id)
			continue
		}
		hooks.check(ctx, t, id, loggedMessages(ctx, t, c.front, id))
	}
	t.Logf("%d conversations, %d refused, %d sessions and jobs with callbacks; %v", spoken.Load(), refused.Load(),
		len(hooks.jobs()), hooks.counts())
	if spoken.Load() == 0 {
		t.Error("no client of the library has come to an end")
	}
	n.report(t)
}

// faultInjector makes things fail, one after another, and keeps a history of the faults.
type faultInjector struct {
	c       *cluster
	r       *rand.Rand
	began   time.Time
	history []string
	count   map[string]int
}

// run makes something fail every second or two until ctx ends, and has everything run again when it
// returns.
func (n *faultInjector) run(ctx context.Context) {
	n.count = map[string]int{}
	faults := []struct {
		name string
		do   func(g *gateway)
	}{
		{"kill -9 of a gateway", n.kill},
		{"restart of a gateway", n.restart},
		{"gateway paused beyond its lease", n.pause},
		{"connections cut", func(*gateway) { n.c.balancer.cut() }},
		{"Valkey paused", n.pauseValkey},
		{"Valkey restarted", n.restartValkey},
	}
	order := n.r.Perm(len(faults))
	for i := 0; ctx.Err() == nil; i++ {
		f, g := faults[order[i%len(order)]], n.c.nodes[n.r.IntN(len(n.c.nodes))]
		n.history = append(n.history, fmt.Sprintf("%8v %s (%s)", time.Since(n.began).Round(time.Millisecond), f.name,
			g.addr))
		n.count[f.name]++
		f.do(g)
		select {
		case <-ctx.Done():
		case <-time.After(500*time.Millisecond + time.Duration(n.r.Int64N(int64(1500*time.Millisecond)))):
		}
	}
	n.history = append(n.history, fmt.Sprintf("%8v end", time.Since(n.began).Round(time.Millisecond)))
}

func (n *faultInjector) kill(g *gateway) {
	if err := g.kill(); err != nil {
		n.c.t.Error(err)
	}
	time.Sleep(time.Duration(n.r.Int64N(int64(time.Second))))
	n.start(g)
}

func (n *faultInjector) restart(g *gateway) {
	p := g.current()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.gone:
	case <-time.After(readyWithin):
		n.c.t.Errorf("%s does not end after SIGTERM", g.addr)
		_ = p.cmd.Process.Kill()
		<-p.gone
	}
	n.start(g)
}

func (n *faultInjector) start(g *gateway) {
	if err := g.start(); err != nil {
		n.c.t.Error(err)
	}
}

// pause stops a gateway for longer than its lease and lets it continue.
func (n *faultInjector) pause(g *gateway) {
	p := g.current()
	_ = p.cmd.Process.Signal(syscall.SIGSTOP)
	time.Sleep(clusterLease + 2*time.Second)
	_ = p.cmd.Process.Signal(syscall.SIGCONT)
}

func (n *faultInjector) pauseValkey(*gateway) {
	n.c.valkey.Pause()
	time.Sleep(2 * time.Second)
	n.c.valkey.Resume()
}

func (n *faultInjector) restartValkey(*gateway) {
	if n.r.IntN(2) == 0 {
		n.c.valkey.Kill()
	} else {
		n.c.valkey.Term()
	}
	time.Sleep(time.Duration(n.r.Int64N(int64(time.Second))))
	n.c.valkey.Again()
}

// report prints what was done, and the whole history where the test has failed.
func (n *faultInjector) report(t *testing.T) {
	t.Logf("faults: %v", n.count)
	if t.Failed() {
		for _, line := range n.history {
			t.Log(line)
		}
	}
}

// awaitSession waits for a client's session.
func (c *cluster) awaitSession(t *testing.T) {
	t.Helper()
	for until := time.Now().Add(readyWithin); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		var list struct{ Items []struct{} }
		if err := c.nodes[0].call(t.Context(), http.MethodGet, "/v2/live", "", &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Items) > 0 {
			return
		}
	}
	t.Fatal("no session")
}

// TestClusterOutage takes Valkey away while a client speaks, all the time that it is away. Gateways
// stay alive, new sessions are refused, and the session continues when Valkey is back: in the end
// it is equal to the one that a gateway without Valkey has made of the same audio.
func TestClusterOutage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs, takes about a minute")
	}
	sdk := findSDK(t)
	valkeytest.Program(t)
	t.Parallel()
	bin := build(t)
	c := newCluster(t, bin, "scripted", 2, []string{"--appendonly", "yes"})
	alone := newGateway(t, bin, "scripted")
	away := clusterTime(6 * time.Second)
	sound := engines()[0].clip(t).repeated(away + 10*time.Second)

	var clients sync.WaitGroup
	var got, want []transcript
	clients.Go(func() { got = converse(t, sdk, c.front.url(), sound, nil).checkKept(t, sound) })
	clients.Go(func() { want = converse(t, sdk, alone.url(), sound, nil).checkKept(t, sound) })
	c.awaitSession(t)
	time.Sleep(3 * time.Second) // a server whose disk is slow writes to its file two seconds later
	before := c.memory()
	c.valkey.Kill()
	for until := time.Now().Add(away); time.Now().Before(until); time.Sleep(time.Second) {
		for _, g := range c.nodes {
			if status, err := get(t.Context(), g.url()+"/healthz"); err != nil || status != http.StatusOK {
				t.Errorf("liveness of %s during the outage: %d, %v", g.addr, status, err)
			}
			status, answer, err := g.callOnce(t.Context(), http.MethodPost, "/v2/live", `{}`)
			if err != nil || status != http.StatusServiceUnavailable {
				t.Errorf("new session during the outage: %d %s, %v", status, answer, err)
			}
		}
	}
	grown := c.memory() - before
	c.valkey.Again()
	back := time.Now()
	for _, g := range c.nodes {
		var job struct{ ID string }
		if err := g.call(t.Context(), http.MethodPost, "/v2/live", `{}`, &job); err != nil {
			t.Error(err)
		}
	}
	if took := time.Since(back); took > 5*time.Second {
		t.Errorf("new sessions are taken %v after the outage", took)
	}
	clients.Wait()
	compareFinals(t, got, want)
	t.Logf("the gateways grew by %d MiB in the outage", grown>>20)
	if grown > 128<<20 {
		t.Errorf("the gateways grew by %d MiB in the outage", grown>>20)
	}
}

// memory is the resident memory of all gateways, in bytes.
func (c *cluster) memory() (bytes int64) {
	for _, g := range c.nodes {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", g.current().cmd.Process.Pid))
		if err != nil {
			c.t.Error(err)
			continue
		}
		pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
		if err != nil {
			c.t.Error(err)
		}
		bytes += pages * int64(os.Getpagesize())
	}
	return bytes
}
