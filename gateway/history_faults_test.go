package gateway

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
	"steno/session/store"
)

// fault is something that goes wrong in a history.
type fault struct {
	at    time.Duration // since its beginning
	kind  string
	of    int           // the client that it befalls; -1: all
	lasts time.Duration // 0: a moment
}

func (f fault) String() string {
	return fmt.Sprintf("%6.2fs %s of %d for %s", f.at.Seconds(), f.kind, f.of, f.lasts)
}

// faultKind is one kind of fault.
type faultKind struct {
	longest time.Duration // 0: it is a moment
	begin   func(h *history, f fault)
	end     func(h *history, f fault) // nil where it is a moment
}

// faultKinds are the kinds by name. Connections that are held longer than the resume window lose
// their session.
var faultKinds = map[string]faultKind{
	"cut": {0, func(h *history, f fault) { h.network.cut(f.of) }, nil},
	"hold": {12 * time.Second, func(h *history, f fault) { h.network.hold(f.of) },
		func(h *history, f fault) { h.network.release(f.of) }},
	"half-open": {50 * time.Second, func(h *history, f fault) { h.network.hold(f.of) },
		func(h *history, f fault) { h.network.cut(f.of) }},
	"restart": {0, func(h *history, _ fault) { h.restart() }, nil},
	"crash":   {0, func(h *history, _ fault) { h.crash() }, nil},
	"engine away": {10 * time.Second, func(h *history, _ fault) { h.engine.away.Add(1); h.engine.lose() },
		func(h *history, _ fault) { h.engine.away.Add(-1) }},
	"engine hangs": {6 * time.Second, func(h *history, _ fault) { h.engine.hang() },
		func(h *history, _ fault) { h.engine.resume() }},
	"engine lost": {0, func(h *history, _ fault) { h.engine.lose() }, nil},
	"receiver refuses": {20 * time.Second, func(h *history, _ fault) { h.hooks.is(hookRefuses) },
		func(h *history, _ fault) { h.hooks.is(hookWell) }},
	"receiver hangs": {20 * time.Second, func(h *history, _ fault) { h.hooks.is(hookHangs) },
		func(h *history, _ fault) { h.hooks.is(hookWell) }},
	"receiver cuts": {20 * time.Second, func(h *history, _ fault) { h.hooks.is(hookCuts) },
		func(h *history, _ fault) { h.hooks.is(hookWell) }},
	"receiver endless": {20 * time.Second, func(h *history, _ fault) { h.hooks.is(hookEndless) },
		func(h *history, _ fault) { h.hooks.is(hookWell) }},
	"receiver unknown": {20 * time.Second, func(h *history, _ fault) { h.hooks.is(hookUnknown) },
		func(h *history, _ fault) { h.hooks.is(hookWell) }},
	"disk full": {15 * time.Second, func(h *history, _ fault) { h.disk.full.Add(1) },
		func(h *history, _ fault) { h.disk.full.Add(-1) }},
}

// mostLosses bounds how often the engine loses what it has: an utterance that is lost more often
// gets no words, since it may be the cause.
const mostLosses = 2

// planFaults draws the faults of a history, in the order of their times.
func planFaults(r *rand.Rand, clients int, length time.Duration, kinds []string) (plan []fault) {
	losses := 0
	for at := time.Duration(0); ; {
		at += time.Duration(r.ExpFloat64() * float64(5*time.Second))
		if at > length {
			return plan
		}
		f := fault{at: at, kind: kinds[r.IntN(len(kinds))], of: r.IntN(clients+1) - 1}
		if longest := faultKinds[f.kind].longest; longest > 0 {
			f.lasts = 100*time.Millisecond + time.Duration(r.Float64()*r.Float64()*float64(longest))
		}
		if strings.HasPrefix(f.kind, "engine") {
			if losses++; losses > mostLosses {
				continue
			}
		}
		plan = append(plan, f)
	}
}

// faultyEngine is the scripted recognizer, away, restarted or without an answer at times.
type faultyEngine struct {
	asr.Recognizer
	away atomic.Int64

	mu   sync.Mutex
	life context.Context // of the utterances that it has now
	end  context.CancelFunc
	hung int           // faults that have it hang
	free chan struct{} // closed when it continues
}

func newFaultyEngine() *faultyEngine {
	e := &faultyEngine{Recognizer: scripted.New(scripted.Config{Delay: 80 * time.Millisecond})}
	e.lose()
	return e
}

// lose has the engine lose all utterances that it has.
func (e *faultyEngine) lose() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.end != nil {
		e.end()
	}
	e.life, e.end = context.WithCancel(context.Background())
}

// hang has the engine answer nothing until resume was called as often.
func (e *faultyEngine) hang() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.hung++; e.hung == 1 {
		e.free = make(chan struct{})
	}
}

func (e *faultyEngine) resume() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.hung--; e.hung == 0 {
		close(e.free)
	}
}

// wait waits as long as the engine hangs.
func (e *faultyEngine) wait(ctx context.Context) {
	e.mu.Lock()
	hung, free := e.hung > 0, e.free
	e.mu.Unlock()
	if !hung {
		return
	}
	select {
	case <-free:
	case <-ctx.Done():
	}
}

func (e *faultyEngine) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if e.away.Load() > 0 {
		return nil, asr.ErrUnavailable
	}
	e.mu.Lock()
	life := e.life
	e.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(life, cancel)
	s, err := e.Recognizer.Open(ctx, p)
	if err != nil {
		cancel()
		return nil, err
	}
	return faultyStream{s, e, ctx, life}, nil
}

type faultyStream struct {
	asr.Stream
	engine *faultyEngine
	ctx    context.Context // of the utterance, within life
	life   context.Context // of what the engine has
}

func (s faultyStream) Write(samples []int16) error {
	if s.life.Err() != nil {
		return asr.ErrUnavailable
	}
	return s.Stream.Write(samples)
}

func (s faultyStream) Recv() (asr.Result, error) {
	result, err := s.Stream.Recv()
	s.engine.wait(s.ctx)
	if s.life.Err() != nil {
		return asr.Result{}, asr.ErrUnavailable
	}
	return result, err
}

// faultyDisk is a store whose disk is full at times. A slow one would need another clock: sessions
// write with locks held, and the fake clock does not advance while another goroutine waits for one.
type faultyDisk struct {
	store.Store
	state *diskState
}

type diskState struct{ full atomic.Int64 }

// write fails while the disk is full.
func (d *diskState) write() error {
	if d.full.Load() > 0 {
		return fmt.Errorf("write: %w", syscall.ENOSPC)
	}
	return nil
}

func (d faultyDisk) Free(ctx context.Context) (int64, error) {
	if d.state.full.Load() > 0 {
		return 0, nil
	}
	return d.Store.Free(ctx)
}

func (d faultyDisk) Claim(ctx context.Context, id string, intent store.Intent) (store.Live, error) {
	l, err := d.Store.Claim(ctx, id, intent)
	if err != nil {
		return nil, err
	}
	return faultyLive{l, d.state}, nil
}

type faultyLive struct {
	store.Live
	disk *diskState
}

func (l faultyLive) AppendAudio(ctx context.Context, p []byte) error {
	if err := l.disk.write(); err != nil {
		return err
	}
	return l.Live.AppendAudio(ctx, p)
}

func (l faultyLive) AppendEvent(ctx context.Context, e messages.Event, lane int, checkpoint []byte) (int64, bool,
	error) {
	if err := l.disk.write(); err != nil {
		return 0, false, err
	}
	return l.Live.AppendEvent(ctx, e, lane, checkpoint)
}

func (l faultyLive) SetStopped(ctx context.Context) error {
	if err := l.disk.write(); err != nil {
		return err
	}
	return l.Live.SetStopped(ctx)
}

func (l faultyLive) Finish(ctx context.Context, o store.Outcome) error {
	if err := l.disk.write(); err != nil {
		return err
	}
	return l.Live.Finish(ctx, o)
}
