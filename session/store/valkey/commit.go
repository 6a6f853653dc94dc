package valkey

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"steno/session/retry"
	"steno/session/store"
	"steno/session/store/valkey/server"
)

var (
	standScript    = scripts.Script("session_stand", "record", "session", "claim")
	sessionRestore = scripts.Script("session_restore", "record", "session", "claim")
)

const (
	// commitEvery and commitBurst bound the commits of a session where few share the calls: 11 a second, and a few more at a time
	// so that an event seldom waits. Where many do, groupEvery bounds the calls.
	commitEvery = 92 * time.Millisecond
	commitBurst = 3
	// gatherTime is how long audio waits for company where nothing waits for it.
	gatherTime = 200 * time.Millisecond
)

// flusher makes durable what the holder of a claim has accepted. Its goroutine runs from Claim to Release or the end of the
// claim.
type flusher struct {
	*claim
	pace     *rate.Limiter
	gathered *time.Timer    // made when it is first wanted: gatherTime is over; under mu
	flushing sync.WaitGroup // the goroutine, and an upload

	version, answered int64 // numbers of the last commit and of the last one answered; of the goroutine, then of Release
	restored          int   // how often the server was given again what it had forgotten; guarded by mu
	connections       int64 // made by the process when the server was last known to have everything; likewise

	notifying sync.Mutex // held while notify is called; taken before mu
	notify    func()
}

// flush makes durable what the handle accepts, until the claim ends or Release is called. It is the one goroutine that writes
// to the session.
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

// isEnd tells whether an error of the server says that a claim has ended.
func isEnd(err error) bool {
	return errors.Is(err, store.ErrTaken) || errors.Is(err, store.ErrLost) || errors.Is(err, store.ErrNotFound)
}

// await waits until a call is wanted and may be made. It returns false when the claim has ended or Release was called.
func (f *flusher) await() bool {
	for {
		f.mu.Lock()
		want := f.want
		f.mu.Unlock()
		if want == wantNow {
			return f.slowDown()
		}
		select {
		case <-f.work:
		case <-f.closing:
			return false
		case <-f.life.Done():
			return false
		}
	}
}

// soonLocked wants a call within gatherTime. It does not wake the flusher: what comes with audio mostly wants a call at once.
func (f *flusher) soonLocked() {
	if f.want != wantNothing || f.closed {
		return
	}
	f.want = wantSoon
	if f.gathered == nil {
		f.gathered = time.AfterFunc(gatherTime, f.endGathering)
	} else {
		f.gathered.Reset(gatherTime)
	}
}

func (f *flusher) soon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.soonLocked()
}

func (f *flusher) endGathering() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.want == wantSoon {
		f.raiseLocked(wantNow)
	}
}

// stopGathering has no call come of itself. It is called with mu held.
func (f *flusher) stopGathering() {
	if f.gathered != nil {
		f.gathered.Stop()
	}
}

// slowDown waits until the session may make another commit, where its commits are likely to be calls of their own. It returns false as sleep does.
func (f *flusher) slowDown() bool {
	if f.pace.Allow() || f.sessions.many() {
		return f.goesOn()
	}
	return f.sleep(f.pace.Reserve().Delay())
}

// goesOn returns false when the claim has ended or Release was called.
func (f *flusher) goesOn() bool {
	select {
	case <-f.closing:
		return false
	case <-f.life.Done():
		return false
	default:
		return true
	}
}

// sleep returns false when the claim has ended or Release was called before d is over.
func (f *flusher) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-f.closing:
	case <-f.life.Done():
	}
	return false
}

// step makes one call: for a segment that is in blob storage, else for what was accepted. A server that has forgotten bytes of
// the segment is given these before.
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
	c := f.accepted.commitOf(b, f.record["account"], follow, f.id, f.nonce, server.Decimal(f.answered), server.Decimal(f.version))
	f.mu.Unlock()
	answer := f.sessions.group.commit(ctx, c)
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
	m, err := f.sessions.server.Run(ctx, standScript, f.claimArgs()...)
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
	f.told = store.Progress{Seq: max(f.told.Seq, b.seq), Boundary: max(f.told.Boundary, b.boundary)}
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

// call tells the session that more is durable, unless Release has begun.
func (f *flusher) call() {
	f.notifying.Lock()
	defer f.notifying.Unlock()
	select {
	case <-f.closing:
	default:
		if f.notify != nil {
			f.notify()
		}
	}
}

// restore writes to a server that has forgotten what it had: record, claim and manifest at once, everything else by the commits
// that follow.
func (f *flusher) restore(ctx context.Context) error {
	f.mu.Lock()
	a := &f.accepted
	f.version++
	args := append(f.claimArgs(), f.sessions.node, server.Flag(f.seized), server.Milliseconds(f.sessions.lease), server.Milliseconds(f.sessions.window), server.Decimal(f.version),
		server.Decimal(a.journal.Start), server.Decimal(a.base()), f.record["losses"], server.Decimal(int64(len(a.segments))))
	for _, s := range a.segments {
		args = append(args, s.String())
	}
	args = append(args, server.Decimal(int64(len(a.pages))))
	for _, s := range a.pages {
		args = append(args, s.String())
	}
	f.restored++
	f.mu.Unlock()
	if err := f.sessions.records.Restore(ctx, f.id, f.record); err != nil {
		return err
	}
	m, err := f.sessions.writer.Run(ctx, sessionRestore, args...)
	if err != nil {
		return err
	}
	n, err := m.AsIntSlice()
	if err != nil || len(n) != 3 {
		return fmt.Errorf("%w: answer to a restoration: %w", store.ErrAway, err)
	}
	f.answered = f.version
	f.mu.Lock()
	defer f.mu.Unlock()
	a.rollBack(n[0], n[1])
	f.raiseLocked(wantNow)
	return nil
}
