package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"steno/session/store"
)

// outboxRace sends with many hands, half of the attempts failing, while the deliveries come in:
// each job's arrive in order, each once.
func outboxRace(t *testing.T, s store.Store) {
	const jobs, each, senders = 5, 25, 4
	for j := range jobs {
		create(t, s, newRecord(fmt.Sprintf("job%d", j)))
	}
	r := receiver{got: map[string]int64{}, left: jobs * each}
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for !r.done() && !t.Failed() {
				if err := r.sendSome(t.Context(), s); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for seq := range int64(each) {
		for j := range jobs {
			enqueue(t, s, delivery(fmt.Sprintf("job%d", j), seq+1, "e"))
		}
	}
	all.Wait()
	same(t, "pending", pending(t, s), "")
	same(t, "sent", len(listed(t, s, "acme", store.DeliverySent)), jobs*each)
}

// receiver is where outboxRace's deliveries arrive.
type receiver struct {
	mu    sync.Mutex
	got   map[string]int64 // last number by job
	tries int
	left  int
}

func (r *receiver) done() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.left == 0
}

// sendSome claims what is due and sends it; every other attempt fails.
func (r *receiver) sendSome(ctx context.Context, s store.Store) error {
	claimed, err := s.ClaimDeliveries(ctx, time.Hour, 2)
	if err != nil {
		return err
	}
	for _, d := range claimed {
		if r.receive(&d, &err) {
			err = errors.Join(err, s.Sent(ctx, d))
		} else {
			err = errors.Join(err, s.Failed(ctx, d, time.Now(), 503, "busy"))
		}
	}
	return err
}

func (r *receiver) receive(d *store.Delivery, err *error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tries++; r.tries%2 == 0 {
		return false
	}
	if d.Seq != r.got[d.Job]+1 {
		*err = fmt.Errorf("%s: delivery %d follows %d", d.Job, d.Seq, r.got[d.Job])
	}
	r.got[d.Job] = d.Seq
	r.left--
	return true
}
