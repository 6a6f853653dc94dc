package loadtest

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// BenchmarkClient prints the processor time that the generator itself takes for a frame of 20 ms, the acknowledgments of
// the frames included. The server runs in another process.
func BenchmarkClient(b *testing.B) {
	url := referenceProcess(b)
	for _, sessions := range []int{100, 500} {
		const lasts = 4 * time.Second
		for range b.N {
			before := ownTime(b)
			r, err := Run(b.Context(), Options{
				URL: url, Clips: []*Clip{noise("one", mono16, 5*time.Second, 1)}, Sessions: sessions, Duration: lasts, RandomStart: true, Partials: true,
			})
			if err != nil || !r.OK() {
				b.Fatalf("report %+v, error %v", r, err)
			}
			spent := ownTime(b) - before
			frames := float64(sessions) * float64(lasts/(20*time.Millisecond))
			perFrame := float64(spent.Nanoseconds()) / 1e3 / frames
			fmt.Printf("%d sessions: %.2f µs/frame, ack p99 %.1f ms, lag p99 %.2f ms, CPU %.2f s\n", sessions, perFrame, 1e3*r.Delays.Ack.P99, 1e3*r.Delays.Lag.P99, spent.Seconds())
			b.ReportMetric(perFrame, "µs/frame")
		}
	}
}

func ownTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
