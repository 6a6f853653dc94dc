package claims

import (
	"context"
	"fmt"
	"time"

	"steno/session"
	"steno/session/retry"
	"steno/session/store"
	"steno/session/store/valkey/server"
)

var (
	standScript = Scripts.Script("session_stand", "record", "session", "claim")
)

const (
	commitBurst = 3
	// gatherTime is how long audio waits for company where nothing waits for it.
	gatherTime = 200 * time.Millisecond
)

// flush makes durable what the handle accepts, until the claim ends or Release is called. It is the
// one goroutine that writes to the session.
func (f *flusher) flush() {
	pause := retry.Backoff{First: 20 * time.Millisecond, Longest: time.Second}
	for f.await() {
		err := f.step(f.life)
		switch {
		case err == nil:
			pause.Reset()
		case isEnd(err):
			f.lose(err)
		default: // a state of the server: what was accepted waits
			f.raise(wantNow)
			f.sleep(pause.Next())
		}
	}
}

// step makes one call: for a segment that is in blob storage, else for what was accepted. A server
// that has forgotten bytes of the segment is given these before.
func (f *flusher) step(ctx context.Context) error {
	f.mu.Lock()
	f.want = wantNothing
	f.stopGathering()
	s := f.upload.done
	ready := s != nil && f.accepted.durable >= s.End
	page := f.paging.done
	check := f.unchecked()
	f.mu.Unlock()
	if check {
		return f.checkWhole(ctx)
	}
	if ready {
		return f.commitSegment(ctx, *s)
	}
	if page != nil {
		return f.commitPage(ctx, *page)
	}
	return f.commit(ctx)
}

// commit makes a batch durable, which may be empty: then it asks whether the claim stands.
func (f *flusher) commit(ctx context.Context) error {
	f.mu.Lock()
	b := f.accepted.next()
	f.version++
	asked := time.Now()
	follow := asked.Sub(f.asked) > followedFor*4/5
	c := f.accepted.commitOf(b, f.record["account"], follow, f.id, f.nonce, server.Decimal(f.answered),
		server.Decimal(f.version))
	f.mu.Unlock()
	answer := f.room.group.commit(ctx, c)
	switch {
	case answer.err != nil:
		return answer.err
	case answer.word == "behind":
		return f.restore(ctx)
	case answer.word != "":
		return f.stand(ctx)
	}
	f.settle(b, asked, answer)
	return nil
}

// stand asks what has become of the claim.
func (f *flusher) stand(ctx context.Context) error {
	m, err := f.room.server.Run(ctx, standScript, f.claimArgs()...)
	if err != nil {
		return err
	}
	answer, err := m.ToString()
	if err != nil {
		return fmt.Errorf("%w: answer about a claim: %w", store.ErrAway, err)
	}
	if answer == "behind" {
		return f.restore(ctx)
	}
	f.raise(wantNow)
	return nil
}

// settle notes that a batch is durable.
func (f *flusher) settle(b batch, asked time.Time, answer commitAnswer) {
	f.renewed(asked, answer.left)
	f.answered = f.version
	f.mu.Lock()
	a := &f.accepted
	if answer.followers >= 0 {
		f.asked = asked
		f.followed.Store(answer.followers > 0)
	}
	a.settle(b, time.Now())
	grown := b.seq > f.told.Seq || b.boundary > f.told.Boundary
	f.told = session.Progress{Seq: max(f.told.Seq, b.seq), Boundary: max(f.told.Boundary, b.boundary)}
	close(f.grown)
	f.grown = make(chan struct{})
	f.measure()
	if len(a.queue) > 0 || b.size-b.offset == maxBatchAudio {
		f.raiseLocked(wantNow)
	} else if a.pending() {
		f.soonLocked()
	}
	if f.upload.done != nil || f.paging.done != nil || f.unchecked() {
		f.raiseLocked(wantNow)
	}
	f.beginUpload()
	f.beginPage()
	f.mu.Unlock()
	if grown {
		f.call()
	}
}
