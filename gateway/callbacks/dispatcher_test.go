package callbacks

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"steno/session/store"
)

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
	inBubble(t, Config{Timeout: 30 * time.Second}, answer, func(b *dispatcherFixture) {
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
	inBubble(t, cfg, answer, func(b *dispatcherFixture) {
		began.Store(time.Now().UnixNano())
		b.enqueue("job", "http://a.example/", 0)
		if err := b.store.Enqueue(b.Context(), store.Delivery{Account: account, Job: "job", Event: "end",
			URL: "http://a.example/", Method: "POST"}); err != nil {
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
	inBubble(t, Config{Keep: time.Hour}, answer, func(b *dispatcherFixture) {
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
	inBubble(t, Config{}, answer, func(b *dispatcherFixture) {
		b.enqueue("job", "http://a.example/", 2)
		live, err := b.store.Claim(b.Context(), "job", store.IfFree)
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
