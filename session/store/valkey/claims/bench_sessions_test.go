package claims

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"steno/messages"
	"steno/session"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/valkeytest"
)

// claimer is what the benchmarks need of a store.
type claimer interface {
	Create(context.Context, store.Record) error
	Claim(context.Context, string, store.Intent) (store.Live, error)
}

// sessionStores runs a benchmark on the embedded store and on a server.
func sessionStores(b *testing.B, run func(b *testing.B, s claimer)) {
	b.Run("embedded", func(b *testing.B) {
		s, err := embedded.Open(b.Context(), b.TempDir())
		must(b, err)
		defer s.Close()
		run(b, s)
	})
	b.Run("valkey", func(b *testing.B) {
		s, err := openRig(b.Context(), rigOptions{Addr: valkeytest.Start(b, valkeytest.Deployed()...).Addr(),
			Node: "a", Blobs: b.TempDir()})
		must(b, err)
		defer s.Close()
		run(b, s)
	})
}

// openLive makes a session and claims it, without a bound for its calls.
func openLive(b *testing.B, s claimer, id string) store.Live {
	b.Helper()
	must(b, s.Create(b.Context(), liveRecord(id)))
	l, err := s.Claim(b.Context(), id, store.IfFree)
	must(b, err)
	if l, ok := l.(*Live); ok {
		l.pace.SetLimit(rate.Inf)
	}
	return l
}

// waiter waits for a handle's progress.
type waiter struct {
	store.Live
	grown chan struct{}
}

func newWaiter(l store.Live) waiter {
	w := waiter{l, make(chan struct{}, 1)}
	l.Notify(func() {
		select {
		case w.grown <- struct{}{}:
		default:
		}
	})
	return w
}

func (w waiter) until(p session.Progress) {
	for now := w.Durable(); now.Seq < p.Seq || now.Boundary < p.Boundary; now = w.Durable() {
		<-w.grown
	}
}

// BenchmarkAck is the time from 100 ms of audio until its ack may go out.
func BenchmarkAck(b *testing.B) {
	sessionStores(b, func(b *testing.B, s claimer) {
		w := newWaiter(openLive(b, s, "job"))
		p := make([]byte, 3200)
		for b.Loop() {
			must(b, w.AppendAudio(b.Context(), p))
			size := w.AudioSize()
			must(b, w.Sync(size))
			w.until(session.Progress{Boundary: size})
		}
		must(b, w.Close())
	})
}

// BenchmarkEvent is the time until an event with a checkpoint may go out.
func BenchmarkEvent(b *testing.B) {
	sessionStores(b, func(b *testing.B, s claimer) {
		w := newWaiter(openLive(b, s, "job"))
		checkpoint, n := make([]byte, 24<<10), 0
		for b.Loop() {
			n++
			e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(n)},
				Body: make([]byte, 500)}
			seq, _, err := w.AppendEvent(b.Context(), e, 0, checkpoint)
			must(b, err)
			w.until(session.Progress{Seq: seq})
		}
		must(b, w.Close())
	})
}

// costs are calls of scripts, and seconds of a core: of the scripts, of the server, of this
// process.
type costs struct{ calls, scripts, server, process float64 }

func costsOf(b *testing.B, s *rig) (c costs) {
	b.Helper()
	text, err := s.Client.Do(b.Context(), s.Client.B().Info().Section("commandstats", "cpu").Build()).ToString()
	must(b, err)
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch name {
		case "cmdstat_evalsha":
			var micros float64
			_, err = fmt.Sscanf(value, "calls=%f,usec=%f", &c.calls, &micros)
			must(b, err)
			c.scripts = micros / 1e6
		case "used_cpu_sys", "used_cpu_user":
			seconds, err := strconv.ParseFloat(value, 64)
			must(b, err)
			c.server += seconds
		}
	}
	var used syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	c.process = time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
	return c
}

// BenchmarkSpeaking has many sessions speak in real time, a second for each round, with the bound
// for calls that they have.
func BenchmarkSpeaking(b *testing.B) {
	for _, sessions := range []int{100, 500, 1000} {
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			running := valkeytest.Start(b, valkeytest.Deployed()...)
			s, err := openRig(b.Context(), rigOptions{Addr: running.Addr(), Node: "a", Blobs: b.TempDir()})
			must(b, err)
			defer s.Close()
			handles := make([]waiter, sessions)
			for i := range handles {
				must(b, s.Create(b.Context(), liveRecord(fmt.Sprint("job", i))))
				l, err := s.Claim(b.Context(), fmt.Sprint("job", i), store.IfFree)
				must(b, err)
				handles[i] = newWaiter(l)
			}
			before := costsOf(b, s)
			var mu sync.Mutex
			var latest, sum time.Duration
			var acks int
			for b.Loop() {
				var speaking sync.WaitGroup
				for i, w := range handles {
					speaking.Go(func() {
						time.Sleep(time.Duration(i) * 100 * time.Millisecond / time.Duration(sessions))
						for range 10 {
							began := time.Now()
							must(b, w.AppendAudio(b.Context(), make([]byte, 3200)))
							size := w.AudioSize()
							must(b, w.Sync(size))
							w.until(session.Progress{Boundary: size})
							took := time.Since(began)
							mu.Lock()
							latest, sum, acks = max(latest, took), sum+took, acks+1
							mu.Unlock()
							time.Sleep(100*time.Millisecond - took)
						}
					})
				}
				speaking.Wait()
			}
			seconds := b.Elapsed().Seconds()
			after, n := costsOf(b, s), float64(acks)
			b.ReportMetric((after.calls-before.calls)/seconds/float64(sessions), "scripts/s/session")
			b.ReportMetric((after.scripts-before.scripts)/n*1e6, "µs-script/ack")
			b.ReportMetric((after.server-before.server)/n*1e6, "µs-server/ack")
			b.ReportMetric((after.process-before.process)/n*1e6, "µs-here/ack")
			b.ReportMetric(n/(after.server-before.server), "acks/core-s")
			b.ReportMetric(float64(sum.Microseconds())/float64(acks)/1000, "ms/ack")
			b.ReportMetric(float64(latest.Microseconds())/1000, "ms/slowest-ack")
		})
	}
}
