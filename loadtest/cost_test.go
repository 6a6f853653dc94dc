package loadtest

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// BenchmarkClient prints the processor time that the generator itself takes for a frame of 20 ms,
// the acknowledgments of the frames included. The server runs in another process.
func BenchmarkClient(b *testing.B) {
	url := referenceProcess(b, "0s")
	for _, sessions := range []int{100, 500} {
		const lasts = 4 * time.Second
		for range b.N {
			before := ownTime(b)
			r, err := Run(b.Context(), Options{
				URL: url, Clips: []*Clip{noise("one", mono16, 5*time.Second, 1)}, Sessions: sessions, Duration: lasts,
				RandomStart: true, Partials: true,
			})
			if err != nil || !r.OK() {
				b.Fatalf("report %+v, error %v", r, err)
			}
			spent := ownTime(b) - before
			frames := float64(sessions) * float64(lasts/(20*time.Millisecond))
			perFrame := float64(spent.Nanoseconds()) / 1e3 / frames
			fmt.Printf("%d sessions: %.2f µs/frame, ack p99 %.1f ms, lag p99 %.2f ms, CPU %.2f s\n", sessions,
				perFrame, 1e3*r.Delays.Ack.P99, 1e3*r.Delays.Lag.P99, spent.Seconds())
			b.ReportMetric(perFrame, "µs/frame")
		}
	}
}

// BenchmarkCapacity prints which capacity is found of a server in another process that carries 100
// sessions.
func BenchmarkCapacity(b *testing.B) {
	url := referenceProcess(b, "500us")
	for range b.N {
		r, err := FindCapacity(b.Context(), Search{
			Options: Options{URL: url, Clips: []*Clip{noise("one", mono16, 5*time.Second, 1)},
				Chunk: 50 * time.Millisecond},
			Objectives: []Objective{{Measure: "ack", Quantile: "p95", Limit: 0.3}},
			Start:      40, Settle: time.Second, Trial: 5 * time.Second, Confirm: 10 * time.Second,
		})
		if err != nil {
			b.Fatal(err)
		}
		fmt.Printf("%s in %.0f s\n", r.Capacity.Text(), r.Capacity.Wall)
		b.ReportMetric(float64(r.Capacity.Sessions), "sessions")
	}
}

func ownTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
