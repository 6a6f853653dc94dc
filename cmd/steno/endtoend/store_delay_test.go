package endtoend_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/audio"
	"steno/loadtest"
	"steno/session/store/valkeytest"
)

// How many sessions BenchmarkAckDelay plays, for how long, and how often in turn.
const (
	ackSessions = 500
	ackLasts    = 20 * time.Second
	ackRounds   = 3
)

// BenchmarkAckDelay prints how long acknowledgements take with many sessions on the store of one
// machine and on Valkey, in turn, both with the speech detector, on calls of nine tenths silence.
// Valkey has the settings that deployments have (valkeytest.Deployed), so that it writes its file
// every second and does not rewrite it meanwhile, which is checked. The machine carries gateway,
// engine, Valkey and clients; where it is busy with anything else, that is what is measured.
func BenchmarkAckDelay(b *testing.B) {
	bin := build(b)
	many := []string{"STENO_LIMITS_SESSIONS_PER_KEY=5000", "STENO_LIMITS_SESSION_RATE_PER_KEY=1000"}
	alone := newGateway(b, bin, "scripted", many...)
	server := valkeytest.Start(b, valkeytest.Deployed()...)
	shared := gatewayToBe(b, bin, "scripted", many...)
	shared.args = []string{"--valkey", server.Addr(), "--blob", "file://" + b.TempDir(), "--node", "bench"}
	if err := shared.start(); err != nil {
		b.Fatal(err)
	}
	fmt.Printf("\nvalkey-server %s\n", strings.Join(valkeytest.Deployed(), " "))
	fmt.Printf("%-10s %9s %10s %10s %10s\n", "store", "acks", "p50", "p95", "p99")
	var above []float64 // milliseconds
	for range ackRounds {
		embedded, valkey := ackDelay(b, alone), ackDelay(b, shared)
		for name, d := range map[string]loadtest.Delay{"embedded": embedded, "valkey": valkey} {
			fmt.Printf("%-10s %9d %9.1fms %9.1fms %9.1fms\n", name, d.Count, 1e3*d.P50, 1e3*d.P95, 1e3*d.P99)
		}
		above = append(above, 1e3*(valkey.P99-embedded.P99))
	}
	for _, figure := range []string{"aof_rewrite_in_progress", "aof_rewrites"} {
		if n := information(server, "persistence", figure); n != "0" {
			b.Errorf("%s is %q: the file was rewritten while acks were measured", figure, n)
		}
	}
	fmt.Printf("valkey waited %s times for its file to be synced\n", information(server, "persistence",
		"aof_delayed_fsync"))
	slices.Sort(above)
	b.ReportMetric(above[len(above)/2], "ms-p99-above")
}

// information is a figure of a section of what a server tells about itself; empty where it is not
// there.
func information(server *valkeytest.Server, section, figure string) string {
	_, rest, _ := strings.Cut(server.Must("INFO", section), "\n"+figure+":")
	value, _, _ := strings.Cut(rest, "\r")
	return value
}

// ackDelay plays sessions and returns how long their acks took.
func ackDelay(b *testing.B, g *gateway) loadtest.Delay {
	b.Helper()
	format := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: clipRate, Channels: 1}
	report, err := loadtest.Run(context.Background(), loadtest.Options{
		URL: g.url(), Key: testKey, Sessions: ackSessions, Duration: ackLasts, Chunk: 100 * time.Millisecond,
		RandomStart: true,
		Clips:       []*loadtest.Clip{{Name: "babble", Format: format, Data: mostlySilent()}},
	})
	if err != nil {
		b.Fatal(err)
	}
	if report.Done != ackSessions {
		b.Errorf("%d of %d sessions came to their end", report.Done, ackSessions)
	}
	return report.Delays.Ack
}

// mostlySilent is two seconds of speech and eighteen of a room's faint noise.
func mostlySilent() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	pcm := append([]byte(nil), babble(nil).pcm[clipRate:5*clipRate]...)
	for len(pcm) < 20*2*clipRate {
		pcm = binary.LittleEndian.AppendUint16(pcm, uint16(int16(4*r.NormFloat64())))
	}
	return pcm
}

// takeovers is how often BenchmarkTakeover moves a session.
const takeovers = 20

// BenchmarkTakeover prints how long a client that comes to another gateway, because its own has
// stopped in mid-sentence, waits for its first message there: from the beginning of its connection
// on.
func BenchmarkTakeover(b *testing.B) {
	bin := build(b)
	server := valkeytest.Start(b, valkeytest.Deployed()...)
	blobs := b.TempDir()
	var nodes []*gateway
	for i := range 2 {
		g := gatewayToBe(b, bin, "scripted")
		g.args = []string{"--valkey", server.Addr(), "--blob", "file://" + blobs, "--node", fmt.Sprintf("node-%d", i+1)}
		if err := g.start(); err != nil {
			b.Fatal(err)
		}
		nodes = append(nodes, g)
	}
	sound := babble(nil).pcm
	var took []time.Duration
	for range takeovers {
		took = append(took, takeover(b, nodes[0], nodes[1], sound))
	}
	slices.Sort(took)
	fmt.Printf("\nfirst message after a takeover: median %v, p95 %v of %d\n", took[len(took)/2],
		took[len(took)*95/100], len(took))
	b.ReportMetric(float64(took[len(took)*95/100].Milliseconds()), "ms-p95")
}

// takeover begins a session on one gateway, stops that gateway's process, and returns how long the
// session's client waits for the first message of the other one.
func takeover(b *testing.B, from, to *gateway, sound []byte) time.Duration {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var job struct{ ID, URL string }
	if err := from.call(ctx, http.MethodPost, "/v2/live", `{"endpointing":0.3}`, &job); err != nil {
		b.Fatal(err)
	}
	conn, _, err := websocket.Dial(ctx, job.URL, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.CloseNow()
	const piece = clipRate / 10 * 2
	for i := range 40 { // 4 s of audio in 2 s
		if err := conn.Write(ctx, websocket.MessageBinary, sound[i*piece:(i+1)*piece]); err != nil {
			b.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	stopped := from.current().cmd.Process
	standStill(b, stopped)
	defer func() { _ = stopped.Signal(syscall.SIGCONT) }()

	began := time.Now()
	next, _, err := websocket.Dial(ctx, strings.Replace(job.URL, from.addr, to.addr, 1), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer next.CloseNow()
	next.SetReadLimit(-1)
	if err := next.Write(ctx, websocket.MessageBinary, sound[40*piece:41*piece]); err != nil {
		b.Fatal(err)
	}
	if _, _, err := next.Read(ctx); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}
