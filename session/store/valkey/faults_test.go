package valkey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/queue"
	"steno/session/store/valkey/server"
	"steno/session/store/valkeytest"
)

// noAnswer is longer than an answer of the server is waited for.
const noAnswer = 4 * time.Second

// toFetch is for the jobs of addJob.
var toFetch = store.Want{Fetch: true}

// openAt returns a store on the server at an address.
func openAt(t testing.TB, addr, node string) *Store {
	t.Helper()
	return openTier(t, addr, node, DurableProcess)
}

func openTier(t testing.TB, addr, node string, tier Durability) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Addr: addr, Node: node, Blobs: t.TempDir(), Spool: t.TempDir(),
		Durability: tier})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// addJob makes a job of account "acme" whose audio is to be fetched.
func addJob(t testing.TB, s *Store, id string) {
	t.Helper()
	must(t, s.Create(t.Context(), store.Record{
		ID: id, Account: "acme", Kind: messages.JobPreRecorded, Status: messages.StatusQueued,
		Version: messages.Version, CreatedAt: time.Now(),
	}))
}

func jobRecord(t testing.TB, s *Store, id string) store.Record {
	t.Helper()
	r, err := s.Get(t.Context(), "acme", id)
	must(t, err)
	return r
}

// lease takes a job for a time and wants it to be that one.
func lease(t testing.TB, s *Store, ttl time.Duration, want string) store.Lease {
	t.Helper()
	l, _, err := s.LeaseJob(t.Context(), "node", ttl, toFetch)
	if err != nil || l.Record.ID != want {
		t.Fatalf("leased %q, %v, want %q", l.Record.ID, err, want)
	}
	return l
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wants(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
}

// callback is a delivery that stands for no logged event.
func callback(job, event string) store.Delivery {
	return store.Delivery{Account: "acme", Job: job, Event: event, URL: "https://host/hook", Method: "POST",
		Body: []byte(event)}
}

// claimOne claims for a time and wants it to be that event alone.
func claimOne(t testing.TB, s *Store, ttl time.Duration, event string) store.Delivery {
	t.Helper()
	d, err := untilThere(func() ([]store.Delivery, error) { return s.ClaimDeliveries(t.Context(), ttl, 10) })
	if err != nil || len(d) != 1 || d[0].Event != event {
		t.Fatalf("claimed %v, %v, want %s", d, err, event)
	}
	return d[0]
}

// behindProxy starts a server and returns it, a proxy before it and a store that goes through that.
func behindProxy(t *testing.T, options ...string) (*valkeytest.Server, *valkeytest.Proxy, *Store) {
	t.Helper()
	running := valkeytest.Start(t, options...)
	proxy := valkeytest.NewProxy(t, running.Addr())
	return running, proxy, openAt(t, proxy.Addr(), "node")
}

// later calls f after a while; the test ends when it has returned.
func later(t *testing.T, after time.Duration, f func()) {
	var running sync.WaitGroup
	running.Go(func() {
		time.Sleep(after)
		f()
	})
	t.Cleanup(running.Wait)
}

// TestAnswersLost wants what was carried out, and whose answer was lost, to have been done once.
func TestAnswersLost(t *testing.T) {
	t.Parallel()
	_, proxy, s := behindProxy(t)
	addJob(t, s, "first")
	addJob(t, s, "second")
	lost := func(call func(context.Context) error) {
		t.Helper()
		proxy.Deafen()
		short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		wants(t, call(short), context.DeadlineExceeded)
		proxy.Cut()
		proxy.Restore()
		for s.Ping(t.Context()) != nil {
			time.Sleep(10 * time.Millisecond)
		}
	}
	lost(func(ctx context.Context) error {
		_, _, err := s.LeaseJob(ctx, "node", time.Minute, toFetch)
		return err
	})
	l := lease(t, s, time.Minute, "first")
	if l.Attempt != 1 {
		t.Errorf("attempt %d of a job that was leased once", l.Attempt)
	}
	lease(t, s, time.Minute, "second")

	proxy.Deafen()
	later(t, noAnswer, proxy.Restore)
	must(t, s.FinishJob(t.Context(), l, store.Outcome{Result: []byte(`{"a":1}`)}, callback("first", "end")))
	wants(t, s.FinishJob(t.Context(), l, store.Outcome{}), store.ErrLost)
	r, err := untilThere(func() (store.Record, error) { return s.Get(t.Context(), "acme", "first") })
	if err != nil || r.Status != messages.StatusDone || string(r.Result) != `{"a":1}` {
		t.Errorf("record is %s with %s, %v", r.Status, r.Result, err)
	}

	lost(func(ctx context.Context) error {
		_, err := s.ClaimDeliveries(ctx, time.Minute, 10)
		return err
	})
	d := claimOne(t, s, time.Minute, "end")
	if d.Attempts != 1 {
		t.Errorf("attempt %d of a delivery that was claimed once", d.Attempts)
	}
	lost(func(ctx context.Context) error { return s.Enqueue(ctx, callback("second", "begin")) })
	must(t, s.Enqueue(t.Context(), callback("second", "begin")))
	proxy.Deafen()
	later(t, noAnswer, proxy.Restore)
	must(t, s.Sent(t.Context(), d))
	claimOne(t, s, time.Minute, "begin")
	sent, err := untilThere(func() ([]store.Delivery, error) {
		return s.Deliveries(t.Context(), "", store.DeliverySent,
			10)
	})
	if err != nil || len(sent) != 1 || sent[0].ID != d.ID {
		t.Errorf("sent %v, %v", sent, err)
	}
}

// untilThere asks again while the store is out of reach: the proxy closes connections that have
// missed an answer when they are used again.
func untilThere[T any](ask func() (T, error)) (T, error) {
	v, err := ask()
	for errors.Is(err, store.ErrAway) {
		v, err = ask()
	}
	return v, err
}

// TestConnectionLost checks that waiting continues after a lost connection, and that what ends a
// lease is tried until it succeeds.
func TestConnectionLost(t *testing.T) {
	t.Parallel()
	running, proxy, s := behindProxy(t)
	direct := openAt(t, running.Addr(), "other")
	addJob(t, s, "job")
	l := lease(t, s, time.Minute, "job")
	proxy.Cut()
	ended := make(chan error)
	go func() { ended <- s.WaitJob(t.Context(), toFetch) }()
	go func() { ended <- s.WaitDelivery(t.Context()) }()
	wants(t, s.ExtendJob(t.Context(), l, time.Minute), store.ErrAway)
	later(t, 200*time.Millisecond, proxy.Restore)
	must(t, s.GiveBackJob(t.Context(), l))
	must(t, <-ended) // for the job; the other waits on
	lease(t, s, time.Minute, "job")
	go func() { ended <- s.WaitJob(t.Context(), toFetch) }()
	addJob(t, direct, "another")
	must(t, <-ended)
	must(t, direct.Enqueue(t.Context(), callback("job", "end")))
	must(t, <-ended)
	proxy.Cut()
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := s.GiveBackJob(short, l); err == nil {
		t.Error("given back without a connection")
	}
}

// TestServerRestart wants leases and claims to be their holders' after the server was killed and
// started again.
func TestServerRestart(t *testing.T) {
	t.Parallel()
	running, _, s := behindProxy(t, "--appendonly", "yes", "--appendfsync", "always")
	addJob(t, s, "done")
	addJob(t, s, "running")
	must(t, s.FinishJob(t.Context(), lease(t, s, time.Minute, "done"), store.Outcome{}, callback("done", "end")))
	l := lease(t, s, time.Minute, "running")
	d := claimOne(t, s, time.Minute, "end")
	running.Kill()
	wants(t, s.ExtendJob(t.Context(), l, time.Minute), store.ErrAway)
	later(t, 0, running.Again)
	must(t, s.Sent(t.Context(), d))
	must(t, s.ExtendJob(t.Context(), l, time.Minute))
	must(t, s.FinishJob(t.Context(), l, store.Outcome{}, callback("running", "end")))
	if d := claimOne(t, s, time.Minute, "end"); d.Job != "running" {
		t.Errorf("claimed a delivery of %s", d.Job)
	}
}

// TestOutOfMemory checks that without memory nothing new begins and what is under way can be
// settled, and that everything continues when there is memory.
func TestOutOfMemory(t *testing.T) {
	t.Parallel()
	running, _, s := behindProxy(t, "--maxmemory-policy", "noeviction")
	for _, id := range []string{"sent", "finished", "free"} {
		addJob(t, s, id)
	}
	must(t, s.FinishJob(t.Context(), lease(t, s, time.Minute, "sent"), store.Outcome{}, callback("sent", "end")))
	d := claimOne(t, s, time.Minute, "end")
	l := lease(t, s, time.Minute, "finished")
	running.Must("CONFIG", "SET", "maxmemory", "1")
	_, _, err := s.LeaseJob(t.Context(), "node", time.Minute, toFetch)
	wants(t, err, store.ErrAway)
	wants(t, s.Enqueue(t.Context(), callback("free", "begin")), store.ErrAway)
	must(t, s.Sent(t.Context(), d))
	must(t, s.FinishJob(t.Context(), l, store.Outcome{}, callback("finished", "end")))
	running.Must("CONFIG", "SET", "maxmemory", "0")
	claimOne(t, s, time.Minute, "end")
	if l := lease(t, s, time.Minute, "free"); l.Attempt != 1 {
		t.Errorf("attempt %d after one that was refused", l.Attempt)
	}
}

// TestOutage wants no lease to end right after a time in which the server was not asked.
func TestOutage(t *testing.T) {
	t.Parallel()
	running := valkeytest.Start(t)
	s := openAt(t, running.Addr(), "node")
	addJob(t, s, "job")
	l := lease(t, s, time.Millisecond, "job")
	long := server.Millis(time.Now().Add(-time.Minute))
	must(t, s.Client.Do(t.Context(), s.Client.B().Set().Key(s.Prefix+"seen").Value(long).Build()).Error())
	lease(t, s, time.Minute, "")
	m, err := s.Run(t.Context(), queue.Scripts.Script("queue_due", "record", "outage", "queue"), "fetch", "0")
	must(t, err)
	if pause, err := m.AsInt64(); err != nil || pause < 20_000 {
		t.Errorf("a job may be taken in %d ms, %v", pause, err)
	}
	must(t, s.ExtendJob(t.Context(), l, time.Millisecond))
	must(t, s.Client.Do(t.Context(), s.Client.B().Set().Key(s.Prefix+"grace").Value("0").Build()).Error())
	must(t, s.WaitJob(t.Context(), toFetch))
	lease(t, s, time.Minute, "job")
}

// TestOutcomesAreDurable wants a job to be finished when the replica has its outcome.
func TestOutcomesAreDurable(t *testing.T) {
	t.Parallel()
	primary, replica := valkeytest.Start(t, "--repl-diskless-sync-delay", "0"), valkeytest.Start(t)
	s := openTier(t, primary.Addr(), "node", DurableReplica)
	plain := openAt(t, primary.Addr(), "plain")
	addJob(t, plain, "job")
	l := lease(t, s, time.Minute, "job")
	wants(t, s.Enqueue(t.Context(), callback("job", "begin")), store.ErrAway)
	host, port, _ := strings.Cut(primary.Addr(), ":")
	later(t, 300*time.Millisecond, func() { _, _ = replica.Command("REPLICAOF", host, port) })
	must(t, s.FinishJob(t.Context(), l, store.Outcome{Result: []byte("{}")}, callback("job", "end")))
	primary.Kill()
	replica.Must("REPLICAOF", "NO", "ONE")
	promoted := openAt(t, replica.Addr(), "other")
	if r := jobRecord(t, promoted, "job"); r.Status != messages.StatusDone {
		t.Errorf("the replica has the job as %s", r.Status)
	}
	must(t, promoted.Sent(t.Context(), claimOne(t, promoted, time.Minute, "begin")))
	claimOne(t, promoted, time.Minute, "end")
}

// TestLaggingReplica wants a lease that a promoted replica does not know to be lost, and its number
// not to be given again.
func TestLaggingReplica(t *testing.T) {
	t.Parallel()
	primary, replica := valkeytest.Start(t, "--repl-diskless-sync-delay", "0"), valkeytest.Start(t)
	before := openAt(t, primary.Addr(), "node")
	addJob(t, before, "job")
	first := lease(t, before, time.Millisecond, "job")
	host, port, _ := strings.Cut(primary.Addr(), ":")
	replica.Must("REPLICAOF", host, port)
	for !strings.Contains(replica.Must("INFO", "replication"), "master_link_status:up") {
		time.Sleep(10 * time.Millisecond)
	}
	replica.Must("REPLICAOF", "NO", "ONE") // it has the first lease and learns of nothing more
	second := lease(t, before, time.Minute, "job")
	must(t, before.FinishJob(t.Context(), second, store.Outcome{}, callback("job", "end")))
	after := openAt(t, replica.Addr(), "node")
	wants(t, after.ExtendJob(t.Context(), second, time.Minute), store.ErrLost)
	wants(t, after.FinishJob(t.Context(), second, store.Outcome{}), store.ErrLost)
	third := lease(t, after, time.Minute, "job")
	if third.Number == second.Number || third.Number == first.Number || third.Attempt != 2 {
		t.Errorf("attempt %d under number %d, after %d and %d", third.Attempt, third.Number, first.Number,
			second.Number)
	}
	wants(t, after.FinishJob(t.Context(), first, store.Outcome{}), store.ErrLost)
	must(t, after.FinishJob(t.Context(), third, store.Outcome{}, callback("job", "end")))
	claimOne(t, after, time.Minute, "end")
}

// TestSentAreBounded wants few deliveries that were sent to be kept, and all to stay known.
func TestSentAreBounded(t *testing.T) {
	t.Parallel()
	s := openAt(t, valkeytest.Start(t).Addr(), "node")
	s.Outbox.Kept = 3
	addJob(t, s, "job")
	for i := range 6 {
		must(t, s.Enqueue(t.Context(), callback("job", fmt.Sprint("event", i))))
		must(t, s.Sent(t.Context(), claimOne(t, s, time.Minute, fmt.Sprint("event", i))))
	}
	sent, err := s.Deliveries(t.Context(), "acme", store.DeliverySent, 10)
	if err != nil || len(sent) == 0 || len(sent) > 3 {
		t.Errorf("sent %v, %v", sent, err)
	}
	must(t, s.Enqueue(t.Context(), callback("job", "event0")))
	if pending, err := s.Deliveries(t.Context(), "", store.DeliveryPending, 10); err != nil || len(pending) != 0 {
		t.Errorf("pending %v, %v", pending, err)
	}
}

// hand is one of several that take jobs and send deliveries on one of two nodes. Some die with what
// they have.
type hand struct {
	store *Store
	mu    *sync.Mutex
	ended map[string]int // jobs, by how often they were finished
	got   map[string]int // ids of deliveries, by how often they were settled as sent
}

const (
	shortLease = 300 * time.Millisecond
	dying      = 4 // one of so many attempts
)

// TestTwoNodes wants every job to be finished once and every callback to be sent under one id,
// however many hands die.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	const jobs, hands = 40, 8
	running := valkeytest.Start(t)
	h := hand{mu: new(sync.Mutex), ended: map[string]int{}, got: map[string]int{}}
	nodes := []*Store{openAt(t, running.Addr(), "a"), openAt(t, running.Addr(), "b")}
	life, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var all sync.WaitGroup
	for i := range hands {
		mine := h
		mine.store = nodes[i%2]
		all.Go(func() { repeat(t, life, mine.work) })
		all.Go(func() { repeat(t, life, mine.send) })
	}
	for i := range jobs {
		addJob(t, nodes[i%2], fmt.Sprintf("job%d", i))
	}
	for life.Err() == nil && !h.complete(jobs) {
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	all.Wait()
	for _, counts := range []map[string]int{h.ended, h.got} {
		if len(counts) != jobs {
			t.Errorf("%d of %d", len(counts), jobs)
		}
		for name, n := range counts {
			if n != 1 {
				t.Errorf("%s %d times", name, n)
			}
		}
	}
	sent, err := nodes[0].Deliveries(t.Context(), "", store.DeliverySent, 1000)
	if err != nil || len(sent) != jobs {
		t.Errorf("%d deliveries are sent, %v", len(sent), err)
	}
}

func repeat(t *testing.T, life context.Context, f func(context.Context) error) {
	for life.Err() == nil {
		if err := f(life); err != nil && life.Err() == nil {
			t.Error(err)
			return
		}
	}
}

func (h *hand) complete(jobs int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ended) == jobs && len(h.got) == jobs
}

func (h *hand) count(in map[string]int, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	in[name]++
}

// work takes one job and finishes it, or leaves it. A job that was left twice is finished all the
// same.
func (h *hand) work(life context.Context) error {
	if err := h.store.WaitJob(life, toFetch); err != nil {
		return err
	}
	l, ok, err := h.store.LeaseJob(context.WithoutCancel(life), "node", shortLease, toFetch)
	if err != nil || !ok || !l.Exhausted() && rand.N(dying) == 0 {
		return err
	}
	err = h.store.FinishJob(context.WithoutCancel(life), l, store.Outcome{}, callback(l.Record.ID, "end"))
	if err == nil {
		h.count(h.ended, l.Record.ID)
	}
	if errors.Is(err, store.ErrLost) {
		return nil
	}
	return err
}

// send claims deliveries and settles them, or leaves them.
func (h *hand) send(life context.Context) error {
	if err := h.store.WaitDelivery(life); err != nil {
		return err
	}
	claimed, err := h.store.ClaimDeliveries(context.WithoutCancel(life), shortLease, 3)
	for _, d := range claimed {
		if rand.N(dying) == 0 {
			continue
		}
		settled := h.store.Sent(context.WithoutCancel(life), d)
		if settled == nil {
			h.count(h.got, d.ID)
		} else if !errors.Is(settled, store.ErrLost) {
			err = errors.Join(err, settled)
		}
	}
	return err
}

// TestNodesOfTwoStores wants the counts of a node to be those of the others, until they are too
// old.
func TestNodesOfTwoStores(t *testing.T) {
	t.Parallel()
	running := valkeytest.Start(t)
	a, b := openAt(t, running.Addr(), "a"), openAt(t, running.Addr(), "b")
	others, err := a.Report(t.Context(), "a", map[string]int64{"live": 3, "key": 1, "none": 0}, time.Minute)
	if err != nil || len(others) != 0 {
		t.Errorf("alone: %v, %v", others, err)
	}
	others, err = b.Report(t.Context(), "b", map[string]int64{"live": 2}, time.Millisecond)
	if err != nil || !maps.Equal(others, map[string]int64{"live": 3, "key": 1}) {
		t.Errorf("of a: %v, %v", others, err)
	}
	time.Sleep(10 * time.Millisecond)
	others, err = a.Report(t.Context(), "a", nil, time.Minute)
	if err != nil || len(others) != 0 {
		t.Errorf("after b's end: %v, %v", others, err)
	}
	if peers, err := b.Peers(t.Context()); err != nil || len(peers) != 1 || peers[0].Name != "a" {
		t.Errorf("peers: %v, %v", peers, err)
	}
}
