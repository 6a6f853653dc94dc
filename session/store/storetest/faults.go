package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"testing"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/store"
	"steno/session/store/metadata"
)

// Link is the way of one node to the server of a store. A faulty one stays so until Restore.
type Link interface {
	// Cut closes all connections and refuses new ones.
	Cut()
	// Deafen throws all answers away: what is asked is carried out, and its answer waited for in
	// vain.
	Deafen()
	// Delay makes answers late.
	Delay(d time.Duration)
	Restore()
}

// Server is the server of a store.
type Server interface {
	// Kill ends it immediately, Term in order; Again starts it with what it has kept.
	Kill()
	Term()
	Again()
	// Pause stops it without closing a connection, Resume lets it continue.
	Pause()
	Resume()
	// Fill leaves it no memory for anything new, Free returns it.
	Fill()
	Free()
}

// Deployment is a server and what connects nodes with it. Connect returns the store of another
// node, which the suite closes.
type Deployment struct {
	Server  Server
	Connect func(t *testing.T) (store.Store, Link)
}

// outage is a way in which a server can be out of reach.
type outage struct {
	name       string
	begin, end func(s Server, l Link)
}

var outages = []outage{
	{"connections are cut", func(_ Server, l Link) { l.Cut() }, func(_ Server, l Link) { l.Restore() }},
	{"answers are lost", func(_ Server, l Link) { l.Deafen() }, func(_ Server, l Link) { l.Restore() }},
	{"answers are late", func(_ Server, l Link) { l.Delay(300 * time.Millisecond) },
		func(_ Server, l Link) { l.Restore() }},
	{"the server is paused", func(s Server, _ Link) { s.Pause() }, func(s Server, _ Link) { s.Resume() }},
	{"the server is killed", func(s Server, _ Link) { s.Kill() }, func(s Server, _ Link) { s.Again() }},
	{"the server is restarted", func(s Server, _ Link) { s.Term() }, func(s Server, _ Link) { s.Again() }},
	{"the server's memory is full", func(s Server, _ Link) { s.Fill() }, func(s Server, _ Link) { s.Free() }},
}

// RunFaults runs the part of the suite that is for stores with a server: each test through each way
// of being out of reach. Open returns a new, empty deployment.
func RunFaults(t *testing.T, open func(t *testing.T) Deployment) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Deployment, outage)
	}{
		{"a session goes on", sessionInOutage},
		{"an outcome waits", outcomeInOutage},
		{"what is asked is done once or not at all", callsInOutage},
		{"a claim moves", claimInOutage},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, o := range outages {
				t.Run(o.name, func(t *testing.T) {
					t.Parallel()
					c.test(t, open(t), o)
				})
			}
		})
	}
}

// outageTime is how long an outage of the suite lasts: less than a lease.
const outageTime = 2 * time.Second

// connected is a node of a deployment. It ends with the test.
func (d Deployment) connected(t *testing.T) (store.Store, Link) {
	t.Helper()
	s, l := d.Connect(t)
	t.Cleanup(func() { _ = s.Close() }) // after a fault it may have failed already
	return s, l
}

// until calls f until it does not answer ErrAway.
func until(t *testing.T, f func() error) error {
	t.Helper()
	late := time.Now().Add(20 * time.Second)
	for {
		err := f()
		if !errors.Is(err, store.ErrAway) || time.Now().After(late) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// sessionInOutage writes to a session before, during and after an outage. The handle takes
// everything without waiting and keeps its claim; in the end all is there, in order and once, for
// another node too.
func sessionInOutage(t *testing.T, d Deployment, o outage) {
	ctx := t.Context()
	s, link := d.connected(t)
	l := claim(t, s, "job")
	var sound bytes.Buffer
	var last int64
	write := func(from, to int) {
		t.Helper()
		for i := from; i < to; i++ {
			p := bytes.Repeat([]byte{byte(i)}, 640)
			sound.Write(p)
			began := time.Now()
			must(t, l.AppendAudio(ctx, p))
			last = appendEvent(t, l, fmt.Sprint(i), fmt.Sprintf(`{"n":%d}`, i))
			must(t, errors.Join(l.Sync(int64(sound.Len())), l.Confirm(ctx, int64(sound.Len()), last),
				l.MarkSilence(ctx, int64(sound.Len())),
				l.AddNote(ctx, session.Note{At: int64(sound.Len()), Body: []byte(strconv.Itoa(i))})))
			if took := time.Since(began); took > time.Second {
				t.Errorf("write %d took %s", i, took)
			}
			same(t, "number", last, int64(i+1))
		}
	}
	write(0, 10)
	flush(t, l, 10)
	o.begin(d.Server, link)
	write(10, 40)
	time.Sleep(outageTime)
	write(40, 60)
	p := l.Durable()
	o.end(d.Server, link)
	if p.Seq > last || p.Boundary > int64(sound.Len()) {
		t.Errorf("durable are %+v, accepted %d and %d", p, last, sound.Len())
	}
	write(60, 70)
	flush(t, l, last)
	must(t, l.Cause())
	other, _ := d.connected(t)
	same(t, "events of the handle", countEvents(t, l.Events), 70)
	same(t, "events elsewhere", countEvents(t, func(ctx context.Context, after int64, limit int) ([]messages.Event,
		error) {
		return other.Events(ctx, "acme", "job", after, limit)
	}), 70)
	a, err := other.OpenAudio(ctx, "acme", "job")
	must(t, err)
	kept, err := io.ReadAll(a)
	must(t, errors.Join(err, a.Close()))
	same(t, "whether the audio is what was written", bytes.Equal(kept, sound.Bytes()), true)
	must(t, l.Release(0))
	next, err := other.Claim(ctx, "job", store.IfFree)
	must(t, err)
	marks, err := next.Marks(ctx)
	must(t, err)
	same(t, "confirmed", marks.Seq, last)
	silent, err := next.Silences(ctx)
	must(t, err)
	same(t, "marks of silence", len(silent), 70)
	noted, err := next.Notes(ctx)
	must(t, err)
	for i, n := range noted {
		same(t, "note", string(n.Body), strconv.Itoa(i))
	}
	same(t, "notes", len(noted), 70)
	must(t, next.Close())
}

// countEvents reads a log and fails unless it is in order.
func countEvents(t *testing.T, list func(context.Context, int64, int) ([]messages.Event, error)) (n int) {
	t.Helper()
	for {
		events, err := list(t.Context(), int64(n), 16)
		must(t, err)
		for _, e := range events {
			same(t, "number", e.Seq, int64(n+1))
			same(t, "body", string(e.Body), fmt.Sprintf(`{"n":%d}`, n))
			n++
		}
		if len(events) < 16 {
			return n
		}
	}
}

// outcomeInOutage finishes a session in an outage: Finish waits, with what was accepted before.
func outcomeInOutage(t *testing.T, d Deployment, o outage) {
	ctx := t.Context()
	s, link := d.connected(t)
	l := claim(t, s, "job")
	appendEvent(t, l, "a", `{"n":0}`)
	o.begin(d.Server, link)
	appendEvent(t, l, "b", `{"n":1}`)
	must(t, l.SetStopped(ctx))
	finished := make(chan error, 1)
	go func() { finished <- l.Finish(ctx, store.Outcome{Seconds: 1.5, Result: []byte(`{"x":1}`)}) }()
	time.Sleep(outageTime)
	o.end(d.Server, link)
	must(t, <-finished)
	appendEvent(t, l, "end", `{"n":2}`)
	flush(t, l, 3)
	must(t, l.Close())
	other, _ := d.connected(t)
	r, err := other.Get(ctx, "acme", "job")
	must(t, err)
	same(t, "status", r.Status, messages.StatusDone)
	same(t, "stopped", r.Stopped, true)
	same(t, "result", string(r.Result), `{"x":1}`)
	same(t, "seconds", *r.Seconds, 1.5)
	same(t, "events", countEvents(t, func(ctx context.Context, after int64, limit int) ([]messages.Event, error) {
		return other.Events(ctx, "acme", "job", after, limit)
	}), 3)
}

// callsInOutage asks for changes in an outage, and again until they are answered: they are made
// once.
func callsInOutage(t *testing.T, d Deployment, o outage) {
	ctx := t.Context()
	s, link := d.connected(t)
	create(t, s, newRecord("job"), newJob("file", 0))
	o.begin(d.Server, link)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		time.Sleep(outageTime)
		o.end(d.Server, link)
	}()
	made := until(t, func() error { return s.Create(ctx, newRecord("late")) })
	if made != nil && !errors.Is(made, store.ErrExists) { // a record whose making was not answered is there
		t.Errorf("create: %v", made)
	}
	must(t, until(t, func() error {
		return s.Enqueue(ctx, store.Delivery{Account: "acme", Job: "job", Seq: 1, Event: "e", URL: "https://a",
			Method: "POST", Body: []byte("b")})
	}))
	patch := metadata.Patch(map[string]any{"a": 1})
	must(t, until(t, func() error { return s.ChangeMetadata(ctx, "acme", "job", patch) }))
	must(t, until(t, func() error { return s.Ping(ctx) }))
	<-ended
	must(t, until(t, func() error {
		_, err := s.Get(ctx, "acme", "late")
		return err
	}))
	list, err := s.ClaimDeliveries(ctx, time.Minute, 10)
	must(t, err)
	same(t, "deliveries", len(list), 1)
	l, ok, err := s.LeaseJob(ctx, "node", time.Minute, store.Want{Fetch: true})
	must(t, err)
	same(t, "whether there is a job", ok, true)
	must(t, s.FinishJob(ctx, l, store.Outcome{}))
}

// claimInOutage claims a session on another node while the one that holds it is out of reach, as
// its client does when it comes to the other. The first one accepts what it is given, learns of its
// loss, and nothing of it is kept.
func claimInOutage(t *testing.T, d Deployment, o outage) {
	ctx := t.Context()
	s, link := d.connected(t)
	other, _ := d.connected(t)
	l := claim(t, s, "job")
	must(t, l.AppendAudio(ctx, []byte("kept")))
	flush(t, l, appendEvent(t, l, "a", `{"n":0}`))
	o.begin(d.Server, link)
	var next store.Live
	claimed := make(chan error, 1)
	go func() {
		claimed <- until(t, func() (err error) {
			next, err = other.Claim(ctx, "job", store.TakeOver)
			return err
		})
	}()
	time.Sleep(outageTime)
	o.end(d.Server, link)
	must(t, <-claimed)
	awaitLost(t, l, store.ErrTaken)
	refuses(t, l, store.ErrTaken)
	must(t, next.AppendAudio(ctx, []byte("!")))
	flush(t, next, appendEvent(t, next, "b", `{"n":1}`))
	must(t, l.Close())
	same(t, "audio size", next.AudioSize(), 5)
	same(t, "events", countEvents(t, next.Events), 2)
	must(t, next.Close())
}
