package subscribers

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"steno/messages"
)

// BenchmarkStalledReader reports how long events of 4 KiB take from the call that logs them to 120
// subscribers that read, while others have stopped reading, and while there are none of these, in
// turns of 100 events: the 99th percentiles in ms, and their difference. In each turn the readers
// that have stopped fill their connections and their queues, leave the hub and read the log.
func BenchmarkStalledReader(b *testing.B) {
	for _, n := range []int{1, 5, 20} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { benchStalled(b, 120, n) })
	}
}

func benchStalled(b *testing.B, healthy, stalled int) {
	const turn = 100
	s := newTestServer(b, func(c *Config) { c.Limits.WriteStall = time.Hour })
	k := s.testSession("a1")
	r := readers{k: k}
	for range healthy {
		r.conns = append(r.conns, s.subscribe(transportWebSocket, "/v2/live/a1/events"))
	}
	waitUntil(b, "all have joined", func() bool { return s.clients() == healthy })
	var alone, beside []time.Duration
	b.ResetTimer()
	for range max(b.N/turn, 1) {
		alone = append(alone, r.deliver(turn)...)
		var still []net.Conn
		for range stalled {
			still = append(still, s.subscribe(transportWebSocket, fmt.Sprintf("/v2/live/a1/events?from=%d",
				len(k.log)+1)))
		}
		waitUntil(b, "all have joined", func() bool { return s.clients() == healthy+stalled })
		beside = append(beside, r.deliver(turn)...)
		for _, c := range still {
			_ = c.Close()
		}
		waitUntil(b, "those that have stalled are gone", func() bool { return s.service.Count() == healthy })
	}
	b.StopTimer()
	for _, c := range r.conns {
		_ = c.Close()
	}
	must(b, k.live.Close())
	without, with := p99(alone), p99(beside)
	b.ReportMetric(without, "p99-ms-without")
	b.ReportMetric(with, "p99-ms-with")
	b.ReportMetric(with-without, "p99-ms-difference")
	b.ReportMetric(0, "ns/op")
}

// readers are subscribers that read everything.
type readers struct {
	k      *testSession
	conns  []net.Conn
	logged int
}

// deliver logs so many events, each when the one before has reached all readers, and returns how
// long each took to each.
func (r *readers) deliver(events int) []time.Duration {
	var (
		mu    sync.Mutex
		delay []time.Duration
	)
	for range events {
		r.logged++
		began := time.Now()
		var all sync.WaitGroup
		for _, c := range r.conns {
			all.Go(func() {
				err := skipMessage(c)
				took := time.Since(began)
				mu.Lock()
				defer mu.Unlock()
				if delay = append(delay, took); err != nil {
					r.k.t.Error(err)
				}
			})
		}
		r.k.logs(messages.KindFinal, strconv.Itoa(r.logged), 4<<10)
		all.Wait()
	}
	return delay
}

// skipMessage reads one message of a WebSocket, of 126 to 65535 bytes.
func skipMessage(c net.Conn) error {
	var header [4]byte
	if _, err := io.ReadFull(c, header[:]); err != nil {
		return err
	}
	_, err := io.CopyN(io.Discard, c, int64(header[2])<<8|int64(header[3]))
	return err
}

// p99 is the 99th percentile in ms.
func p99(delay []time.Duration) float64 {
	slices.Sort(delay)
	return delay[len(delay)*99/100].Seconds() * 1e3
}
