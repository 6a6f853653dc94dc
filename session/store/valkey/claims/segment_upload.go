package claims

import (
	"context"
	"fmt"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

// beginUpload starts a goroutine that writes a segment to blob storage where one is full. It is
// called by the flusher, with mu held. A handle whose lease has run out uploads nothing.
func (f *flusher) beginUpload() {
	start := f.accepted.journal.Start
	if f.upload.running || f.upload.done != nil || f.accepted.durable-start < tier.SegmentSize ||
		time.Now().After(f.ends) || f.life.Err() != nil {
		return
	}
	s := tier.Segment{Start: start, End: start + tier.SegmentSize, Object: tier.SegmentName(f.folder, f.nonce, start,
		start+tier.SegmentSize)}
	p := f.accepted.journal.Slice(s.Start, s.End)
	f.upload.running = true
	f.flushing.Go(func() {
		err := f.room.tier.Put(f.life, s.Object, p)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.upload.running = false
		if err == nil {
			f.upload.done = &s
			f.raiseLocked(wantNow)
		}
	})
}

var sessionSegment = Scripts.Script("session_segment", "record", "session", "claim")

// segmentArgs are the arguments of session_segment after those of the claim.
func (f *flusher) segmentArgs(s tier.Segment) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := &f.accepted
	n, start := a.piecesWithin(s.End), s.Start
	if n > 0 {
		start = a.pieces[n-1]
	}
	return []string{
		server.Decimal(s.Start), server.Decimal(s.End), s.String(),
		server.Decimal(a.durable), server.Decimal(int64(len(a.pieces))), server.Decimal(int64(n)),
		server.Decimal(start),
	}
}

// commitSegment puts a segment into the manifest. The segment of a lost claim is removed from blob
// storage, unless it may be in the manifest by an earlier call, of which the new holder knows.
func (f *flusher) commitSegment(ctx context.Context, s tier.Segment) error {
	tried := f.upload.tried
	f.upload.tried = true
	m, err := f.room.writer.Run(ctx, sessionSegment, append(f.claimArgs(), f.segmentArgs(s)...)...)
	if isEnd(err) && !tried {
		f.room.tier.Discard(ctx, s.Object)
	}
	if err != nil {
		return err
	}
	answer, err := m.ToString()
	if err != nil {
		return fmt.Errorf("%w: answer to a segment: %w", store.ErrAway, err)
	}
	if answer == "behind" {
		return f.restore(ctx)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	a := &f.accepted
	a.dropSegment(s)
	f.upload.done, f.upload.tried = nil, false
	f.measure()
	f.beginUpload()
	if a.pending() {
		f.soonLocked()
	}
	return nil
}
