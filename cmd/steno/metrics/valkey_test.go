package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"steno/session/store/valkey"
	"steno/session/store/valkeytest"
)

// TestValkeyMetrics looks at a server with an append-only file, a bound of its memory and a
// replica, which is asked once however often metrics are collected.
func TestValkeyMetrics(t *testing.T) {
	server := valkeytest.Start(t, "--appendonly", "yes", "--maxmemory", "1gb", "--repl-diskless-sync-delay", "0")
	host, port, _ := strings.Cut(server.Addr(), ":")
	replica := valkeytest.Start(t, "--replicaof", host+" "+port)
	for begin := time.Now(); !strings.Contains(replica.Must("INFO", "replication"), "master_link_status:up"); {
		if time.Since(begin) > time.Minute {
			t.Fatal("the replica does not follow")
		}
	}
	s := openGateway(t, server.Addr())
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(Valkey(s))
	gather := func() map[string]float64 {
		t.Helper()
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]float64{}
		for _, f := range families {
			m := f.GetMetric()[0]
			values[f.GetName()] = m.GetGauge().GetValue() + m.GetCounter().GetValue() +
				float64(m.GetHistogram().GetSampleCount())
		}
		return values
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	values := gather()
	for name, want := range map[string]float64{
		"up": 1, "primary": 1, "memory_max_bytes": 1 << 30, "evicted_keys_total": 0, "aof_enabled": 1,
		"aof_failing": 0, "replicas": 1,
	} {
		if got, ok := values["steno_valkey_"+name]; !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", name, got, ok, want)
		}
	}
	if values["steno_valkey_memory_bytes"] < 1<<18 || values["steno_valkey_call_seconds"] < 1 {
		t.Errorf("figures %v", values)
	}
	server.Kill()
	if again := gather(); again["steno_valkey_up"] != 1 || again["steno_valkey_memory_bytes"] !=
		values["steno_valkey_memory_bytes"] {
		t.Errorf("the server was asked again: %v", again)
	}
}

// openGateway opens a store as a gateway does.
func openGateway(t *testing.T, addr string) *valkey.Store {
	t.Helper()
	s, err := valkey.Open(t.Context(), valkey.Options{Addr: addr, Node: "gateway-1", Blobs: t.TempDir(),
		Spool: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
