package pool_test

import (
	"context"
	"net"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/riva/pool"
	"steno/session/asr/rivaserver"
	"steno/session/asr/scripted"
)

// BenchmarkUtterance is what the way to a server and back costs an utterance of five seconds,
// recognition left out.
func BenchmarkUtterance(b *testing.B) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	server := rivaserver.New(rivaserver.Config{Recognizer: scripted.New(scripted.Config{}), Name: scripted.Engine,
		Drain: time.Nanosecond})
	go func() { done <- server.Serve(ctx, listener) }()
	r, err := pool.New(pool.Config{Addresses: []string{listener.Addr().String()}})
	if err != nil {
		b.Fatal(err)
	}
	audio := asrtest.Ramp(5*asr.Rate, 1)
	b.ReportAllocs()
	for b.Loop() {
		u, err := r.Open(b.Context(), asr.Params{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := finish(u, audio); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	_ = r.Close()
	cancel()
	if err := <-done; err != nil {
		b.Error(err)
	}
}
