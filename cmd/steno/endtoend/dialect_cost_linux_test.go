package endtoend_test

import (
	"context"
	"iter"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/pprof/profile"

	"steno/cmd/cmdtest"
)

// What BenchmarkDialectCost plays.
const (
	dialectClients = 100
	dialectFrame   = 20 * time.Millisecond
	dialectSettles = 3 * time.Second
	dialectLasts   = 25 * time.Second
)

// BenchmarkDialectCost reports which share of the processor time that a gateway spends on frames
// of 20 ms its dialects take, for a hundred speakers of each kind: reading the frames, and writing
// what is said of them, as against all that the process does. It is taken from a profile of a
// gateway with a processor of its own. The engine has ten partials a second, several times as many
// as those that recognize.
func BenchmarkDialectCost(b *testing.B) {
	if runtime.NumCPU() < 2 {
		b.Skip("needs two processors")
	}
	defer pinThreads(b, os.Getpid(), allProcessors()...)
	pinThreads(b, os.Getpid(), 1)
	for _, c := range soakClients {
		b.Run(strings.ReplaceAll(c.name, " ", "_"), func(b *testing.B) { c.cost(b) })
	}
}

func (c soakClient) cost(b *testing.B) {
	admin := cmdtest.Address(b)
	g, pid := pinnedGateway(b, "STENO_ADMIN="+admin, "STENO_LIMITS_SESSIONS_PER_KEY=500",
		"STENO_LIMITS_SESSION_RATE_PER_KEY=0", "STENO_LOG_LEVEL=error")
	defer g.end()
	ctx, stop := context.WithCancel(b.Context())
	var clients sync.WaitGroup
	defer clients.Wait()
	defer stop()
	frames := c.frames(dialectFrame)
	for n := range dialectClients {
		conn, err := c.dial(ctx, g, testKey)
		if err == nil {
			err = say(ctx, conn, c.first)
		}
		if err != nil {
			b.Fatal(err)
		}
		clients.Go(func() { speakOn(ctx, conn, frames, n) })
		clients.Go(func() {
			for err := error(nil); err == nil; {
				_, _, err = conn.Read(ctx)
			}
		})
	}
	time.Sleep(dialectSettles)
	spent := processorTime(b, pid)
	p, err := takeProfile(b, admin, dialectLasts)
	if err != nil {
		b.Fatal(err)
	}
	spent = processorTime(b, pid) - spent
	each := spent / time.Duration(dialectClients*int(dialectLasts/dialectFrame))
	reading, writing := sharesOfDialects(p)
	b.ReportMetric(100*reading, "%reading")
	b.ReportMetric(100*writing, "%writing")
	b.ReportMetric(float64(each.Nanoseconds())/1e3, "µs/frame")
	b.ReportMetric(0, "ns/op")
}

// speakOn sends frames, from the nth on and again from the first, until ctx ends.
func speakOn(ctx context.Context, conn *websocket.Conn, frames []soakMessage, n int) {
	defer func() { _ = conn.CloseNow() }()
	tick := time.NewTicker(dialectFrame)
	defer tick.Stop()
	for ; ; n++ {
		m := frames[n%len(frames)]
		if conn.Write(ctx, m.kind, m.data) != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sharesOfDialects are the parts of a profile's processor time that were spent in dialects, and in
// what they call of libraries and of the gateway's general rooms: on what their clients send, and
// on what these are sent.
func sharesOfDialects(p *profile.Profile) (reading, writing float64) {
	all := int64(0)
	for _, s := range p.Sample {
		time := s.Value[len(s.Value)-1]
		all += time
		switch {
		case !ofDialect(s):
		case through(s, "steno/gateway/client.(*reader)"):
			reading += float64(time)
		default:
			writing += float64(time)
		}
	}
	return reading / float64(max(all, 1)), writing / float64(max(all, 1))
}

// ofDialect reports whether the innermost function of the project, general rooms apart, is a
// dialect's.
func ofDialect(s *profile.Sample) bool {
	for name := range functions(s) {
		if strings.HasPrefix(name, "steno/gateway/dialect") {
			return true
		}
		general := strings.HasPrefix(name, "steno/messages.") || strings.HasPrefix(name, "steno/gateway/web.")
		if strings.HasPrefix(name, "steno/") && !general {
			return false
		}
	}
	return false
}

// through reports whether a function with such a name called what was running.
func through(s *profile.Sample, prefix string) bool {
	for name := range functions(s) {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// functions are the names of a sample's functions, the innermost first.
func functions(s *profile.Sample) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, l := range s.Location {
			for _, line := range l.Line {
				if !yield(line.Function.Name) {
					return
				}
			}
		}
	}
}
