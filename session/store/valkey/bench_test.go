package valkey

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/valkeytest"
)

// workStore is what workers and senders use of a store.
type workStore interface {
	store.Queue
	store.Outbox
}

// benchStores runs a benchmark on the embedded store and on a server: add makes a job. Each store
// is empty.
func benchStores(b *testing.B, run func(b *testing.B, s workStore, add func(id string))) {
	b.Run("embedded", func(b *testing.B) {
		s, err := embedded.Open(b.Context(), b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		run(b, s, func(id string) {
			err := s.Create(b.Context(), store.Record{
				ID: id, Account: "acme", Kind: messages.JobPreRecorded, Status: messages.StatusQueued,
				CreatedAt: time.Now(),
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("valkey", func(b *testing.B) {
		running := valkeytest.Start(b)
		s := openAt(b, running.Addr(), "node")
		run(b, s, func(id string) { addJob(b, s, id) })
		b.ReportMetric(float64(scriptCalls(b, s))/float64(b.N), "scripts/op")
	})
}

// scriptCalls is how many scripts the server has run since the last reset.
func scriptCalls(b *testing.B, s *Store) int {
	b.Helper()
	text, err := s.Client.Do(b.Context(), s.Client.B().Info().Section("commandstats").Build()).ToString()
	if err != nil {
		b.Fatal(err)
	}
	all := 0
	for line := range strings.Lines(text) {
		if calls, ok := strings.CutPrefix(line, "cmdstat_evalsha:calls="); ok {
			calls, _, _ = strings.Cut(calls, ",")
			all, _ = strconv.Atoi(calls)
		}
	}
	return all
}

func resetCalls(b *testing.B, s workStore) {
	if s, ok := s.(*Store); ok {
		s.Client.Do(b.Context(), s.Client.B().ConfigResetstat().Build())
	}
	b.ResetTimer()
}

const benchWorkers = 8

// BenchmarkJobs takes jobs and finishes each with a callback, by several workers.
func BenchmarkJobs(b *testing.B) {
	benchStores(b, func(b *testing.B, s workStore, add func(string)) {
		for i := range b.N {
			add(fmt.Sprintf("job%d", i))
		}
		resetCalls(b, s)
		b.SetParallelism(benchWorkers)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := oneJob(b.Context(), s); err != nil {
					b.Error(err)
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	})
}

func oneJob(ctx context.Context, s workStore) error {
	if err := s.WaitJob(ctx, toFetch); err != nil {
		return err
	}
	l, ok, err := s.LeaseJob(ctx, "node", time.Minute, toFetch)
	if err != nil || !ok {
		return fmt.Errorf("no job: %w", err)
	}
	return s.FinishJob(ctx, l, store.Outcome{Result: []byte("{}")}, callback(l.Record.ID, "end"))
}

// BenchmarkDeliveries claims deliveries, one of each job and several at a time, and settles each.
func BenchmarkDeliveries(b *testing.B) {
	benchStores(b, func(b *testing.B, s workStore, add func(string)) {
		for i := range b.N {
			id := fmt.Sprintf("job%d", i)
			add(id)
			must(b, s.Enqueue(b.Context(), callback(id, "end")))
		}
		resetCalls(b, s)
		b.SetParallelism(benchWorkers)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := oneDelivery(b.Context(), s); err != nil {
					b.Error(err)
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
	})
}

func oneDelivery(ctx context.Context, s workStore) error {
	claimed, err := s.ClaimDeliveries(ctx, time.Minute, 1)
	if err != nil || len(claimed) != 1 {
		return fmt.Errorf("claimed %d: %w", len(claimed), err)
	}
	return s.Sent(ctx, claimed[0])
}

// BenchmarkWaitingWorkers has 24 workers of three nodes wait for jobs that come one by one.
func BenchmarkWaitingWorkers(b *testing.B) {
	running := valkeytest.Start(b)
	nodes := []*Store{openAt(b, running.Addr(), "a"), openAt(b, running.Addr(), "b"), openAt(b, running.Addr(), "c")}
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan struct{})
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	for i := range 24 {
		workers.Go(func() {
			for ctx.Err() == nil {
				if did, err := waitForJob(ctx, nodes[i%len(nodes)]); err != nil {
					b.Error(err)
				} else if did {
					ended <- struct{}{}
				}
			}
		})
	}
	resetCalls(b, nodes[0])
	for i := range b.N {
		addJob(b, nodes[0], fmt.Sprintf("job%d", i))
		<-ended
	}
	b.ReportMetric(float64(scriptCalls(b, nodes[0]))/float64(b.N), "scripts/op")
}

// waitForJob waits for a job and finishes it. did is false where another worker has taken it, or
// ctx has ended.
func waitForJob(ctx context.Context, s *Store) (did bool, err error) {
	if err := s.WaitJob(ctx, toFetch); err != nil {
		return false, nil
	}
	whole := context.WithoutCancel(ctx)
	l, ok, err := s.LeaseJob(whole, "node", time.Minute, toFetch)
	if err != nil || !ok {
		return false, err
	}
	return true, s.FinishJob(whole, l, store.Outcome{})
}
