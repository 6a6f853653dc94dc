package server

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/session/store"
	"steno/session/store/valkeytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// connectTo returns the connection to a server that the test has started.
func connectTo(t *testing.T, addr string) *Conn {
	t.Helper()
	s, err := Connect(t.Context(), Options{Addr: addr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestConnectionEnded asks over connections that end when they are used: what changes nothing is
// asked again.
func TestConnectionEnded(t *testing.T) {
	running := valkeytest.Start(t)
	proxy := valkeytest.NewProxy(t, running.Addr())
	s := connectTo(t, proxy.Addr())
	running.Must("HSET", "{steno}:key:a", "name", "value")
	for name, ask := range map[string]func() error{
		"script": func() error {
			_, err := s.Look(t.Context(), nodesScript)
			return err
		},
		"hash": func() error {
			fields, err := s.Hash(t.Context(), "key:a")
			if err == nil && fields["name"] != "value" {
				t.Errorf("fields %v", fields)
			}
			return err
		},
		"field": func() error {
			m, err := s.Field(t.Context(), "key:a", "name")
			if value, _ := m.ToString(); err == nil && value != "value" {
				t.Errorf("field %q", value)
			}
			return err
		},
		"exists": func() error {
			there, err := s.Exists(t.Context(), "key:a")
			if err == nil && !there {
				t.Error("a key is not there")
			}
			return err
		},
	} {
		proxy.Deafen() // it closes a connection that has missed an answer at the next one
		short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if err := s.Ping(short); err == nil {
			t.Error("answered without an answer")
		}
		cancel()
		proxy.Restore()
		if err := ask(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAway(t *testing.T) {
	running := valkeytest.Start(t)
	proxy := valkeytest.NewProxy(t, running.Addr())
	s := connectTo(t, proxy.Addr())
	ping := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		return s.Ping(ctx)
	}
	back := func(when string) {
		t.Helper()
		for range 100 {
			if ping() == nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatalf("still away %s: %v", when, ping())
	}
	if err := ping(); err != nil {
		t.Fatal(err)
	}
	proxy.Cut()
	if err := ping(); !errors.Is(err, store.ErrAway) {
		t.Errorf("cut: %v", err)
	}
	proxy.Restore()
	back("after the connection is restored")
	proxy.Deafen()
	if err := ping(); !errors.Is(err, store.ErrAway) {
		t.Errorf("without answers: %v", err)
	}
	proxy.Restore()
	back("after answers come again")
	running.Kill()
	if err := ping(); !errors.Is(err, store.ErrAway) {
		t.Errorf("killed: %v", err)
	}
	running.Again()
	back("after a restart")
	running.Must("CONFIG", "SET", "maxmemory-policy", "noeviction")
	running.Must("CONFIG", "SET", "maxmemory", "1")
	if err := ping(); !errors.Is(err, store.ErrAway) {
		t.Errorf("out of memory: %v", err)
	}
	running.Must("CONFIG", "SET", "maxmemory", "0")
	back("after there is memory")
	running.Must("REPLICAOF", "127.0.0.1", "1")
	if err := ping(); !errors.Is(err, store.ErrAway) {
		t.Errorf("of a replica: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ping(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

func TestAddress(t *testing.T) {
	for addr, want := range map[string]string{
		"localhost:1":                      "{steno}:",
		"valkey://u:p@localhost:1/2":       "{steno}:",
		"valkey://localhost?prefix=berlin": "{berlin}:",
		"valkeys://localhost:1?prefix={a}": "{a}:",
	} {
		o, prefix, err := clientOption(addr, nil)
		if err != nil || prefix != want || len(o.InitAddress) != 1 {
			t.Errorf("%s: prefix %q, %v, %v", addr, prefix, o.InitAddress, err)
		}
	}
	for _, addr := range []string{"http://localhost", "valkey://localhost:1/two", "valkey://a:secret@%zz"} {
		if _, _, err := clientOption(addr, nil); err == nil {
			t.Errorf("%s is accepted", addr)
		}
	}
}
