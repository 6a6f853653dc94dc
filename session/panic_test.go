package session

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
	"steno/session/panics"
)

// trap panics in one call of a kind: the one with the number.
type trap struct {
	kind   string
	number int64
	calls  atomic.Int64
	blown  atomic.Bool
}

func (m *trap) step(kind string) {
	if kind == m.kind && m.calls.Add(1) == m.number {
		m.blown.Store(true)
		var list []string
		_ = list[len(kind)] // as faults are
	}
}

// panickingRecognizer triggers the trap at each call.
type panickingRecognizer struct {
	asr.Recognizer
	*trap
}

func (r panickingRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	r.step("open")
	u, err := r.Recognizer.Open(ctx, p)
	return panickingStream{u, r.trap}, err
}

type panickingStream struct {
	asr.Stream
	*trap
}

func (u panickingStream) Write(s []int16) error {
	u.step("write")
	return u.Stream.Write(s)
}

func (u panickingStream) Pause() error {
	u.step("pause")
	return u.Stream.Pause()
}

func (u panickingStream) End() error {
	u.step("end")
	return u.Stream.End()
}

func (u panickingStream) Recv() (asr.Result, error) {
	u.step("recv")
	return u.Stream.Recv()
}

// panickingSink triggers it at each event.
type panickingSink struct {
	Sink
	*trap
}

func (o panickingSink) Send(e messages.Event) {
	o.step("send")
	o.Sink.Send(e)
}

// panickingLedger triggers it at each call that writes.
type panickingLedger struct {
	*Memory
	*trap
}

func (l panickingLedger) AppendAudio(ctx context.Context, p []byte) error {
	l.step("audio")
	return l.Memory.AppendAudio(ctx, p)
}

func (l panickingLedger) AppendEvent(ctx context.Context, e messages.Event, lane int, state []byte) (int64, bool,
	error) {
	l.step("event")
	return l.Memory.AppendEvent(ctx, e, lane, state)
}

func (l panickingLedger) SetStopped(ctx context.Context) error {
	l.step("stop")
	return l.Memory.SetStopped(ctx)
}

func (l panickingLedger) Finish(ctx context.Context, o Outcome) error {
	l.step("finish")
	return l.Memory.Finish(ctx, o)
}

// playPanicking plays two sentences to a session with a trap. It fails if the session hangs.
func playPanicking(t *testing.T, m *trap, kept *Memory, all *eventRecorder) *Session {
	t.Helper()
	request, fault := messages.ParseLive([]byte(withPartials))
	if fault != nil {
		t.Fatal(fault)
	}
	s, err := Open(t.Context(), Config{
		ID: "mined", Request: request, Recognizer: panickingRecognizer{scripted.New(scripted.Config{}), m},
		Ledger: panickingLedger{kept, m}, Priority: asr.Live, Sinks: []Sink{panickingSink{everything(), m}, all},
	})
	if err != nil {
		t.Fatal(err)
	}
	pcm := twoSentences()
	for i := 0; i < len(pcm); i += 3200 {
		_ = s.Write(t.Context(), pcm[i:min(i+3200, len(pcm))]) // the session answers for its failures
		s.Acknowledge(false)
		time.Sleep(100 * time.Millisecond)
	}
	_ = s.Stop(t.Context(), true)
	select {
	case <-s.Done():
	case <-time.After(time.Hour):
		t.Fatal("the session does not end")
	}
	s.Received() // no lock is left
	s.Detach(all)
	return s
}

// A panic anywhere in a session ends that session as a failure, with the result so far.
func TestPanicsEndTheSession(t *testing.T) {
	for _, kind := range []string{"open", "write", "pause", "end", "recv", "send", "audio", "event", "stop", "finish"} {
		for _, number := range []int64{1, 3} {
			t.Run(fmt.Sprint(kind, number), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m, kept, all := &trap{kind: kind, number: number}, &Memory{}, everything()
					s := playPanicking(t, m, kept, all)
					if !m.blown.Load() {
						if s.Err() != nil {
							t.Errorf("without a panic: %v", s.Err())
						}
						return
					}
					checkBroken(t, s, kept)
				})
			})
		}
	}
}

func checkBroken(t *testing.T, s *Session, kept *Memory) {
	t.Helper()
	o := kept.Outcome()
	if o == nil || o.Failure == nil || o.Failure.Reason != messages.InternalError || o.Failure.Message !=
		"internal error" {
		t.Fatalf("outcome %+v", o)
	}
	fault := panics.In(s.Err())
	if fault == nil || !strings.Contains(string(fault.Stack), "trap") {
		t.Errorf("failure %v", s.Err())
	}
	finals := 0
	for _, e := range loggedEvents(t, kept) {
		if e.Kind == messages.KindFinal {
			finals++
		}
	}
	if got := len(o.Result.Transcription.Utterances); got != finals {
		t.Errorf("the result has %d utterances, the log %d", got, finals)
	}
}

// Utterances from before the panic are in the result.
func TestPanicsKeepWhatThereIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, kept := &trap{kind: "open", number: 2}, &Memory{}
		playPanicking(t, m, kept, everything())
		if o := kept.Outcome(); !m.blown.Load() || o == nil || len(o.Result.Transcription.Utterances) != 1 {
			t.Errorf("outcome %+v", o)
		}
	})
}

// A session whose sink panics continues for the other sinks until it is done.
func TestSinksDoNotShareAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, kept, all := &trap{kind: "send", number: 1}, &Memory{}, everything()
		playPanicking(t, m, kept, all)
		received, logged := 0, len(loggedEvents(t, kept))
		for _, e := range all.events {
			if e.Seq > 0 {
				received++
			}
		}
		if !m.blown.Load() || received != logged {
			t.Errorf("the other sink received %d of %d events", received, logged)
		}
	})
}

// A fault of the goroutine that calls Write ends a running recording, once.
func TestBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var kept Memory
		s := open(t, &kept, withPartials, asr.Live)
		write(t, s, twoSentences())
		cause := panics.Try(func() { panic("fault") })
		if !s.Break(cause) || s.Break(cause) {
			t.Error("the session breaks twice, or not at all")
		}
		<-s.Done()
		if o := kept.Outcome(); o == nil || o.Failure == nil || o.Failure.Reason != messages.InternalError ||
			panics.In(s.Err()) == nil || len(o.Result.Transcription.Utterances) != 2 {
			t.Errorf("outcome %+v, %v", o, s.Err())
		}
	})
}

func loggedEvents(t *testing.T, m *Memory) []messages.Event {
	t.Helper()
	list, err := m.Events(t.Context(), 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// panickingTimers is a ledger that panics when timers call it.
type panickingTimers struct{ *Memory }

func (panickingTimers) MarkSilence(context.Context, int64) error { panic("fault") }
func (panickingTimers) Sync(int64) error                         { panic("fault") }

// A panic in a function that timers call, on goroutines of their own, ends only the session, not
// the process.
func TestPanicsOfTimersEndTheSession(t *testing.T) {
	for name, call := range map[string]func(*Session){
		"silence":     func(s *Session) { _ = s.Silence(context.Background()) },
		"acknowledge": func(s *Session) { s.Acknowledge(true) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var kept Memory
				s := open(t, panickingTimers{&kept}, withPartials, asr.Live)
				write(t, s, twoSentences())
				if err := panics.Try(func() { call(s) }); err != nil {
					t.Errorf("it panics: %v", err)
				}
				_ = s.Stop(t.Context(), false)
				<-s.Done()
				if o := kept.Outcome(); o == nil || o.Failure == nil || o.Failure.Reason != messages.InternalError {
					t.Errorf("outcome %+v", o)
				}
			})
		})
	}
}
