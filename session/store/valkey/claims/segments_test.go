package claims

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"steno/session/store"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkeytest"
)

// memory is how many bytes a session takes on the server.
func (n node) memory(id string) (bytes int64) {
	n.T.Helper()
	keys := []string{""}
	for _, part := range []string{"events", "pages", "tail", "segments", "checkpoints", "sent", "silences"} {
		keys = append(keys, ":"+part)
	}
	for _, key := range keys {
		m, err := n.Client.Do(n.T.Context(), n.Client.B().MemoryUsage().Key(n.Prefix+"session:"+id+
			key).Samples(0).Build()).ToMessage()
		if err == nil {
			one, err := m.AsInt64()
			must(n.T, err)
			bytes += one
		}
	}
	return bytes
}

// TestMemory speaks for minutes: the end of the journal alone is on the server, and after the end
// nearly nothing.
func TestMemory(t *testing.T) {
	const minutes, early, most, mostFinished = 2, 540, 768 << 10, 4 << 10
	n := openNode(t, valkeytest.Start(t).Addr(), "a", t.TempDir())
	n.create("job")
	l := n.claim("job", store.IfFree)
	l.pace.SetLimit(rate.Inf)
	var peak, sum, count int64
	body := strings.Repeat("word ", 100)
	checkpoint := make([]byte, 24<<10)
	for i := range early { // with those that follow, as many as an hour has
		e := event(fmt.Sprint("early", i))
		e.Body = []byte(body)
		_, _, err := l.AppendEvent(t.Context(), e, -1, nil)
		must(t, err)
	}
	for tick := range minutes * 600 { // of 100 ms
		appendAudio(t, l, 3200)
		if tick%60 == 59 { // a final, with the results of add-ons for it
			for i := range 3 {
				e := event(fmt.Sprint(tick, "-", i))
				e.Body = []byte(body)
				_, _, err := l.AppendEvent(t.Context(), e, 0, checkpoint)
				must(t, err)
			}
		}
		settled(t, l)
		eventually(t, "a segment is written within a second of audio", func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			return len(l.accepted.journal.Bytes) <= tier.SegmentSize+32000
		})
		if tick%10 == 9 {
			must(t, l.Confirm(t.Context(), l.AudioSize(), 0))
			now := n.memory("job")
			peak, sum, count = max(peak, now), sum+now, count+1
		}
	}
	t.Logf("speaking: %d KiB on the server on average, %d KiB at most", sum/count>>10, peak>>10)
	if peak > most {
		t.Errorf("%d bytes on the server, want at most %d", peak, most)
	}
	want := n.names("job")
	must(t, l.Finish(t.Context(), store.Outcome{Seconds: 120}))
	must(t, l.Close())
	reading, err := n.OpenAudio(t.Context(), "acme", "job")
	must(t, err)
	must(t, n.Tier.Archive(t.Context(), "job"))
	must(t, n.blobs.DeletePrefix(t.Context(), l.folder+"audio/")) // as the upkeep does, later
	if p, err := io.ReadAll(reading); err != nil || string(p) != string(audioAt(0, minutes*600*3200)) {
		t.Errorf("recording opened before: %d bytes, %v", len(p), err)
	}
	must(t, reading.Close())
	if left := n.memory("job"); left > mostFinished {
		t.Errorf("%d bytes are left on the server, want at most %d", left, mostFinished)
	} else {
		t.Logf("finished: %d bytes on the server", left)
	}
	if got := n.names("job"); got != want {
		t.Errorf("events of the archive: %.100s", got)
	}
	n.hasAudio("job", minutes*600*3200)
	must(t, n.Tier.Archive(t.Context(), "job")) // nothing to do

	l = n.claim("job", store.IfFree) // for what follows the outcome
	if seq := logEvent(t, l, "end"); seq != early+1+minutes*30 {
		t.Errorf("number %d after the archive", seq)
	}
	if _, fresh, err := l.AppendEvent(t.Context(), event("59-0"), -1, nil); fresh || err != nil {
		t.Errorf("an event of the archive is not known: %v", err)
	}
	settled(t, l)
	if got := n.names("job"); got != want+" end" {
		t.Errorf("events with those after the archive: %.100s", got)
	}
	some, err := l.Events(t.Context(), early+minutes*30-1, 10)
	if err != nil || len(some) != 2 || some[0].Seq != early+minutes*30 {
		t.Errorf("the last two are %v, %v", some, err)
	}
	p := make([]byte, 10)
	if _, err := l.ReadAudioAt(t.Context(), p, 700_000); err != nil || string(p) != string(audioAt(700_000, 10)) {
		t.Errorf("audio of the archive: %v", err)
	}
}

// TestCalls speaks as fast as a client may send, in pieces of 20 ms that are all acknowledged, and
// counts the calls.
func TestCalls(t *testing.T) {
	const seconds, most = 3, 12
	n := openNode(t, valkeytest.Start(t).Addr(), "a", t.TempDir())
	n.create("job")
	l := n.claim("job", store.IfFree)
	settled(t, l)
	before, began := l.version, time.Now()
	late := 0
	for i := 0; time.Since(began) < seconds*time.Second; i++ {
		appendAudio(t, l, 640)
		if i%30 == 29 {
			seq := logEvent(t, l, fmt.Sprint("e", i))
			called := time.Now()
			eventually(t, "the event is durable", func() bool { return l.Durable().Seq >= seq })
			if time.Since(called) > 2*commitEvery {
				late++
			}
		}
		time.Sleep(20*time.Millisecond - time.Since(began)%(20*time.Millisecond))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	calls := l.version - before
	if per := float64(calls) / time.Since(began).Seconds(); per > most {
		t.Errorf("%.1f calls a second, want at most %d", per, most)
	} else {
		t.Logf("%.1f calls a second, %d events waited", per, late)
	}
}

// TestBlobsAway has blob storage away: the journal grows on the server, and the writer is asked to
// wait in the end.
func TestBlobsAway(t *testing.T) {
	n := openNode(t, valkeytest.Start(t).Addr(), "a", t.TempDir())
	flaky := &flakyBlobs{Blobs: n.Tier.Blobs}
	n.Tier.Blobs = flaky
	flaky.away.Store(true)
	n.create("job")
	l := n.claim("job", store.IfFree)
	l.pace.SetLimit(rate.Inf)
	for l.Full() == nil {
		must(t, l.AppendAudio(t.Context(), audioAt(l.AudioSize(), 32000)))
		settled(t, l)
	}
	if size := l.AudioSize(); size < fullTail || size > fullTail+64000 {
		t.Errorf("full after %d bytes", size)
	}
	full := l.Full()
	flaky.away.Store(false)
	<-full
	settled(t, l)
	must(t, l.Close())
	n.hasAudio("job", l.accepted.journal.End())
}
