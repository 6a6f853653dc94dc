package callbacks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"steno/gateway/outbound"
	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const account = "a"

// answerFunc is a receiver without a network, for fake time: it gives the status, what Retry-After asks for, or an error.
type answerFunc func(ctx context.Context, url, id string, n int) (int, time.Duration, error)

// bench is a dispatcher with a real outbox in fake time.
type bench struct {
	*testing.T
	store      *embedded.Store
	dispatcher *Dispatcher
	answer     answerFunc

	mu      sync.Mutex
	asked   []request
	settled []Attempt
	busy    map[string]int // requests under way, by URL
	most    map[string]int
	trouble []error
	pending int
}

type request struct {
	at      time.Time
	url, id string
	body    string
}

// inBubble runs a test in fake time with a dispatcher whose requests are answered by answer.
func inBubble(t *testing.T, cfg Config, answer answerFunc, test func(*bench)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s, err := embedded.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		b := &bench{T: t, store: s, answer: answer, busy: map[string]int{}, most: map[string]int{}}
		cfg.Outbox, cfg.Sender, cfg.Watcher = s, b, b
		if b.dispatcher, err = New(cfg); err != nil {
			t.Fatal(err)
		}
		test(b)
		b.dispatcher.Stop(t.Context())
		for _, err := range b.trouble {
			t.Error(err)
		}
	})
}

// Send is the receiver.
func (b *bench) Send(ctx context.Context, _, url string, header http.Header, body []byte) (int, time.Duration, error) {
	b.mu.Lock()
	b.asked = append(b.asked, request{time.Now(), url, header.Get("webhook-id"), string(body)})
	n := len(b.asked)
	b.busy[url]++
	b.most[url] = max(b.most[url], b.busy[url])
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		b.busy[url]--
		b.mu.Unlock()
	}()
	return b.answer(ctx, url, header.Get("webhook-id"), n)
}

func (b *bench) Attempted(a Attempt) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settled = append(b.settled, a)
}

func (b *bench) Pending(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending = n
}

func (b *bench) Trouble(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trouble = append(b.trouble, err)
}

// requests are those so far.
func (b *bench) requests() []request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.asked)
}

func (b *bench) outcomes() map[Outcome]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := map[Outcome]int{}
	for _, a := range b.settled {
		all[a.Outcome]++
		if a.Err != nil {
			all["unsettled"]++
		}
	}
	return all
}

// counted is what Pending last told.
func (b *bench) counted() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pending
}

// atOnce is the most requests to a URL that were under way together.
func (b *bench) atOnce(url string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.most[url]
}

// attempts are all that were settled.
func (b *bench) attempts() []Attempt {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.settled)
}

// enqueue makes a job with so many deliveries to a URL.
func (b *bench) enqueue(job, url string, n int) {
	b.Helper()
	err := b.store.Create(b.Context(), store.Record{
		ID: job, Account: account, Kind: messages.JobLive, Status: messages.StatusQueued, Version: 2, CreatedAt: time.Now().UTC(),
		Params: []byte("{}"), PostSessionMetadata: []byte("{}"),
	})
	if err != nil {
		b.Fatal(err)
	}
	var list []store.Delivery
	for i := range n {
		list = append(list, store.Delivery{
			Account: account, Job: job, Seq: int64(i) + 1, Event: "e", URL: url, Method: "POST", Body: fmt.Append(nil, job, " ", i),
		})
	}
	if err := b.store.Enqueue(b.Context(), list...); err != nil {
		b.Fatal(err)
	}
}

// pass lets fake time pass, and everything happen that is due by then.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (b *bench) in(state store.DeliveryState) []store.Delivery {
	b.Helper()
	list, err := b.store.Deliveries(b.Context(), "", state, 10_000)
	if err != nil {
		b.Fatal(err)
	}
	return list
}

// A receiver that never takes anything is asked after pauses that double up to the longest, with the same id, until it is
// given up, and once more then; after that the next delivery has its turn.
func TestSchedule(t *testing.T) {
	down := func(context.Context, string, string, int) (int, time.Duration, error) { return 500, 0, nil }
	if day := (Config{}).withDefaults().GiveUp; day != 24*time.Hour {
		t.Errorf("given up after %v", day)
	}
	const giveUp = 3 * time.Hour
	inBubble(t, Config{GiveUp: giveUp}, down, func(b *bench) {
		b.enqueue("job", "http://a.example/x", 2)
		pass(giveUp + time.Minute)
		asked := b.requests()
		first := asked[0]
		n := slices.IndexFunc(asked, func(r request) bool { return r.id != first.id })
		if n < 0 {
			b.Fatal("the second delivery had no turn")
		}
		if late := asked[n-1].at.Sub(first.at); late < giveUp || late > giveUp+time.Second {
			b.Errorf("the last attempt after %v", late)
		}
		for i := 1; i < n-1; i++ {
			full := min(time.Second<<min(i-1, 30), 15*time.Minute)
			if pause := asked[i].at.Sub(asked[i-1].at); pause < full/2-time.Second/100 || pause > full+time.Second/100 {
				b.Errorf("pause %d is %v, of %v", i, pause, full)
			}
			if asked[i].body != "job 0" {
				b.Errorf("attempt %d sends %s", i, asked[i].body)
			}
		}
		dead := b.in(store.DeliveryDead)
		if len(dead) != 1 || dead[0].ID != first.id || dead[0].Status != 500 || dead[0].Failure != "given up: receiver answered 500" {
			b.Errorf("%+v", dead)
		}
		if asked[n].body != "job 1" || asked[n].at.Sub(asked[n-1].at) > time.Second {
			b.Errorf("then %v", asked[n])
		}
	})
}

// What was given up is sent again when it is put back, before what is younger.
func TestRedeliver(t *testing.T) {
	var up atomic.Bool
	answer := func(context.Context, string, string, int) (int, time.Duration, error) {
		if up.Load() {
			return 200, 0, nil
		}
		return 410, 0, nil
	}
	inBubble(t, Config{}, answer, func(b *bench) {
		b.enqueue("job", "http://a.example/x", 2)
		pass(time.Second)
		dead := b.in(store.DeliveryDead)
		if len(dead) != 2 || dead[0].Failure != "receiver answered 410: it wants no more" {
			b.Fatalf("%+v", dead)
		}
		up.Store(true)
		for _, d := range dead {
			if err := b.store.Redeliver(b.Context(), d.ID); err != nil {
				b.Fatal(err)
			}
		}
		pass(time.Second)
		asked := b.requests()[2:]
		if len(asked) != 2 || asked[0].id != dead[0].ID || asked[0].body != "job 0" || len(b.in(store.DeliverySent)) != 2 {
			b.Errorf("%v", asked)
		}
	})
}

// A job's deliveries go one by one in their order, whatever fails; those of other jobs do not wait.
func TestOrder(t *testing.T) {
	answer := func(_ context.Context, url, _ string, n int) (int, time.Duration, error) {
		if url == "http://bad.example/" && n%3 != 0 {
			return 500, 0, nil
		}
		time.Sleep(10 * time.Millisecond)
		return 204, 0, nil
	}
	inBubble(t, Config{}, answer, func(b *bench) {
		b.enqueue("good", "http://good.example/", 20)
		b.enqueue("bad", "http://bad.example/", 20)
		pass(time.Hour)
		at := map[string]int{}
		var doneGood, doneBad time.Time
		for _, r := range b.requests() {
			var job string
			var i int
			if _, err := fmt.Sscan(r.body, &job, &i); err != nil {
				b.Fatal(err)
			}
			if i != at[job] && i != at[job]+1 {
				b.Errorf("%s: %d after %d", job, i, at[job])
			}
			at[job] = i
			if job == "good" {
				doneGood = r.at
			} else {
				doneBad = r.at
			}
		}
		if len(b.in(store.DeliverySent)) != 40 || !doneGood.Before(doneBad) || b.atOnce("http://bad.example/") != 1 {
			b.Errorf("%d sent, good until %v, bad until %v", len(b.in(store.DeliverySent)), doneGood, doneBad)
		}
	})
}

// Retry-After puts the next attempt off, up to an hour; it does not bring it forward.
func TestRetryAfter(t *testing.T) {
	for asked, want := range map[time.Duration]time.Duration{0: time.Second, 40 * time.Second: 40 * time.Second, 24 * time.Hour: time.Hour} {
		answer := func(_ context.Context, _, _ string, n int) (int, time.Duration, error) {
			if n == 1 {
				return 503, asked, nil
			}
			return 200, 0, nil
		}
		inBubble(t, Config{}, answer, func(b *bench) {
			b.enqueue("job", "http://a.example/", 1)
			pass(2 * time.Hour)
			got := b.requests()
			if len(got) != 2 {
				b.Fatalf("%d requests", len(got))
			}
			if pause := got[1].at.Sub(got[0].at); pause < want/2 || pause > want+time.Second/10 || asked > 0 && pause < want {
				b.Errorf("asked for %v: %v", asked, pause)
			}
		})
	}
}

// What asking again cannot help is given up at once, in clear words.
func TestDeadAtOnce(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		want   string
	}{
		{fmt.Errorf("%w: 10.0.0.1", outbound.ErrRefusedAddress), 0, "address is not allowed"},
		{fmt.Errorf("%w: cannot be parsed", outbound.ErrURL), 0, "URL is not acceptable"},
		{nil, 410, "receiver answered 410: it wants no more"},
	} {
		answer := func(context.Context, string, string, int) (int, time.Duration, error) { return c.status, 0, c.err }
		inBubble(t, Config{}, answer, func(b *bench) {
			b.enqueue("job", "http://a.example/", 1)
			pass(time.Second)
			dead := b.in(store.DeliveryDead)
			if len(dead) != 1 || dead[0].Attempts != 1 || dead[0].Failure != c.want {
				b.Errorf("%+v, want %s", dead, c.want)
			}
		})
	}
}

// Everything else that is no 2xx is tried again.
func TestTriedAgain(t *testing.T) {
	for _, status := range []int{100, 199, 301, 302, 307, 400, 401, 404, 429, 500, 599} {
		answer := func(_ context.Context, _, _ string, n int) (int, time.Duration, error) {
			if n < 3 {
				return status, 0, nil
			}
			return 299, 0, nil
		}
		inBubble(t, Config{}, answer, func(b *bench) {
			b.enqueue("job", "http://a.example/", 1)
			pass(time.Minute)
			if got := b.outcomes(); got[Failed] != 2 || got[Delivered] != 1 || got["unsettled"] != 0 {
				b.Errorf("%d: %v", status, got)
			}
		})
	}
}

// A host that does not answer is probed by one request at a time and holds no workers; another one is served as ever.
// When it is back, everything arrives.
func TestBreaker(t *testing.T) {
	var up atomic.Bool
	answer := func(_ context.Context, url, _ string, _ int) (int, time.Duration, error) {
		if url == "http://dead.example/" && !up.Load() {
			time.Sleep(10 * time.Second)
			return 0, 0, outbound.ErrTimeout
		}
		return 200, 0, nil
	}
	inBubble(t, Config{Concurrency: 8, LongestRetry: 5 * time.Minute}, answer, func(b *bench) {
		const jobs = 12
		for i := range jobs {
			b.enqueue(fmt.Sprint("dead-", i), "http://dead.example/", 2)
		}
		pass(2 * time.Minute) // the breaker opens
		before := len(b.requests())
		began := time.Now()
		b.enqueue("live", "http://live.example/", 50)
		pass(time.Second)
		after := b.requests()[before:]
		if n := len(after); n < 50 || after[n-1].at.Sub(began) > time.Second {
			b.Errorf("%d requests of 50 while another host is dead", n)
		}
		pass(10 * time.Minute)
		probes := 0
		for _, r := range b.requests()[before:] {
			if r.url == "http://dead.example/" {
				probes++
			}
		}
		if probes < 5 || probes > 14 {
			b.Errorf("%d probes in 10 minutes", probes)
		}
		if most := b.atOnce("http://dead.example/"); most != 4 {
			b.Errorf("%d requests at once", most)
		}
		up.Store(true)
		pass(10 * time.Minute)
		if n := b.outcomes()[Postponed]; n > 500 {
			b.Errorf("%d times postponed", n)
		}
		if got := b.outcomes(); got[Delivered] != 2*jobs+50 || got[Dead] != 0 {
			b.Errorf("after the host came back: %v", got)
		}
	})
}

// One request at a time probes a half-open breaker, and pauses double.
func TestHosts(t *testing.T) {
	h := newHosts(Config{}.withDefaults())
	now := time.Unix(1e9, 0)
	fail := func(want bool) {
		t.Helper()
		if _, ok := h.enter("a", now); ok != want {
			t.Fatalf("entered: %v", ok)
		}
		if want {
			h.leave("a", sick, time.Second, now)
		}
	}
	for range sickAfter {
		fail(true)
	}
	for _, pause := range []time.Duration{5, 10, 20, 40, 60, 60} {
		now = now.Add(pause*time.Second - 1)
		fail(false)
		now = now.Add(1)
		if _, ok := h.enter("a", now); !ok {
			t.Fatalf("no probe after %d s", pause)
		}
		if wait, ok := h.enter("a", now); ok || wait <= 0 {
			t.Errorf("a second probe at the same time: %v %v", ok, wait)
		}
		h.leave("a", sick, time.Second, now)
	}
	now = now.Add(time.Minute)
	h.enter("a", now)
	h.leave("a", well, time.Second, now)
	for i := range 6 {
		if _, ok := h.enter("a", now); ok != (i < 4) {
			t.Errorf("request %d of a host that is well: %v", i, ok)
		}
	}
	h.forget(now.Add(time.Hour))
	if len(h.all) != 1 {
		t.Error("a busy host was forgotten")
	}
	for range 4 {
		h.leave("a", unknown, 0, now)
	}
	if h.forget(now.Add(forgetAfter)); len(h.all) != 1 {
		t.Error("forgotten too early")
	}
	if h.forget(now.Add(forgetAfter + 1)); len(h.all) != 0 {
		t.Error("not forgotten")
	}
}

// What waits for room comes back one after the other, and never later than half a minute.
func TestLagIsSpreadAndBounded(t *testing.T) {
	h := newHosts(Config{}.withDefaults())
	now := time.Unix(1e9, 0)
	for range 4 {
		h.enter("a", now)
	}
	h.all["a"].took = 4 * time.Second
	for i := range 100 {
		wait, ok := h.enter("a", now)
		if want := min(time.Duration(i+1)*time.Second, longestLag); ok || wait != want {
			t.Errorf("%d waits %v, want %v", i, wait, want)
		}
	}
}

// Stop lets requests end that do, and puts back uncounted what has no time left.
func TestStop(t *testing.T) {
	answer := func(ctx context.Context, url, _ string, _ int) (int, time.Duration, error) {
		if url == "http://slow.example/" {
			<-ctx.Done()
			return 0, 0, ctx.Err()
		}
		time.Sleep(time.Second)
		return 200, 0, nil
	}
	inBubble(t, Config{Timeout: 30 * time.Second}, answer, func(b *bench) {
		b.enqueue("slow", "http://slow.example/", 1)
		b.enqueue("quick", "http://quick.example/", 3)
		pass(time.Second / 2)
		ctx, cancel := context.WithTimeout(b.Context(), 2*time.Second)
		defer cancel()
		began := time.Now()
		b.dispatcher.Stop(ctx)
		if took := time.Since(began); took != 2*time.Second {
			b.Errorf("stopped after %v", took)
		}
		pending := b.in(store.DeliveryPending)
		if len(pending) != 3 || len(b.in(store.DeliverySent)) != 1 {
			b.Fatalf("%d pending", len(pending))
		}
		for _, d := range pending {
			if d.Attempts != 0 || d.FirstAttempt != nil {
				b.Errorf("%+v", d)
			}
		}
		list, err := b.store.ClaimDeliveries(b.Context(), time.Minute, 10)
		if err != nil || len(list) != 2 {
			b.Errorf("%d are free, %v", len(list), err)
		}
	})
}

// A delivery without a body gets it from the function, and waits uncounted until there is one.
func TestBodyFromElsewhere(t *testing.T) {
	began := atomic.Int64{}
	cfg := Config{Body: func(_ context.Context, d store.Delivery) ([]byte, error) {
		if time.Now().UnixNano() < began.Load()+int64(3*time.Second) {
			return nil, errors.New("not yet")
		}
		return []byte("late " + d.Event), nil
	}}
	answer := func(context.Context, string, string, int) (int, time.Duration, error) { return 200, 0, nil }
	inBubble(t, cfg, answer, func(b *bench) {
		began.Store(time.Now().UnixNano())
		b.enqueue("job", "http://a.example/", 0)
		if err := b.store.Enqueue(b.Context(), store.Delivery{Account: account, Job: "job", Event: "end", URL: "http://a.example/", Method: "POST"}); err != nil {
			b.Fatal(err)
		}
		pass(5 * time.Second)
		asked, sent := b.requests(), b.in(store.DeliverySent)
		if len(asked) != 1 || asked[0].body != "late end" || len(sent) != 1 || sent[0].Attempts != 1 {
			b.Errorf("%v %+v", asked, sent)
		}
	})
}

// What has arrived is forgotten after a while, and what waits is counted.
func TestHousekeeping(t *testing.T) {
	answer := func(_ context.Context, url, _ string, _ int) (int, time.Duration, error) {
		if url == "http://down.example/" {
			return 500, 0, nil
		}
		return 200, 0, nil
	}
	inBubble(t, Config{Keep: time.Hour}, answer, func(b *bench) {
		b.enqueue("job", "http://a.example/", 5)
		b.enqueue("down", "http://down.example/", 7)
		pass(50 * time.Minute)
		if sent := len(b.in(store.DeliverySent)); sent != 5 || b.counted() != 7 {
			b.Errorf("%d sent, %d counted", sent, b.counted())
		}
		pass(25 * time.Minute)
		if sent := len(b.in(store.DeliverySent)); sent != 0 {
			b.Errorf("%d sent are kept", sent)
		}
	})
}

// A job that is deleted while its callback is under way does not trouble anybody.
func TestDeletedMeanwhile(t *testing.T) {
	answer := func(context.Context, string, string, int) (int, time.Duration, error) {
		time.Sleep(time.Second)
		return 500, 0, nil
	}
	inBubble(t, Config{}, answer, func(b *bench) {
		b.enqueue("job", "http://a.example/", 2)
		live, err := b.store.Claim(b.Context(), "job")
		if err == nil {
			err = errors.Join(live.Finish(b.Context(), store.Outcome{}), live.Close())
		}
		pass(time.Second / 2)
		if err = errors.Join(err, b.store.Delete(b.Context(), account, "job")); err != nil {
			b.Fatal(err)
		}
		pass(time.Hour)
		if got := b.attempts(); len(got) != 1 || !errors.Is(got[0].Err, store.ErrLost) || len(b.requests()) != 1 {
			b.Errorf("%+v", got)
		}
	})
}

func TestBackoff(t *testing.T) {
	sum := 0.0
	for i := range 1000 {
		x := fraction(fmt.Sprint("msg_", i), 3)
		if x < 0 || x >= 1 || x != fraction(fmt.Sprint("msg_", i), 3) {
			t.Fatal(x)
		}
		sum += x
	}
	if mean := sum / 1000; mean < 0.45 || mean > 0.55 {
		t.Errorf("the mean of fractions is %v", mean)
	}
	for _, n := range []int{1, 2, 62, 63, 64, 1000, 1 << 40} {
		if d := backoff(time.Second, 15*time.Minute, "id", n); d < time.Second/2 || d > 15*time.Minute {
			t.Errorf("after %d: %v", n, d)
		}
	}
}
