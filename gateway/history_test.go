package gateway

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/limits"
	"steno/gateway/outbound"
	"steno/messages"
	"steno/session/asr/router"
	"steno/session/store/embedded/embeddedtest"
)

// How many histories there are, and what they are made of.
var (
	historyCount  = flag.Int("histories", 20, "fault histories that are played")
	historySeed   = flag.Uint64("history.seed", 1, "seed of the first of them")
	historyLength = flag.Duration("history.length", time.Minute, "time for which clients of a history speak")
	historyKinds  = flag.String("history.kinds", "", "kinds of faults, separated by commas; empty: all")
)

// TestFaultHistories plays random histories of clients and faults, on a fake clock, and compares
// what the clients sent and saw with what the gateway promises. The seed of a history is the name
// of its test: -history.seed plays it again.
func TestFaultHistories(t *testing.T) {
	t.Parallel()
	calm := calmRuns(t)
	for i := range uint64(*historyCount) {
		t.Run(strconv.FormatUint(*historySeed+i, 10), func(t *testing.T) { playHistory(t, *historySeed+i, calm) })
	}
}

// historyClients is how many clients speak in a history.
const historyClients = 2

// history is a gateway, those who use it, and what goes wrong.
type history struct {
	*bubble
	random  *rand.Rand
	folders string // of the data after crashes
	crashes int
	network *network
	engine  *faultyEngine
	router  *router.Router // before the engine
	disk    *diskState
	hooks   *hookServer
	client  *outbound.Client // for callbacks

	speakers []*speaker
	readers  []*reader
	plan     []fault
}

// playHistory plays the history of a seed.
func playHistory(t *testing.T, seed uint64, calm []messages.LiveResult) {
	dir, crashes := embeddedtest.Folder(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		h := newHistory(t, seed, dir, crashes)
		defer h.leave()
		h.begin()
		h.suffer()
		h.settle()
		h.check(calm)
		if t.Failed() {
			t.Logf("faults of history %d:\n%s", seed, h)
		}
	})
}

func newHistory(t *testing.T, seed uint64, dir, crashes string) *history {
	h := &history{random: rand.New(rand.NewPCG(seed, 43)), folders: crashes, network: &network{},
		engine: newFaultyEngine(), disk: &diskState{}, hooks: newHookServer()}
	h.client = outbound.Through(h.hooks.dial)
	var err error
	if h.router, err = router.New(router.Config{Engines: []router.Engine{{Name: "faulty", Recognizer: h.engine}},
		Plans: map[string]router.Plan{"stt-1": {Engines: []string{"faulty"}}}}); err != nil {
		t.Fatal(err)
	}
	kinds := slices.Sorted(maps.Keys(faultKinds))
	if *historyKinds != "" {
		kinds = strings.Split(*historyKinds, ",")
	}
	h.plan = planFaults(h.random, historyClients, *historyLength, kinds)
	h.bubble = &bubble{t: t, dir: dir, change: func(d *Deps) {
		d.Store, d.Outbound = faultyDisk{d.Store, h.disk}, h.client
		d.Engines, d.Log = &engines{asr: h.router.For("stt-1")}, zerolog.Nop()
	}}
	h.config = Config{Limits: limits.Limits{Drain: 5 * time.Second, Sessions: historyClients},
		Callbacks: Callbacks{FirstRetry: 100 * time.Millisecond, LongestRetry: 5 * time.Second}}
	h.start()
	h.network.reach(h.net)
	return h
}

// String lists the faults.
func (h *history) String() string {
	var b strings.Builder
	for _, f := range h.plan {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

// begin opens the sessions and starts their clients.
func (h *history) begin() {
	for i := range historyClients {
		var made struct{ ID, URL string }
		if status := h.do("POST", "/v2/live", historyRequest, &made); status != http.StatusCreated {
			h.t.Fatalf("create: %d", status)
		}
		s := &speaker{caller: call(h.t, made.URL), id: made.ID, sound: historySound(i), length: *historyLength,
			random: rand.New(rand.NewPCG(h.random.Uint64(), 1)), ended: make(chan struct{})}
		s.dial, s.stall = h.network.dialer(i), sendStall
		ctx, cancel := context.WithCancel(h.t.Context())
		r := &reader{client: http.Client{Transport: &http.Transport{DialContext: h.network.dialer(i),
			DisableKeepAlives: true}}, url: "http://steno/v2/live/" + made.ID + "/events", cancel: cancel,
			random: rand.New(rand.NewPCG(h.random.Uint64(), 2)), ended: make(chan struct{})}
		h.speakers, h.readers = append(h.speakers, s), append(h.readers, r)
		go s.run()
		go r.run(ctx)
	}
}

// suffer has the faults happen at their times.
func (h *history) suffer() {
	type moment struct {
		at time.Duration
		do func()
	}
	var moments []moment
	for _, f := range h.plan {
		k := faultKinds[f.kind]
		moments = append(moments, moment{f.at, func() { k.begin(h, f) }})
		if k.end != nil {
			moments = append(moments, moment{f.at + f.lasts, func() { k.end(h, f) }})
		}
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return int(a.at - b.at) })
	for began := time.Now(); len(moments) > 0; moments = moments[1:] {
		time.Sleep(moments[0].at - time.Since(began))
		moments[0].do()
	}
}

// settle waits until everything that was under way has come to its end.
func (h *history) settle() {
	for _, s := range h.speakers {
		<-s.ended
		waited := 0
		for ; h.isOpen(s.id) && waited < 600; waited++ {
			time.Sleep(time.Second)
		}
		if waited == 600 {
			h.t.Error("a session does not end")
		}
	}
	for waited := 0; h.undelivered() > 0 && waited < 600; waited++ {
		time.Sleep(time.Second)
	}
	for i := range h.readers {
		select {
		case <-h.readers[i].ended:
		case <-time.After(5 * time.Minute):
			h.t.Error("a reader does not learn that its session has ended")
			h.readers[i].cancel()
			<-h.readers[i].ended
		}
	}
}

// isOpen reports whether a session has not ended.
func (h *history) isOpen(id string) bool {
	status := h.job(id).Status
	return status == messages.StatusProcessing || status == messages.StatusQueued
}

// undelivered is how many sessions have no callback of their end yet.
func (h *history) undelivered() (n int) {
	for _, s := range h.speakers {
		if !slices.ContainsFunc(h.hooks.arrivals(s.id), func(a arrival) bool {
			return strings.Contains(a.body, `"event":"live.end_session"`)
		}) {
			n++
		}
	}
	return n
}

// leave ends what begin and newHistory have started.
func (h *history) leave() {
	h.network.cut(-1)
	for i, s := range h.speakers {
		h.readers[i].cancel()
		<-s.ended
		<-h.readers[i].ended
		s.hangUp()
	}
	h.stop()
	_ = h.router.Close()
	_ = h.client.Close()
	h.hooks.close()
}

// restart ends the gateway as a signal to terminate does, and starts it again.
func (h *history) restart() {
	h.server.Drain(h.t.Context())
	h.network.reach(nil)
	h.stop()
	h.start()
	h.network.reach(h.net)
}

// crash ends the gateway as a signal to kill does: whatever it does after a moment, nobody hears
// of, and its files are those of that moment.
func (h *history) crash() {
	h.network.reach(nil)
	h.network.hold(-1)
	before := h.hooks.swap(hookGone)
	synctest.Wait()
	dir := filepath.Join(h.folders, strconv.Itoa(h.crashes))
	h.crashes++
	if err := os.CopyFS(dir, os.DirFS(h.dir)); err != nil {
		h.t.Fatal(err)
	}
	h.network.cut(-1)
	h.stop()
	h.dir = dir
	h.start()
	h.hooks.swap(before)
	h.network.reach(h.net)
}

// historyRequest asks for everything that promises are about.
const historyRequest = `{"endpointing":0.3,"language_config":{"languages":["en"]},"callback":true,
	"callback_config":{"url":"http://hooks.example/","receive_speech_events":true},
	"messages_config":{"receive_partial_transcripts":true,"receive_lifecycle_events":true}}`

// historySound is the speech of a client: always the same, so that its finals are known.
func historySound(client int) []byte { return speech(float64(9+4*client), uint64(client)+7) }

// calmRuns are the results of the sounds where nothing goes wrong.
func calmRuns(t *testing.T) (calm []messages.LiveResult) {
	r := newTestServer(t, nil)
	for i := range historyClients {
		id, _ := play(t, r, strings.Replace(historyRequest, `"callback":true`, `"callback":false`, 1), historySound(i))
		calm = append(calm, r.result(id))
	}
	return calm
}

// events are the logged events of a session.
func (h *history) events(id string) []messages.Event {
	h.t.Helper()
	events, err := h.store.Events(h.t.Context(), "default", id, 0, 10000)
	if err != nil {
		h.t.Fatal(err)
	}
	return events
}

// audio is what was kept of a session.
func (h *history) audio(id string) []byte {
	h.t.Helper()
	journal, err := h.store.OpenAudio(h.t.Context(), "default", id)
	if err != nil {
		h.t.Fatal(err)
	}
	defer journal.Close()
	b, err := io.ReadAll(journal)
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}
