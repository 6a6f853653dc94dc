package callbacks

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/outbound"
)

// A host that does not answer is probed by one request at a time and holds no workers; another one
// is served as ever. When it is back, everything arrives.
func TestBreaker(t *testing.T) {
	var up atomic.Bool
	answer := func(_ context.Context, url, _ string, _ int) (int, time.Duration, error) {
		if url == "http://dead.example/" && !up.Load() {
			time.Sleep(10 * time.Second)
			return 0, 0, outbound.ErrTimeout
		}
		return 200, 0, nil
	}
	inBubble(t, Config{Concurrency: 8, LongestRetry: 5 * time.Minute}, answer, func(b *dispatcherFixture) {
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

// However many hosts of an account do not answer, and however many jobs it has, the callbacks of
// another are delivered as they come, and not too many requests are under way.
func TestHungHostsOfAnAccount(t *testing.T) {
	var open, most atomic.Int64
	answer := func(_ context.Context, url, _ string, _ int) (int, time.Duration, error) {
		if strings.Contains(url, ".hung.") {
			most.Store(max(most.Load(), open.Add(1)))
			defer open.Add(-1)
			time.Sleep(10 * time.Second)
			return 0, 0, outbound.ErrTimeout
		}
		time.Sleep(10 * time.Millisecond)
		return 200, 0, nil
	}
	const concurrency = 8
	inBubble(t, Config{Concurrency: concurrency}, answer, func(b *dispatcherFixture) {
		for i := range 100 {
			b.enqueueFor("evil", fmt.Sprint("hung-", i), fmt.Sprintf("http://h%d.hung.example/", i), 1)
		}
		synctest.Wait()
		arrivals := func(url string) (n int, last time.Time) {
			for _, r := range b.requests() {
				if r.url == url {
					n, last = n+1, r.at
				}
			}
			return n, last
		}
		for round := range 5 {
			began, url := time.Now(), fmt.Sprintf("http://good.example/%d", round)
			b.enqueueFor("good", fmt.Sprint("good-", round), url, 20)
			pass(7 * time.Second)
			if n, last := arrivals(url); n != 20 || last.Sub(began) > slowAfter+time.Second {
				b.Errorf("round %d: %d of 20 arrived, the last after %v", round, n, last.Sub(began))
			}
		}
		if n := most.Load(); n > 2*concurrency {
			b.Errorf("%d requests to hosts that do not answer", n)
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
