package main_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

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

// BenchmarkAckDelay prints how long acknowledgements take with many sessions on the store of one machine and on Valkey, in
// turn, both on the made-up engine and with the speech detector. The machine carries gateway, engine, Valkey and clients.
func BenchmarkAckDelay(b *testing.B) {
	bin := build(b)
	many := []string{"STENO_LIMITS_SESSIONS_PER_KEY=5000", "STENO_LIMITS_SESSION_RATE_PER_KEY=1000"}
	alone := newGateway(b, bin, "scripted", many...)
	server := valkeytest.Start(b, "--appendonly", "yes")
	shared := gatewayToBe(b, bin, "scripted", many...)
	shared.args = []string{"--valkey", server.Addr(), "--blob", "file://" + b.TempDir(), "--node", "bench"}
	if err := shared.start(); err != nil {
		b.Fatal(err)
	}
	fmt.Printf("\n%-10s %9s %10s %10s %10s\n", "store", "acks", "p50", "p95", "p99")
	var above []float64 // milliseconds
	for range ackRounds {
		embedded, valkey := ackDelay(b, alone), ackDelay(b, shared)
		for name, d := range map[string]loadtest.Delay{"embedded": embedded, "valkey": valkey} {
			fmt.Printf("%-10s %9d %9.1fms %9.1fms %9.1fms\n", name, d.Count, 1e3*d.P50, 1e3*d.P95, 1e3*d.P99)
		}
		above = append(above, 1e3*(valkey.P99-embedded.P99))
	}
	slices.Sort(above)
	b.ReportMetric(above[len(above)/2], "ms-p99-above")
}

// ackDelay plays sessions and returns how long their acks took.
func ackDelay(b *testing.B, g *gateway) loadtest.Delay {
	b.Helper()
	format := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: clipRate, Channels: 1}
	report, err := loadtest.Run(context.Background(), loadtest.Options{
		URL: g.url(), Key: testKey, Sessions: ackSessions, Duration: ackLasts, Chunk: 100 * time.Millisecond,
		Clips: []*loadtest.Clip{{Name: "babble", Format: format, Data: babble(nil).pcm}},
	})
	if err != nil {
		b.Fatal(err)
	}
	if report.Done != ackSessions {
		b.Errorf("%d of %d sessions came to their end", report.Done, ackSessions)
	}
	return report.Delays.Ack
}
