package rivaserver_test

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/riva"
	"steno/session/asr/rivaserver"
	"steno/session/asr/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listen returns a listener and the address to dial.
func listen(t *testing.T, network string) (net.Listener, string) {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "s")
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	if network == "unix" {
		return listener, "unix:" + address
	}
	return listener, listener.Addr().String()
}

// serve runs a server until the test ends, or until the returned function is called.
func serve(t *testing.T, c rivaserver.Config, listener net.Listener) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rivaserver.New(c).Serve(ctx, listener) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	}
	t.Cleanup(stop)
	return stop
}

func dial(t *testing.T, c riva.Config) *riva.Recognizer {
	t.Helper()
	r, err := riva.Dial(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// scriptedEngine serves the scripted recognizer, draining no time.
func scriptedEngine(c scripted.Config) rivaserver.Config {
	c.Languages = []string{"en"}
	return rivaserver.Config{
		Recognizer: scripted.New(c), Name: scripted.Engine, Drain: time.Nanosecond,
	}
}

func TestSuite(t *testing.T) {
	for _, network := range []string{"unix", "tcp"} {
		t.Run(network, func(t *testing.T) {
			open := func(t *testing.T) asr.Recognizer {
				listener, address := listen(t, network)
				serve(t, scriptedEngine(scripted.Config{Context: true}), listener)
				return dial(t, riva.Config{Address: address})
			}
			asrtest.Run(t, open, asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77), asrtest.Ramp(700, 5))
		})
	}
}
