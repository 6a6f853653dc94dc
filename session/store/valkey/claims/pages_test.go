package claims

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/time/rate"

	"steno/session/store"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkeytest"
)

// TestManyEvents logs 2,000 events while audio comes: the server has the newest of both alone,
// readers have all, and so does the next holder, which continues the pages.
func TestManyEvents(t *testing.T) {
	const events, most, piece = 2000, 640 << 10, 320
	server := valkeytest.Start(t)
	bucket := t.TempDir()
	a, b := openNode(t, server.Addr(), "a", bucket), openNode(t, server.Addr(), "b", bucket)
	a.create("job")
	l := a.claim("job", store.IfFree)
	l.pace.SetLimit(rate.Inf)
	body, checkpoint, peak := []byte(strings.Repeat("word ", 124)), make([]byte, 24<<10), int64(0)
	write := func(l *Live, from, to int) {
		for i := from; i < to; i++ {
			e := event(fmt.Sprint(i))
			e.Body = body
			appendAudio(t, l, piece)
			lane := i%100 - 99
			_, _, err := l.AppendEvent(t.Context(), e, lane, checkpoint)
			must(t, err)
			if lane == 0 {
				must(t, l.Confirm(t.Context(), l.AudioSize()-40*piece, int64(i)))
				must(t, l.MarkSilence(t.Context(), l.AudioSize()))
				settled(t, l)
				eventually(t, "segments and pages are written", func() bool {
					l.mu.Lock()
					defer l.mu.Unlock()
					l.raiseLocked(wantNow) // where the answer came after the lease's end, the next one begins them
					return len(l.accepted.journal.Bytes) <= tier.SegmentSize+100*piece && l.accepted.logged < pageAfter
				})
				peak = max(peak, a.memory("job"))
			}
		}
		settled(t, l)
	}
	write(l, 0, events)
	if t.Logf("%d KiB on the server at most", peak>>10); peak > most {
		t.Errorf("%d bytes on the server, want at most %d", peak, most)
	}
	names := strings.Fields(a.names("job"))
	if len(names) != events {
		t.Fatalf("%d events", len(names))
	}
	for i, name := range names {
		if name != fmt.Sprint(i) {
			t.Fatalf("event %d is %s", i+1, name)
		}
	}
	some, err := l.Events(t.Context(), 777, 3)
	if err != nil || len(some) != 3 || some[0].Seq != 778 {
		t.Errorf("events after 777: %v, %v", some, err)
	}
	pages := len(l.accepted.pages)
	next := b.claim("job", store.TakeOver)
	ended(t, l, store.ErrTaken)
	next.pace.SetLimit(rate.Inf)
	if _, fresh, err := next.AppendEvent(t.Context(), event("5"), -1, nil); fresh || err != nil {
		t.Errorf("an event of a page is not known: %v", err)
	}
	write(next, events, events+400)
	if list := next.accepted.pages; len(list) <= pages || !strings.Contains(list[pages-1].Object, l.nonce) ||
		!strings.Contains(list[pages].Object, next.nonce) || list[pages].Start != list[pages-1].End {
		t.Errorf("%d pages after %d: %v", len(list), pages, list)
	}
	if seq := logEvent(t, next, fmt.Sprint(events+400)); seq != events+401 {
		t.Errorf("number %d", seq)
	}
	settled(t, next)
	want := a.names("job")
	if n := len(strings.Fields(want)); n != events+401 {
		t.Errorf("%d events", n)
	}
	a.hasAudio("job", (events+400)*piece)
	must(t, next.Finish(t.Context(), store.Outcome{Seconds: 1}))
	must(t, next.Close())
	must(t, a.Tier.Archive(t.Context(), "job"))
	a.emptyLate(server)
	if got := a.names("job"); got != want {
		t.Errorf("events of the archive: %d bytes of names, want %d", len(got), len(want))
	}
	if left := a.memory("job"); left > 4<<10 {
		t.Errorf("%d bytes are left", left)
	}
	last := b.claim("job", store.IfFree) // for what follows the outcome: no page, which would go with those of before
	last.pace.SetLimit(rate.Inf)
	for i := range 20 {
		e := event(fmt.Sprint("late", i))
		e.Body = make([]byte, 16<<10)
		_, _, err := last.AppendEvent(t.Context(), e, -1, nil)
		must(t, err)
		settled(t, last)
	}
	must(t, last.Close())
	if last.accepted.pages != nil || last.paging.running || last.paging.done != nil {
		t.Errorf("pages after the archive: %v", last.accepted.pages)
	}
	must(t, a.Delete(t.Context(), "acme", "job"))
	settle(t, a.rig)
	if left := blobsOf(t, a.rig); len(left) > 0 {
		t.Errorf("blobs are left: %v", left)
	}
}

// TestPagesFailover has a server forget pages, and the whole session, while the holder lives.
func TestPagesFailover(t *testing.T) {
	f := newFailover(t)
	n := f.node("a", t.TempDir())
	n.create("job")
	l := n.claim("job", store.IfFree)
	l.pace.SetLimit(rate.Inf)
	written := 0
	write := func(pages int) {
		for ; ; written++ {
			l.mu.Lock()
			enough := len(l.accepted.pages) >= pages
			l.mu.Unlock()
			if enough {
				break
			}
			e := event(fmt.Sprint(written))
			e.Body = []byte(strings.Repeat("word ", 400))
			_, _, err := l.AppendEvent(t.Context(), e, -1, nil)
			must(t, err)
			settled(t, l)
		}
	}
	whole := func() {
		t.Helper()
		logEvent(t, l, fmt.Sprint(written))
		written++
		settled(t, l)
		if got := strings.Fields(n.names("job")); len(got) != written || got[written-1] != fmt.Sprint(written-1) {
			t.Errorf("%d events, want %d", len(got), written)
		}
	}
	write(1)
	f.detach()
	write(3)
	f.promote()
	whole()
	f.second.Must("FLUSHALL")
	whole()
	write(4)
	whole()
	again := n.claim("job", store.TakeOver)
	if seq := logEvent(t, again, "end"); seq != int64(written+1) {
		t.Errorf("number %d after %d", seq, written)
	}
}

// emptyLate has the folders emptied that wait for it.
func (n node) emptyLate(server *valkeytest.Server) {
	n.T.Helper()
	late, err := n.Client.Do(n.T.Context(),
		n.Client.B().Zrange().Key(n.Prefix+"removals:late").Min("0").Max("-1").Build()).AsStrSlice()
	must(n.T, err)
	for _, folder := range late {
		server.Must("ZADD", n.Prefix+"removals:late", "0", folder)
	}
	settle(n.T, n.rig)
}

// TestPageOfDead has a node die between a page's object and the list, and the page be written by
// the next holder. The object that is in no list goes with the archive, or with the record.
func TestPageOfDead(t *testing.T) {
	for _, cancel := range []bool{false, true} {
		t.Run(fmt.Sprint("cancelled ", cancel), func(t *testing.T) {
			server := valkeytest.Start(t)
			bucket := t.TempDir()
			a, b := openNode(t, server.Addr(), "a", bucket), openNode(t, server.Addr(), "b", bucket)
			slow := &slowBlobs{Blobs: a.Tier.Blobs, gate: make(chan struct{}), begun: make(chan string, 1)}
			a.Tier.Blobs = slow
			a.create("job")
			first := a.claim("job", store.IfFree)
			first.pace.SetLimit(rate.Inf)
			written := fillPage(t, first)
			object := <-slow.begun
			second := b.claim("job", store.TakeOver)
			second.pace.SetLimit(rate.Inf)
			ended(t, first, store.ErrTaken)
			close(slow.gate)
			must(t, first.Close()) // the object is written, and nothing refers to it
			if blobs := blobsOf(t, b.rig); !slices.Contains(blobs, object) {
				t.Fatalf("blobs %v lack %s", blobs, object)
			}
			logEvent(t, second, fmt.Sprint(written))
			settled(t, second)
			eventually(t, "the page of the second", func() bool {
				second.mu.Lock()
				defer second.mu.Unlock()
				second.raiseLocked(wantNow) // as above
				return len(second.accepted.pages) == 1
			})
			if page := second.accepted.pages[0]; page.Object == object || page.Start != 0 {
				t.Errorf("pages have %s", page)
			}
			want := b.names("job")
			if n := len(strings.Fields(want)); n != written+1 {
				t.Errorf("%d events, want %d", n, written+1)
			}
			if cancel {
				must(t, b.Cancel(t.Context(), "acme", "job"))
			} else {
				must(t, second.Finish(t.Context(), store.Outcome{}))
				must(t, second.Close())
				settle(t, b.rig)
				b.emptyLate(server)
				if got := b.names("job"); got != want {
					t.Errorf("events of the archive: %.100s", got)
				}
			}
			for _, name := range blobsOf(t, b.rig) {
				if cancel || strings.Contains(name, "/events/") {
					t.Errorf("left: %s", name)
				}
			}
		})
	}
}

// fillPage logs events until there is enough for a page, and returns how many.
func fillPage(t *testing.T, l *Live) (n int) {
	t.Helper()
	for bytes := 0; bytes < pageAfter; n++ {
		e := event(fmt.Sprint(n))
		e.Body = []byte(strings.Repeat("word ", 400))
		bytes += len(e.Body)
		_, _, err := l.AppendEvent(t.Context(), e, -1, nil)
		must(t, err)
	}
	settled(t, l)
	return n
}

// TestUnknownPage has a page be in the list though its holder does not know, as after an answer
// that was lost.
func TestUnknownPage(t *testing.T) {
	n := openNode(t, valkeytest.Start(t).Addr(), "a", t.TempDir())
	n.create("job")
	l := n.claim("job", store.IfFree)
	l.pace.SetLimit(rate.Inf)
	quiet := func(pages int) {
		t.Helper()
		eventually(t, "the pages are written", func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.raiseLocked(wantNow) // as above
			return len(l.accepted.pages) >= pages && l.accepted.logged < pageAfter
		})
	}
	written := fillPage(t, l)
	quiet(1)
	l.mu.Lock()
	l.accepted.pages = nil
	l.mu.Unlock()
	for range 3 {
		for range 40 {
			e := event(fmt.Sprint(written))
			e.Body = []byte(strings.Repeat("word ", 600))
			_, _, err := l.AppendEvent(t.Context(), e, -1, nil)
			must(t, err)
			written++
		}
		settled(t, l)
	}
	quiet(2)
	for i, p := range l.accepted.pages[1:] {
		if before := l.accepted.pages[i]; p.Start != before.End {
			t.Errorf("page %s follows %s", p, before)
		}
	}
	if got := strings.Fields(n.names("job")); len(got) != written {
		t.Errorf("%d events, want %d", len(got), written)
	}
}
