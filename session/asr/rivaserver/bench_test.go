package rivaserver_test

import (
	"context"
	"net"
	"path/filepath"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/riva"
	"steno/session/asr/rivaserver"
	"steno/session/asr/scripted"
)

// BenchmarkUtterance is the cost of the way to an engine and back for two seconds of speech,
// written in blocks of 20 ms with partials asked for, by as many speakers as processors.
func BenchmarkUtterance(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	path := filepath.Join(b.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan error, 1)
	server := rivaserver.New(rivaserver.Config{Recognizer: scripted.New(scripted.Config{}), Name: scripted.Engine})
	go func() { done <- server.Serve(ctx, listener) }()
	r, err := riva.Dial(riva.Config{Address: "unix:" + path})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = r.Close()
		cancel()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	samples := asrtest.Ramp(2*asr.Rate, 1)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := utter(ctx, r, samples); err != nil {
				b.Error(err)
			}
		}
	})
}

func utter(ctx context.Context, r asr.Recognizer, samples []int16) error {
	u, err := r.Open(ctx, asr.Params{Partials: true})
	if err != nil {
		return err
	}
	for block := 0; block < len(samples); block += 320 {
		if err := u.Write(samples[block : block+320]); err != nil {
			return err
		}
	}
	if err := u.End(); err != nil {
		return err
	}
	for {
		result, err := u.Recv()
		if err != nil || result.Final {
			return err
		}
	}
}
