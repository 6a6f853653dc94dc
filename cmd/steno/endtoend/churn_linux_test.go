package endtoend_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"steno/cmd/cmdtest"
)

// BenchmarkChurn measures by how much the memory in use grows while so many sessions come and go:
//
//	go test -run '^$' -bench Churn -benchtime 200000x -timeout 2h ./cmd/steno
//
// It is looked at ten times: at what is in use on the heap and as stacks, at the memory that the
// process has, and at how much of this is not free memory of Go's. Of free memory Go keeps some for
// a while, now more and now less, by one or two percent of all; what is in use differs by some
// percent, too, with the connections and buffers that are kept for a while. The growth is from the
// median of the first three looks to that of the last three. Go keeps a descriptor for each of the
// most goroutines there ever were at a time, about 0.5 KiB, which is a growth that does not
// continue: before, more sessions come and go at a time. It keeps threads too, with 32 KiB of stack
// for signals and 5 KiB of heap each: where more calls of the system wait at a time than ever
// before, as on a slow disk, there are more from then on. Their number is logged.
func BenchmarkChurn(b *testing.B) {
	const (
		first   = 20_000 // sessions after which caches and pools are full
		atOnce  = 16
		atFirst = 2 * atOnce
		looks   = 10
		median  = 3 // looks of which it is taken
	)
	if b.N < looks {
		return // a trial of the framework's
	}
	admin := cmdtest.Address(b)
	g := newGateway(b, build(b), "scripted", "STENO_ADMIN="+admin, "STENO_LIMITS_SESSIONS=5000",
		"STENO_LIMITS_SESSIONS_PER_KEY=5000",
		"STENO_LIMITS_SESSION_RATE_PER_KEY=0", "STENO_LIMITS_RESUME_WINDOW=1s", "STENO_LOG_LEVEL=error")
	pid := g.current().cmd.Process.Pid
	churn(b, g.url(), first, atFirst)
	memoryInUse(b, admin) // what tells it takes memory of its own, once
	var inUse, resident, needed []float64
	b.ResetTimer()
	for range looks {
		churn(b, g.url(), b.N/looks, atOnce)
		b.StopTimer()
		time.Sleep(10 * time.Second) // after which free memory has been given back
		resident = append(resident, residentMemory(b, pid))
		inUse = append(inUse, memoryInUse(b, admin))
		needed = append(needed, residentMemory(b, pid)-freeMemory(b, admin))
		b.Logf("%d threads", len(threads(b, pid)))
		b.StartTimer()
	}
	for name, all := range map[string][]float64{"growth-%": inUse, "resident-growth-%": resident,
		"resident-in-use-growth-%": needed} {
		b.Logf("%s: %.0f", name, all)
		before, after := all[:median], all[looks-median:]
		slices.Sort(before)
		slices.Sort(after)
		b.ReportMetric(100*(after[median/2]/before[median/2]-1), name)
	}
}

// freeMemory is what the gateway's heap has and does not use, in bytes: without what it has given
// back.
func freeMemory(b *testing.B, admin string) float64 {
	b.Helper()
	return memoryFigure(b, admin, "", "# HeapIdle = ") - memoryFigure(b, admin, "", "# HeapReleased = ")
}

// churn has so many sessions come and go, some at a time, and waits until the gateway has forgotten
// them.
func churn(b *testing.B, address string, sessions, atOnce int) {
	b.Helper()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for next.Add(1) <= int64(sessions) {
				if err := comeAndGo(address); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	workers.Wait()
	time.Sleep(3 * time.Second)
}

// comeAndGo opens a session, sends a frame of silence and a stop, and reads to the end.
func comeAndGo(address string) error {
	fd, got, err := openRaw(address, testKey, "{}")
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(fd) }()
	if err := syscall.SetNonblock(fd, false); err != nil {
		return err
	}
	if err := syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &syscall.Timeval{Sec: 30}); err !=
		nil {
		return err
	}
	stop := `{"type":"stop_recording"}`
	frames := append([]byte{0x82, 0x80 | 126, 2, 128, 0, 0, 0, 0}, make([]byte, 640)...)
	frames = append(append(frames, 0x81, 0x80|byte(len(stop)), 0, 0, 0, 0), stop...)
	if _, err := syscall.Write(fd, frames); err != nil {
		return err
	}
	for buf := make([]byte, 4096); ; {
		for payload, rest, whole := cutFrame(got); whole; payload, rest, whole = cutFrame(got) {
			switch got[0] & 15 {
			case 8:
				_, err := syscall.Write(fd, append([]byte{0x88, 0x80 | byte(len(payload)), 0, 0, 0, 0}, payload...))
				return err
			case 9:
				if _, err := syscall.Write(fd, append([]byte{0x8A, 0x80 | byte(len(payload)), 0, 0, 0, 0},
					payload...)); err != nil {
					return err
				}
			}
			got = rest
		}
		n, err := syscall.Read(fd, buf)
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 {
			return fmt.Errorf("socket ended early: %d bytes, %w", n, err)
		}
		got = append(got, buf[:n]...)
	}
}
