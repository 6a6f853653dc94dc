package endtoend_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"steno/cmd/cmdtest"
	"steno/loadtest"
)

// How long BenchmarkFrameCost looks at a server without sessions, lets sessions run before it
// measures, waits when it has counted allocations, which takes a server with thousands of sessions
// as long as a collection of garbage, and measures.
const (
	costIdles   = 4 * time.Second
	costSettles = 4 * time.Second
	costRests   = time.Second
	costLasts   = 8 * time.Second
)

// cost is what a server spends on a frame, beside what the clients saw.
type cost struct {
	processor   time.Duration // for each frame
	allocations float64       // for each frame, beyond those of a server without sessions in that time
	ackP99      time.Duration // see heardFrom
	serverP99   time.Duration
	late        float64 // share of the frames that were sent more than 5 ms late: the clients were too slow
	stolen      float64 // share of the machine's processor time that its host gave to others
	memory      float64 // bytes that the process has more than it had without a session, for each
}

// report makes the figures the benchmark's.
func (c cost) report(b *testing.B) {
	b.ReportMetric(float64(c.processor.Nanoseconds())/1e3, "µs/frame")
	b.ReportMetric(c.allocations, "allocs/frame")
	b.ReportMetric(c.ackP99.Seconds()*1e3, "ack-p99-ms")
	b.ReportMetric(c.serverP99.Seconds()*1e3, "server-ack-p99-ms")
	b.ReportMetric(100*c.late, "late-%")
	b.ReportMetric(100*c.stolen, "stolen-%")
	b.ReportMetric(c.memory/1024, "KiB/session")
	b.ReportMetric(0, "ns/op")
	if c.late > mostLate {
		b.Logf("in doubt: more than %v%% of the frames were sent late, and came all at once then", 100*mostLate)
	}
}

// mostLate is the share of frames sent more than 5 ms late from which on the delays may be the
// clients' own doing: loadtest, too, does not judge a server by a generator that is late by more at
// its 99th percentile.
const mostLate = 0.01

// costTries is how often BenchmarkFrameCost measures at most what its clients are too late for.
const costTries = 4

// inTime measures until the clients were in time.
func inTime(b *testing.B, measure func(*testing.B) cost) (c cost) {
	b.Helper()
	for try := 1; ; try++ {
		c = measure(b)
		if c.late <= mostLate || try == costTries {
			return c
		}
		b.Logf("measured again, as %.1f%% of the frames were sent late, and %.1f%% of the processor time was stolen; ack p99 %.1f ms",
			100*c.late, 100*c.stolen, c.ackP99.Seconds()*1e3)
	}
}

// clientLoad is many sessions whose clients send the same kind of audio.
type clientLoad struct {
	name     string
	sessions int
	chunk    time.Duration
	sounds   func(i int) rawSound
}

// clientLoads are those that BenchmarkFrameCost measures. Sessions of zeros are not judged by the
// detector.
func clientLoads() []clientLoad {
	const short, long = 20 * time.Millisecond, 100 * time.Millisecond
	room, speech := roomNoise(rand.New(rand.NewPCG(5, 6))), loadtest.Speech(20*time.Second, 1).Data
	from := func(pcm []byte) func(int) rawSound { // each client another place
		return func(i int) rawSound { return rawSound{pcm, i * 7919 * 640 % len(pcm)} }
	}
	zeros, silent := from(make([]byte, 2*clipRate)), from(room)
	partly := func(silence float64) func(int) rawSound { return from(mixed(speech, room, silence)) }
	return []clientLoad{
		{"1000_zeros", 1000, short, zeros},
		{"300_silent", 300, short, silent},
		{"300_speaking", 300, short, partly(0)},
		{"1000_silent", 1000, short, silent},
		{"1000_half_silent", 1000, short, partly(0.5)},
		{"1500_nine_tenths_silent", 1500, short, partly(0.9)},
		{"2500_nine_tenths_silent_100ms", 2500, long, partly(0.9)},
	}
}

// BenchmarkFrameCost measures the processor time and the allocations that the gateway spends on a
// frame, the delays of the acknowledgments and the memory of a session, beside a bare WebSocket
// server with the same acknowledgments. Gateway and bare server have the first processor, one after
// the other; clients and engine have the second one.
//
// Each load begins with memory that was in use before, see warmPages.
//
// Where the clients were late, as on a virtual machine whose host is busy, it measures again: a
// late client sends several frames together, and what held it up held up the server as well.
//
// ack-p99-ms is from when a frame was due until the client had read its acknowledgment: where the
// clients' processor is full, that is their own delay, too. server-ack-p99-ms is from when the
// frame was written until the client's system had the acknowledgment.
func BenchmarkFrameCost(b *testing.B) {
	if runtime.NumCPU() < 2 {
		b.Skip("needs two processors")
	}
	defer pinThreads(b, os.Getpid(), allProcessors()...)
	pinThreads(b, os.Getpid(), 1)
	all := clientLoads()
	b.Run("bare", func(b *testing.B) {
		inTime(b, func(b *testing.B) cost { return measureBare(b, all[0]) }).report(b)
	})
	for _, c := range all {
		b.Run(c.name, func(b *testing.B) {
			inTime(b, func(b *testing.B) cost { return measureGateway(b, c) }).report(b)
		})
	}
}

// roomNoise is noise that is duller than white, as loud as that of a quiet room, and a little
// restless.
func roomNoise(r *rand.Rand) (pcm []byte) {
	const level = 33 // in steps of 16 bits
	y, gain := 0.0, 1.0
	for i := range 30 * clipRate {
		if i%(clipRate/10) == 0 {
			gain = 0.8*gain + 0.2*(1+0.5*r.NormFloat64())
		}
		y += 0.3 * (r.NormFloat64() - y)
		pcm = binary.LittleEndian.AppendUint16(pcm, uint16(int16(2.38*level*gain*y)))
	}
	return pcm
}

// mixed returns speech followed by noise, which is the part silence of the whole.
func mixed(speech, noise []byte, silence float64) []byte {
	all := append([]byte(nil), speech...)
	for want := int(float64(len(speech)) / (1 - silence)); len(all) < want; {
		all = append(all, noise[:min(len(noise), want-len(all))]...)
	}
	return all
}

// measureBare measures the bare server.
func measureBare(b *testing.B, c clientLoad) cost {
	b.Helper()
	addr := cmdtest.Address(b)
	cmd := exec.Command(cmdtest.Build(b, "loadtest"), "reference", "--listen", addr)
	cmd.Stderr = os.Stderr
	cmd.WaitDelay = time.Second
	pinned(b, 0, func() {
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
	})
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	for _, err := get(b.Context(), "http://"+addr+"/readyz"); err != nil; _, err = get(b.Context(), "http://"+addr+
		"/readyz") {
		time.Sleep(20 * time.Millisecond)
	}
	return measure(b, c, measured{url: "http://" + addr, pid: cmd.Process.Pid})
}

// measureGateway measures a gateway with the scripted engine.
func measureGateway(b *testing.B, c clientLoad) cost {
	b.Helper()
	admin := cmdtest.Address(b)
	g, pid := pinnedGateway(b, "STENO_ADMIN="+admin, "STENO_LIMITS_SESSIONS=5000", "STENO_LIMITS_SESSIONS_PER_KEY=5000",
		"STENO_LIMITS_SESSION_RATE_PER_KEY=0", "STENO_LOG_LEVEL=error")
	defer g.end()
	return measure(b, c, measured{url: g.url(), pid: pid, admin: admin})
}

// pinnedGateway starts a gateway with the scripted engine, which has the first processor, and the
// engine the second. It returns the id of its process, too.
func pinnedGateway(b *testing.B, env ...string) (g *gateway, pid int) {
	b.Helper()
	pinned(b, 0, func() { g = newGateway(b, build(b), "scripted", env...) })
	pid = g.current().cmd.Process.Pid
	engine, err := childNamed(pid, "steno-engine")
	if err != nil {
		b.Fatal(err)
	}
	pinThreads(b, engine, 1)
	return g, pid
}

// measured is a server that is measured.
type measured struct {
	url   string
	pid   int
	admin string // its admin address; "" if it has none, and its allocations are not counted
}

// measure has a load of clients speak to a server, and returns what its process spends on that.
func measure(b *testing.B, c clientLoad, server measured) (spent cost) {
	b.Helper()
	pid, allocations := server.pid, func() float64 {
		if server.admin == "" {
			return 0
		}
		return allocations(b, server.admin)
	}
	sounds := make([]rawSound, c.sessions)
	for i := range sounds {
		sounds[i] = c.sounds(i)
	}
	idle := allocationsIn(func() { time.Sleep(costIdles) }, allocations) * float64(costRests+costLasts) /
		float64(costIdles)
	empty := residentMemory(b, pid) // when what starting left has been given back
	clients := dialRaw(b, server.url, testKey, `{"endpointing":0.3}`, c.chunk, sounds)
	defer clients.end()
	warmPages(b, 2*c.sessions*2*clipRate*int((costSettles+costRests+costLasts).Seconds()))
	clients.speak()
	time.Sleep(costSettles)
	var saw heardFrom
	counted := int64(0) // frames
	made := allocationsIn(func() {
		from := clients.frames.Load()
		time.Sleep(costRests)
		began, stolen := processorTime(b, pid), stolenTime(b)
		profiled(b, server.admin, costLasts, func() { saw = clients.measure(costLasts) })
		spent.processor = (processorTime(b, pid) - began) / time.Duration(saw.frames)
		spent.stolen = float64(stolenTime(b)-stolen) / float64(costLasts) / float64(runtime.NumCPU())
		counted = clients.frames.Load() - from
	}, allocations)
	spent.allocations = (made - idle) / float64(counted)
	spent.ackP99, spent.serverP99, spent.late = saw.heard, saw.server, float64(saw.late)/float64(saw.frames)
	spent.memory = (residentMemory(b, pid) - empty) / float64(c.sessions)
	if lost := clients.lost.Load(); lost > 0 {
		b.Errorf("%d sockets were lost", lost)
	}
	return spent
}

// warmPages has the system use memory for a number of bytes of files, and release it again. A
// virtual machine gets its memory page by page when that is first used, which takes three times as
// long as to write the page, and memory that it does not use may be taken from it again. A server
// that has run for a while uses pages again.
func warmPages(b *testing.B, bytes int) {
	b.Helper()
	f, err := os.CreateTemp(b.TempDir(), "pages")
	if err != nil {
		b.Fatal(err)
	}
	piece := make([]byte, 1<<20)
	for ; bytes > 0 && err == nil; bytes -= len(piece) {
		_, err = f.Write(piece)
	}
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		b.Fatal(err)
	}
}

// allocationsIn is how many allocations there are while something is done. count tells how many
// there were so far, and makes some itself.
func allocationsIn(do func(), count func() float64) float64 {
	first := count()
	before := count()
	do()
	return count() - before - (before - first)
}

// TestSilentSessionsTakeLittle holds what a silent session takes of memory, on the heap and on
// stacks, and that frames of silence are not allocated for.
func TestSilentSessionsTakeLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the gateway for some seconds")
	}
	const (
		first    = 20 // sessions that fill caches and pools
		sessions = 80
		frames   = 2 * 50 * sessions // of two seconds
		// bytes for each session, of which a third where the last bytes of files cannot be mapped
		mostUsed = 26 << 10
		// allocations for each frame: acks are allocated in batches, and buffers after a collection
		mostMade = 0.1
	)
	admin := cmdtest.Address(t)
	var g *gateway
	pinned(t, 0, func() { // there are many sockets for each processor
		g = newGateway(t, build(t), "scripted", "STENO_ADMIN="+admin, "STENO_LIMITS_SESSION_RATE_PER_KEY=0")
	})
	room := roomNoise(rand.New(rand.NewPCG(5, 6)))
	connect := func(n int) *rawClients {
		sounds := make([]rawSound, n)
		for i := range sounds {
			sounds[i] = rawSound{room, i * 640}
		}
		c := dialRaw(t, g.url(), testKey, "{}", 20*time.Millisecond, sounds)
		c.speak()
		return c
	}
	before := connect(first)
	before.await(50 * first)
	used := memoryInUse(t, admin)
	clients := connect(sessions)
	clients.await(frames)
	each := (memoryInUse(t, admin) - used) / sessions
	spoken := int64(0) // frames, of both groups of clients
	made := allocationsIn(func() {
		from := clients.frames.Load() + before.frames.Load()
		clients.await(clients.frames.Load() + frames)
		spoken = clients.frames.Load() + before.frames.Load() - from
	}, func() float64 { return allocations(t, admin) })
	made /= float64(spoken)
	if t.Logf("%.0f bytes for each session, %.4f allocations for each frame", each, made); each > mostUsed ||
		made > mostMade {
		t.Errorf("%.0f bytes for each session, %.4f allocations for each frame; want at most %d and %g", each, made,
			mostUsed, mostMade)
	}
	if lost := clients.lost.Load(); lost > 0 {
		t.Errorf("%d sockets were lost", lost)
	}
}

// memoryInUse is what a gateway has on its heap and on its stacks, in bytes, after collections: the
// first of them halve stacks and empty pools.
func memoryInUse(tb testing.TB, admin string) float64 {
	tb.Helper()
	for range 3 {
		memoryFigure(tb, admin, "gc=1&", "# HeapAlloc = ")
	}
	heap, stacks := memoryFigure(tb, admin, "gc=1&", "# HeapAlloc = "), memoryFigure(tb, admin, "", "# Stack = ")
	tb.Logf("%.0f bytes on the heap, %.0f of stacks", heap, stacks)
	return heap + stacks
}

// residentMemory is how much memory a process has, in bytes.
func residentMemory(tb testing.TB, pid int) float64 {
	tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		tb.Fatal(err)
	}
	pages, err := strconv.ParseFloat(strings.Fields(string(text))[1], 64)
	if err != nil {
		tb.Fatal(err)
	}
	return pages * float64(os.Getpagesize())
}

// tick is the unit of processor times in /proc, USER_HZ: 100 on all architectures that Go has.
const tick = 10 * time.Millisecond

// processorTime is what a process has used so far, its children apart.
func processorTime(tb testing.TB, pid int) time.Duration {
	tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		tb.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	var ticks int64
	for _, f := range fields[11:13] { // user, system
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			tb.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * tick
}

// stolenTime is how long the machine's processors, together, were ready so far while the machine's
// host gave them to others.
func stolenTime(tb testing.TB) time.Duration {
	tb.Helper()
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		tb.Fatal(err)
	}
	all, _, _ := strings.Cut(string(text), "\n") // cpu user nice system idle iowait irq softirq steal …
	ticks, err := strconv.ParseInt(strings.Fields(all)[8], 10, 64)
	if err != nil {
		tb.Fatal(err)
	}
	return time.Duration(ticks) * tick
}

// allocations is how many a gateway has made so far.
func allocations(tb testing.TB, admin string) float64 {
	return memoryFigure(tb, admin, "", "# Mallocs = ")
}

// memoryFigure reads a figure of the Go runtime of a gateway. query is put before that for the
// text.
func memoryFigure(tb testing.TB, admin, query, name string) float64 {
	tb.Helper()
	return figure(tb, "http://"+admin+"/debug/pprof/heap?"+query+"debug=1", name)
}

// pinned does something on a processor: what it starts stays there.
func pinned(tb testing.TB, processor int, do func()) {
	tb.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, one unix.CPUSet
	one.Set(processor)
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		tb.Fatal(err)
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		tb.Fatal(err)
	}
	do()
	if err := unix.SchedSetaffinity(0, &before); err != nil {
		tb.Fatal(err)
	}
}

// allProcessors are those of the machine.
func allProcessors() (all []int) {
	for i := range runtime.NumCPU() {
		all = append(all, i)
	}
	return all
}

// pinThreads puts the threads of a process, and those that they start, on some processors.
func pinThreads(tb testing.TB, pid int, processors ...int) {
	tb.Helper()
	var set unix.CPUSet
	for _, p := range processors {
		set.Set(p)
	}
	for range 2 { // threads may begin meanwhile
		for _, t := range threads(tb, pid) {
			id, err := strconv.Atoi(filepath.Base(t))
			if err != nil {
				tb.Fatal(err)
			}
			if err := unix.SchedSetaffinity(id, &set); err != nil && err != syscall.ESRCH {
				tb.Fatal(err)
			}
		}
	}
}

// threads are the folders of a process's threads.
func threads(tb testing.TB, pid int) []string {
	tb.Helper()
	all, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil {
		tb.Fatal(err)
	}
	return all
}
