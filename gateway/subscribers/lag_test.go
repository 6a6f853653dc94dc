package subscribers

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"steno/gateway/metrics"
	"steno/messages"
)

// notedTransport keeps the notices of its subscription.
type notedTransport struct{ told []string }

func (n *notedTransport) send([]*publication) error { return nil }
func (n *notedTransport) tell(_ string, text []byte, _ string) error {
	n.told = append(n.told, string(text))
	return nil
}
func (n *notedTransport) heartbeat() error             { return nil }
func (n *notedTransport) close(ending, string, string) {}
func (n *notedTransport) cut()                         {}

// A reader that has lagged receives the number of unlogged events that it missed, although it has
// others to write before.
func TestLagTellsHowMuchWasMissed(t *testing.T) {
	s := &Service{cfg: Config{Metrics: metrics.New()}}
	from := &sessionSource{id: "a1", epoch: 1}
	c := &client{wants: ^messages.Filter(0), room: 100, metrics: s.cfg.Metrics, wake: make(chan struct{}, 1)}
	push := func(position int64, kind messages.Kind) bool {
		key := messages.Key{Kind: kind, Subject: strconv.FormatInt(position, 10)}
		return c.push(newPublication(1, position, "a1", messages.Event{Seq: position, Key: key,
			Body: make([]byte, 60)}))
	}
	if !push(1, messages.KindFinal) || !push(0, messages.KindAudioAck) || push(2, messages.KindFinal) {
		t.Fatal("the client does not lag with the second final, or before")
	}
	out := &notedTransport{}
	follower := &subscription{service: s, source: from, hub: newHub(s, from), client: c, out: out}
	if err := follower.follow(context.Background(), time.NewTimer(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if len(out.told) != 1 || !strings.Contains(out.told[0], `"from":2,"missed":1`) {
		t.Errorf("told %q", out.told)
	}
}
