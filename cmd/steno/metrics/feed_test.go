package metrics

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"steno/messages"
	"steno/session/store/valkeytest"
)

// TestFeedMetrics drops unlogged events because the server is away, and because too many wait
// meanwhile.
func TestFeedMetrics(t *testing.T) {
	server := valkeytest.Start(t)
	s := openGateway(t, server.Addr())
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(Feed(s))
	counts := func() map[string]float64 {
		t.Helper()
		families, err := registry.Gather()
		if err != nil || len(families) != 1 || families[0].GetName() != "steno_feed_dropped_total" {
			t.Fatalf("families %v, %v", families, err)
		}
		n := map[string]float64{}
		for _, m := range families[0].GetMetric() {
			n[m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
		}
		return n
	}
	if n := counts(); n["full"] != 0 || n["away"] != 0 || len(n) != 2 {
		t.Errorf("at first: %v", n)
	}
	server.Kill()
	for begin := time.Now(); counts()["full"] == 0 || counts()["away"] == 0; {
		if time.Since(begin) > 2*time.Minute {
			t.Fatal(counts())
		}
		for range 1 << 14 { // faster than they are taken from the queue
			s.Publish("job", 0, messages.Event{})
		}
	}
}
