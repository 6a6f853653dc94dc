package callbacks

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"steno/gateway/outbound"
	"steno/session/store"
)

// A receiver that never takes anything is asked after pauses that double up to the longest, with
// the same id, until its time is up, and once more then; after that the next delivery has its turn.
func TestSchedule(t *testing.T) {
	down := func(context.Context, string, string, int) (int, time.Duration, error) { return 500, 0, nil }
	if day := (Config{}).withDefaults().GiveUp; day != 24*time.Hour {
		t.Errorf("given up after %v", day)
	}
	const giveUp = 3 * time.Hour
	inBubble(t, Config{GiveUp: giveUp}, down, func(b *dispatcherFixture) {
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
		if len(dead) != 1 || dead[0].ID != first.id || dead[0].Status != 500 || dead[0].Failure !=
			"given up: receiver answered 500" {
			b.Errorf("%+v", dead)
		}
		if asked[n].body != "job 1" || asked[n].at.Sub(asked[n-1].at) > time.Second {
			b.Errorf("then %v", asked[n])
		}
	})
}

// A dead delivery is sent again when it is redelivered, before younger ones.
func TestRedeliver(t *testing.T) {
	var up atomic.Bool
	answer := func(context.Context, string, string, int) (int, time.Duration, error) {
		if up.Load() {
			return 200, 0, nil
		}
		return 410, 0, nil
	}
	inBubble(t, Config{}, answer, func(b *dispatcherFixture) {
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
		if len(asked) != 2 || asked[0].id != dead[0].ID || asked[0].body != "job 0" ||
			len(b.in(store.DeliverySent)) != 2 {
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
	inBubble(t, Config{}, answer, func(b *dispatcherFixture) {
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
	for asked, want := range map[time.Duration]time.Duration{0: time.Second, 40 * time.Second: 40 * time.Second,
		24 * time.Hour: time.Hour} {
		answer := func(_ context.Context, _, _ string, n int) (int, time.Duration, error) {
			if n == 1 {
				return 503, asked, nil
			}
			return 200, 0, nil
		}
		inBubble(t, Config{}, answer, func(b *dispatcherFixture) {
			b.enqueue("job", "http://a.example/", 1)
			pass(2 * time.Hour)
			got := b.requests()
			if len(got) != 2 {
				b.Fatalf("%d requests", len(got))
			}
			if pause := got[1].at.Sub(got[0].at); pause < want/2 || pause > want+time.Second/10 || asked > 0 &&
				pause < want {
				b.Errorf("asked for %v: %v", asked, pause)
			}
		})
	}
}

// A delivery that a retry cannot help is dead immediately, with a clear message.
func TestDeadAtOnce(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		want   string
	}{
		{fmt.Errorf("%w: 10.0.0.1", outbound.ErrRefusedAddress), 0, "address is not allowed"},
		{fmt.Errorf("%w: cannot be parsed", outbound.ErrURL), 0, "URL is not acceptable: cannot be parsed"},
		{nil, 410, "receiver answered 410: it wants no more"},
	} {
		answer := func(context.Context, string, string, int) (int, time.Duration, error) { return c.status, 0, c.err }
		inBubble(t, Config{}, answer, func(b *dispatcherFixture) {
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
		inBubble(t, Config{}, answer, func(b *dispatcherFixture) {
			b.enqueue("job", "http://a.example/", 1)
			pass(time.Minute)
			if got := b.outcomes(); got[Failed] != 2 || got[Delivered] != 1 || got["unsettled"] != 0 {
				b.Errorf("%d: %v", status, got)
			}
		})
	}
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
