package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/asr"
)

var (
	errTaken = errors.New("taken")
	errAway  = errors.New("away")
)

// lateLedger accepts everything immediately and makes it durable when flush is called.
type lateLedger struct {
	Memory

	mu      sync.Mutex
	durable Progress
	synced  int64
	notify  func()
	cause   error
	away    bool // reads fail
}

func (l *lateLedger) Sync(boundary int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.synced = max(l.synced, boundary)
	return l.cause
}

func (l *lateLedger) Durable() Progress {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.durable
}

func (l *lateLedger) Notify(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.notify = f
}

func (l *lateLedger) Cause() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

func (l *lateLedger) AppendAudio(ctx context.Context, p []byte) error {
	if err := l.Cause(); err != nil {
		return err
	}
	return l.Memory.AppendAudio(ctx, p)
}

func (l *lateLedger) AppendEvent(ctx context.Context, e messages.Event, lane int, state []byte) (int64, bool, error) {
	if err := l.Cause(); err != nil {
		return 0, false, err
	}
	return l.Memory.AppendEvent(ctx, e, lane, state)
}

func (l *lateLedger) Events(ctx context.Context, after int64, limit int) ([]messages.Event, error) {
	l.mu.Lock()
	durable, away := l.durable.Seq, l.away
	l.mu.Unlock()
	if away {
		return nil, errAway
	}
	return l.Memory.Events(ctx, after, min(limit, int(max(durable-after, 0))))
}

func (l *lateLedger) Finish(ctx context.Context, o Outcome) error {
	for l.Durable().Seq < l.accepted() {
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return l.Memory.Finish(ctx, o)
}

// accepted returns the number of the last accepted event.
func (l *lateLedger) accepted() int64 {
	l.Memory.mu.Lock()
	defer l.Memory.mu.Unlock()
	return int64(len(l.events))
}

// flush makes everything accepted durable.
func (l *lateLedger) flush() { l.flushTo(l.accepted()) }

// flushTo makes the events up to a number durable, and every boundary.
func (l *lateLedger) flushTo(seq int64) {
	l.mu.Lock()
	l.durable = Progress{Seq: seq, Boundary: l.synced}
	notify := l.notify
	l.mu.Unlock()
	if notify != nil {
		notify()
	}
	synctest.Wait()
}

// lose ends the claim.
func (l *lateLedger) lose() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cause = errTaken
}

func (l *lateLedger) setAway(away bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away = away
}

// flushEvery makes everything durable again and again until the test's end.
func (l *lateLedger) flushEvery(d time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			l.mu.Lock()
			l.durable = Progress{Seq: l.accepted(), Boundary: l.synced}
			notify := l.notify
			l.mu.Unlock()
			notify()
			select {
			case <-time.After(d):
			case <-ctx.Done():
			}
		}
	})
	return func() { cancel(); done.Wait() }
}

// openLate opens a session with the sinks.
func openLate(t *testing.T, l *lateLedger, dropped func(messages.Kind), sinks ...Sink) *Session {
	t.Helper()
	c := configOf(t, l, withPartials, asr.Live, sinks...)
	c.Away = func(err error) bool { return errors.Is(err, errAway) }
	c.Dropped = dropped
	s, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestNothingIsToldBeforeItIsDurable compares the events that a sink is sent with a late ledger and
// with a prompt one: they are the same, in the same order, and none is sent before it is durable.
func TestNothingIsToldBeforeItIsDurable(t *testing.T) {
	told := func(l Ledger, flush func()) []string {
		all := everything()
		s := open(t, l, withPartials, asr.Live, all)
		for pcm := range slices.Chunk(twoSentences(), 3200) {
			write(t, s, pcm)
			synctest.Wait() // the partials of this chunk come before its ack
			s.Acknowledge(false)
			synctest.Wait()
			flush()
		}
		if err := s.Stop(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		for range 4 { // what was said, the closing events, the outcome, the end
			synctest.Wait()
			time.Sleep(10 * time.Millisecond)
			flush()
		}
		<-s.Done()
		// The number of partials per chunk depends on the recognizer's timing: runs of equal ones
		// count as one.
		return slices.CompactFunc(all.keys(), func(a, b string) bool {
			return a == b &&
				strings.HasPrefix(a, "partial/")
		})
	}
	synctest.Test(t, func(t *testing.T) {
		want := told(&Memory{}, func() {})
		late := &lateLedger{}
		if got := told(late, late.flush); !slices.Equal(got, want) {
			t.Errorf("a late ledger gives\n%v\nwant\n%v", got, want)
		}
	})
}

// checkDurable is a sink that fails if it is sent an event that is not durable.
type checkDurable struct {
	eventRecorder
	t      *testing.T
	ledger *lateLedger
}

func (c *checkDurable) Send(e messages.Event) {
	if p := c.ledger.Durable(); e.Seq > p.Seq || e.Acked > p.Boundary {
		c.t.Errorf("%s was sent, durable is %+v", e.Key, p)
	}
	c.eventRecorder.Send(e)
}

func TestEventsAndAcksWaitForTheLedger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lateLedger{}
		sink := &checkDurable{eventRecorder: eventRecorder{wants: everything().wants}, t: t, ledger: l}
		s := openLate(t, l, nil, sink)
		stop := l.flushEvery(700 * time.Millisecond)
		for pcm := range slices.Chunk(twoSentences(), 3200) {
			write(t, s, pcm)
			s.Acknowledge(false)
			time.Sleep(100 * time.Millisecond)
		}
		stopAndWait(t, s)
		stop()
		keys := sink.keys()
		if last := keys[len(keys)-1]; last != "end_session" {
			t.Errorf("the last event is %s", last)
		}
		var seqs []int64
		for _, e := range sink.events {
			if e.Seq > 0 {
				seqs = append(seqs, e.Seq)
			}
		}
		if int64(len(seqs)) != l.accepted() || !slices.IsSorted(seqs) {
			t.Errorf("%d events of %d were sent: %v", len(seqs), l.accepted(), seqs)
		}
	})
}

// TestTenMinutesAway has a client that keeps sending keep-alives, refused messages and a little
// audio while nothing becomes durable.
func TestTenMinutesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, all, dropped := &lateLedger{}, everything(), map[messages.Kind]int{}
		s := openLate(t, l, func(k messages.Kind) { dropped[k]++ }, all)
		defer s.Abandon()
		frame := make([]byte, 640)
		sent := 0
		for range 6000 {
			write(t, s, frame)
			sent += len(frame)
			s.Acknowledge(true)
			s.Refuse(messages.AudioAck{Refused: "no"})
			time.Sleep(100 * time.Millisecond)
		}
		if got := len(all.keys()); got != 0 {
			t.Fatalf("%d events were sent while nothing was durable", got)
		}
		if n := len(s.run.out.waiting.list); n > 2*maxWaiting+10 {
			t.Errorf("%d events wait", n)
		}
		l.flush()
		var acked []messages.Event
		for _, e := range all.events {
			if e.Kind == messages.KindAudioAck {
				acked = append(acked, e)
			}
		}
		if len(acked)+dropped[messages.KindAudioAck] != 6000 || dropped[messages.KindFailedAck] != 6000-maxWaiting {
			t.Errorf("%d acks were sent, dropped are %v", len(acked), dropped)
		}
		from := int64(0) // the ranges leave no gap
		for _, e := range acked {
			r := e.Message.(*messages.AudioAck).ByteRange
			if r[0] != from {
				t.Fatalf("an ack begins at %d, want %d", r[0], from)
			}
			from = r[1]
		}
		if from != int64(sent) {
			t.Errorf("acknowledged are %d bytes of %d", from, sent)
		}
	})
}

// TestAttachWhileEventsWait attaches sinks at every stage of a session whose log lags: each
// receives every logged event once and in order, and no ack that was meant for an earlier one.
func TestAttachWhileEventsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lateLedger{}
		s := openLate(t, l, nil)
		var sinks []*eventRecorder
		acksBefore := map[*eventRecorder]int{}
		acks := 0
		for i, pcm := range slices.Collect(slices.Chunk(twoSentences(), 3200)) {
			write(t, s, pcm)
			if _, sent := s.Acknowledge(true); sent {
				acks++
			}
			synctest.Wait()
			if i%3 == 0 {
				sink := everything()
				attach(t, s, sink, 0)
				sinks, acksBefore[sink] = append(sinks, sink), acks
			}
			if i%7 == 0 {
				l.flushTo(max(l.Durable().Seq, l.accepted()-1))
			}
		}
		stop := l.flushEvery(time.Millisecond)
		stopAndWait(t, s)
		stop()
		for i, sink := range sinks {
			var seqs []int64
			got := 0
			for _, e := range sink.events {
				if e.Seq > 0 {
					seqs = append(seqs, e.Seq)
				}
				if e.Kind == messages.KindAudioAck {
					got++
				}
			}
			want := make([]int64, l.accepted())
			for n := range want {
				want[n] = int64(n) + 1
			}
			if !slices.Equal(seqs, want) {
				t.Errorf("sink %d was sent %v, want 1 to %d", i, seqs, l.accepted())
			}
			if want := acks - acksBefore[sink]; got != want {
				t.Errorf("sink %d was sent %d acks, want %d", i, got, want)
			}
		}
	})
}

func TestLostLedgerAbandonsTheSession(t *testing.T) {
	for _, act := range []struct {
		name string
		do   func(*Session) error
	}{
		{"write", func(s *Session) error { return s.Write(context.Background(), make([]byte, 640)) }},
		{"stop", func(s *Session) error { return s.Stop(context.Background(), true) }},
	} {
		t.Run(act.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, all := &lateLedger{}, everything()
				s := openLate(t, l, nil, all)
				defer s.Abandon()
				write(t, s, twoSentences())
				synctest.Wait()
				l.flushTo(2)
				told := len(all.keys())
				l.lose()
				if act.name == "stop" {
					s.run.cfg.Ledger = stoplessLedger{l}
				}
				if err := act.do(s); !errors.Is(err, ErrAbandoned) {
					t.Errorf("error is %v", err)
				}
				<-s.Done()
				if err := s.Err(); err != nil {
					t.Errorf("the session failed: %v", err)
				}
				if got := len(all.keys()); got != told {
					t.Errorf("%v was told after the loss", all.keys()[told:])
				}
			})
		})
	}
}

// An abandoned session may be resumed by another process, which receives the audio that is refused
// here. So no stop after this audio may reach the ledger.
func TestNoStopOnceAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lateLedger{}
		s := openLate(t, l, nil, everything())
		s.Abandon()
		if err := s.Write(context.Background(), make([]byte, 640)); !errors.Is(err, ErrAbandoned) {
			t.Errorf("audio: %v", err)
		}
		for name, err := range map[string]error{
			"Stop":    s.Stop(context.Background(), true),
			"StopFor": s.StopFor(context.Background(), everything()),
		} {
			if !errors.Is(err, ErrAbandoned) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if stopped, err := l.Stopped(context.Background()); stopped || err != nil {
			t.Errorf("the ledger has a stop: %v, %v", stopped, err)
		}
	})
}

// stoplessLedger is a ledger that is lost by the time the session stops.
type stoplessLedger struct{ *lateLedger }

func (stoplessLedger) SetStopped(context.Context) error { return errTaken }

// TestEndWaitsForTheLedger stops a session whose ledger is out of reach.
func TestEndWaitsForTheLedger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, all := &lateLedger{}, everything()
		s := openLate(t, l, nil, all)
		write(t, s, twoSentences())
		l.setAway(true)
		if err := s.Stop(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		l.flush() // what was said is durable, but not to be read
		time.Sleep(time.Minute)
		if l.Outcome() != nil {
			t.Error("there is an outcome")
		}
		l.setAway(false)
		stop := l.flushEvery(time.Millisecond)
		<-s.Done()
		stop()
		if o := l.Outcome(); o == nil || o.Failure != nil || len(o.Result.Transcription.Utterances) != 2 {
			t.Errorf("outcome is %+v", o)
		}
		if keys := all.keys(); keys[len(keys)-1] != "end_session" {
			t.Errorf("the last event is %s", keys[len(keys)-1])
		}
	})
}

// lateBrokenSink panics at its n-th event.
type lateBrokenSink struct {
	eventRecorder
	n int
}

func (p *lateBrokenSink) Send(e messages.Event) {
	p.eventRecorder.Send(e)
	if len(p.events) == p.n {
		panic(fmt.Sprint("event ", p.n))
	}
}

func TestSinkThatPanicsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, all := &lateLedger{}, everything()
		bad := &lateBrokenSink{eventRecorder: eventRecorder{wants: all.wants}, n: 2}
		s := openLate(t, l, nil, bad, all)
		write(t, s, twoSentences())
		synctest.Wait()
		l.flush()
		stop := l.flushEvery(time.Millisecond)
		if err := s.Write(t.Context(), make([]byte, 640)); err == nil {
			t.Error("the session goes on")
		}
		<-s.Done()
		stop()
		if len(bad.events) != 2 {
			t.Errorf("it was sent %d events", len(bad.events))
		}
		if int64(len(all.keys())) < l.accepted() {
			t.Errorf("the other was sent %d events of %d", len(all.keys()), l.accepted())
		}
		if o := l.Outcome(); o == nil || o.Failure == nil {
			t.Errorf("outcome is %+v", o)
		}
	})
}
