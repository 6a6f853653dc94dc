package subscribers

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"steno/session/store/valkey"
	"steno/session/store/valkeytest"
)

// TestManySubscribers has subscribers on two nodes follow sessions of one of them, while signals
// are lost and both nodes lose their connections to the server once: each gets every event exactly
// once, in order. STENO_CHAOS, a duration, makes it 2,000 subscribers of 20 sessions.
func TestManySubscribers(t *testing.T) {
	sessions, subscribers, events := 4, 80, 120
	if os.Getenv("STENO_CHAOS") != "" {
		sessions, subscribers, events = 20, 2000, 200
	}
	server := valkeytest.Start(t)
	blobs := t.TempDir()
	var lost atomic.Int64
	var links []*valkeytest.Proxy
	node := func(name string) *testServer {
		link := valkeytest.NewProxy(t, server.Addr())
		links = append(links, link)
		st, err := valkey.Open(t.Context(), valkey.Options{Addr: link.Addr(), Node: name, Blobs: blobs,
			Spool: t.TempDir()})
		must(t, err)
		return newNode(t, st, func(c *Config) {
			c.Store = lossyStore{c.Store, 0.01, &lost}
			c.Limits.SessionSubscribers, c.Limits.KeySubscribers, c.Limits.Subscribers = subscribers, subscribers,
				subscribers
		})
	}
	speaking, listening := node("speaking"), node("listening")
	var every []*testSession
	for i := range sessions {
		every = append(every, speaking.testSession("many-"+strconv.Itoa(i)))
	}
	var working sync.WaitGroup
	for i := range subscribers {
		working.Go(func() { []*testServer{speaking, listening}[i/sessions%2].checkSubscriber(i, every[i%sessions]) })
	}
	for _, k := range every {
		working.Go(func() {
			time.Sleep(300*time.Millisecond + time.Duration(rand.Int64N(int64(100*time.Millisecond))))
			k.converses(events)
		})
	}
	waitUntil(t, "all have come", func() bool { return speaking.clients()+listening.clients() >= subscribers })
	for _, link := range links {
		link.Cut()
	}
	time.Sleep(200 * time.Millisecond)
	for _, link := range links {
		link.Restore()
	}
	working.Wait()
	t.Logf("%d subscribers of %d sessions, %d signals lost", subscribers, sessions, lost.Load())
}
