package claims

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"time"

	"steno/messages"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

const (
	// pageAfter is how many bytes of events are in a session's stream before the oldest of them
	// move to a page in blob storage; pageRest is how many stay there, for those who follow the
	// session.
	pageAfter = 160 << 10
	pageRest  = 48 << 10
	// maxPage bounds a page, in bytes before it is compressed.
	maxPage = 1 << 20
)

// beginPage starts a goroutine that writes the oldest events of the log to blob storage, where
// there are many. It is called by the flusher, with mu held.
func (f *flusher) beginPage() {
	a := &f.accepted
	if f.paging.running || f.paging.done != nil || a.archived || a.logged < pageAfter || time.Now().After(f.ends) ||
		f.life.Err() != nil {
		return
	}
	f.paging.running = true
	after, last, restored := a.paged(), f.told.Seq, f.restored
	f.flushing.Go(func() {
		page, bytes, err := f.writePage(after, last)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.paging.running = false
		switch {
		case err != nil || restored != f.restored: // a later commit starts again
		case page == nil:
			a.logged = 0 // less than was thought
		default:
			f.paging.done, f.paging.at, f.paging.bytes = page, restored, bytes
			f.raiseLocked(wantNow)
		}
	})
}

// writePage writes the oldest of the events above a number to an object, and leaves the newest ones
// where they are. It returns the page, nil where there are too few, and what its events take on the
// server.
func (f *flusher) writePage(after, last int64) (*tier.Segment, int64, error) {
	list, err := f.eventsForPage(after, last)
	if err != nil || len(list) == 0 {
		return nil, 0, err
	}
	page := tier.Segment{Start: after, End: list[len(list)-1].Seq}
	page.Object = fmt.Sprintf("%sevents/%012d-%d-%s", f.folder, page.Start, page.End, f.nonce)
	logged := int64(0)
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	for i := range list {
		tier.WriteEvent(w, &list[i])
		logged += loggedBytes(&list[i])
	}
	if err := w.Close(); err != nil {
		return nil, 0, fmt.Errorf("compress events: %w", err)
	}
	return &page, logged, f.room.tier.Put(f.life, page.Object, compressed.Bytes())
}

// eventsForPage returns the events of the next page.
func (f *flusher) eventsForPage(after, last int64) (list []messages.Event, err error) {
	bytes := int64(0)
	for at := after; at < last && bytes < maxPage+pageRest; {
		more, err := f.room.tier.ListEvents(f.life, "", f.id, at, tier.EventPage)
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			break
		}
		for i := range more {
			bytes += loggedBytes(&more[i])
		}
		list = append(list, more...)
		at = more[len(more)-1].Seq
	}
	n := len(list)
	for rest := int64(0); n > 0 && (rest < pageRest || list[n-1].Seq > last); n-- {
		rest += loggedBytes(&list[n-1])
	}
	return list[:n], nil
}

var sessionPage = Scripts.Script("session_page", "record", "session", "claim")

// commitPage puts a page into the list of the session's pages, as commitSegment does with a
// segment.
func (f *flusher) commitPage(ctx context.Context, page tier.Segment) error {
	f.mu.Lock()
	current := f.paging.at == f.restored
	f.mu.Unlock()
	if !current { // the events on the server may have been others than ours
		f.endPage(nil)
		return nil
	}
	tried := f.paging.tried
	f.paging.tried = true
	m, err := f.room.writer.Run(ctx, sessionPage,
		append(f.claimArgs(), server.Decimal(page.Start), server.Decimal(page.End), page.String())...)
	if isEnd(err) && !tried {
		f.room.tier.Discard(ctx, page.Object)
	}
	if err != nil {
		return err
	}
	if answer, err := m.ToString(); err == nil && answer == "behind" {
		return f.restore(ctx)
	}
	var r server.Reader
	pages := tier.ParseSegments(&r, m)
	if r.Err != nil {
		return r.Err
	}
	f.endPage(pages)
	return nil
}

// endPage takes the server's list of pages after a call that was to put one into it; with nil it
// drops that page. The object of one that is not in the list goes with the record.
func (f *flusher) endPage(list []tier.Segment) {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := &f.accepted
	if list != nil {
		a.pages = list
	}
	if n := len(list); n > 0 && list[n-1] == *f.paging.done {
		a.logged -= f.paging.bytes
	}
	f.paging.done, f.paging.tried = nil, false
	f.beginPage()
	if a.pending() {
		f.soonLocked()
	}
}
