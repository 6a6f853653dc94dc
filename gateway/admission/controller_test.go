package admission

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/metrics"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/asr"
)

// measured is a controller in a bubble of fake time, with one engine of two slots whose reports the
// test makes.
type measured struct {
	*testing.T
	*Controller
	load  EngineLoad
	waits float64 // how long a decode takes, by the processor time that it needs
}

// inMeasured runs a test with a controller, whose engine has reported once.
func inMeasured(t *testing.T, c Config, f func(m *measured)) {
	synctest.Test(t, func(t *testing.T) {
		c.Headroom = true
		m := &measured{T: t, Controller: NewController(c, nil, 5*time.Second, metrics.New().Admission), waits: 1}
		m.load = EngineLoad{Engine: "e", Slots: 2}
		m.report()
		f(m)
	})
}

// report passes the engine's current report to the controller.
func (m *measured) report() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.observe(time.Now(), 0, []EngineLoad{m.load})
}

// decode has the engine decode speech of so many speakers for a time, at these costs of finals and
// partials, with a wait for each final.
func (m *measured) decode(d time.Duration, speakers, finals, partials float64, wait time.Duration) {
	work := func(jobs int64, cost, audio float64, wait time.Duration) Work {
		took := time.Duration(cost * audio)
		return Work{Jobs: jobs, Queued: wait, Audio: time.Duration(audio),
			Decoding: time.Duration(float64(took) * m.waits), Processor: took}
	}
	for range int(d / measureEvery) {
		time.Sleep(measureEvery)
		audio := speakers * float64(measureEvery)
		m.load.Finals = m.load.Finals.Add(work(1, finals, audio, wait))
		m.load.Partials = m.load.Partials.Add(work(5, partials, audio, 0))
		m.report()
	}
}

// admit admits sessions of one channel until one is refused, at most a hundred.
func (m *measured) admit(holder string) (list []*Speaker, refused *messages.Problem) {
	for range 100 {
		s, err := m.Admit(Holder{Key: holder}, Target{"e", true}, 1, 0)
		if err != nil {
			errors.As(err, &refused)
			return list, refused
		}
		s.Connect(true)
		list = append(list, s)
	}
	return list, nil
}

func TestCapacityIsMeasured(t *testing.T) {
	for _, c := range []struct{ finals, speakers, want float64 }{
		{0.05, 24, 24}, {0.15, 8, 8}, {0.3, 4, 4},
		{0.05, 1, 19}, {0.15, 1, 6}, {0.3, 1, 3}, // one of many will cost more than one alone
	} {
		inMeasured(t, Config{}, func(m *measured) {
			m.decode(10*time.Minute, c.speakers, c.finals, 0.1, 0)
			list, refused := m.admit("k")
			if math.Abs(float64(len(list))-c.want) > max(1, c.want/10) || refused == nil || refused.Status != 503 ||
				refused.RetryAfter < time.Second {
				m.Errorf("finals of %v speakers at %v: %d admitted, want %v; then %+v", c.speakers, c.finals,
					len(list), c.want, refused)
			}
		})
	}
}

// Decodes that wait for processors because the machine is full of speech cost no more, those that
// wait because something else has the processors do.
func TestWaitForProcessors(t *testing.T) {
	for _, c := range []struct{ waits, want float64 }{{1, 12}, {1.15, 12}, {2, 7}} {
		inMeasured(t, Config{}, func(m *measured) {
			m.waits = c.waits
			m.decode(10*time.Minute, 12, 0.1, 0.1, 0)
			if list, _ := m.admit("k"); float64(len(list)) != c.want {
				m.Errorf("decodes take %v times their processor time: %d admitted, want %v", c.waits, len(list), c.want)
			}
		})
	}
}

func TestEnginesThatSayNothingHaveNoBound(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		for range 1000 {
			if _, err := m.Admit(Holder{Key: "k"}, Target{"another", true}, 2, 0); err != nil {
				m.Fatal(err)
			}
		}
	})
}

// A session counts as speaking for its first half minute, and then by its share of speech: so the
// time in answers to refused clients is right, and more half-silent calls are admitted than
// continuous speakers.
func TestNewSessionsCountAsSpeaking(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		first, refused := m.admit("k")
		if len(first) != 8 {
			m.Fatalf("%d sessions admitted, want 8", len(first))
		}
		if refused.RetryAfter != newFor {
			m.Errorf("told to come back after %v, want %v", refused.RetryAfter, newFor)
		}
		for range 12 {
			for i, s := range first { // each speaks half of the time, four at a time
				s.Speak(i%2 == 0)
			}
			time.Sleep(5 * time.Second)
			for i, s := range first {
				s.Speak(i%2 == 1)
				if i%2 == 0 {
					s.Speak(false)
				}
			}
			time.Sleep(5 * time.Second)
		}
		more, _ := m.admit("k")
		if len(more) != 4 { // 8 halves and 4 new ones
			m.Errorf("%d more sessions admitted, want 4", len(more))
		}
		for _, s := range append(first, more...) {
			s.Leave()
		}
		if again, _ := m.admit("k"); len(again) != 8 {
			m.Errorf("%d sessions admitted when all had left, want 8", len(again))
		}
	})
}

// A room full to capacity begins to speak at the same time, which was foreseen.
func TestARoomBeginsToSpeak(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		list, _ := m.admit("k")
		for _, s := range list {
			s.Speak(true)
		}
		if _, refused := m.admit("k"); refused == nil {
			m.Error("one more is admitted")
		}
		time.Sleep(newFor + time.Second)
		if more, _ := m.admit("k"); len(more) != 0 {
			m.Errorf("%d more are admitted while all speak", len(more))
		}
		for _, s := range list {
			s.Connect(false) // the sockets are gone in the middle of speech
		}
		time.Sleep(5 * time.Minute)
		if more, _ := m.admit("k"); len(more) != 7 { // they are almost forgotten
			m.Errorf("%d are admitted beside those without a socket, want 7", len(more))
		}
	})
}

func TestLimitsOfSpeakers(t *testing.T) {
	inMeasured(t, Config{Speakers: 6, KeySpeakers: 4}, func(m *measured) {
		if list, refused := m.admit("one"); len(list) != 4 || refused.Status != 429 {
			m.Errorf("one key: %d admitted, then %+v", len(list), refused)
		}
		if _, err := m.Admit(Holder{Key: "another"}, Target{"e", true}, 1, 3.5); web.AsProblem(err).Status != 429 {
			m.Errorf("with speakers elsewhere: %v", err)
		}
		if list, refused := m.admit("another"); len(list) != 2 || refused.Status != 503 {
			m.Errorf("another key: %d admitted, then %+v", len(list), refused)
		}
	})
}

// level returns what is degraded.
func (m *measured) level() Level {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.engines["e"].level
}

// Load rises and falls: recordings pause first, then partials thin out, then sessions are refused,
// and the other way round.
func TestOrderOfDegradation(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		var seen []Level
		step := func(wait time.Duration) {
			m.decode(20*time.Second, 2, 0.1, 0.1, wait)
			seen = append(seen, m.level())
		}
		for _, wait := range []time.Duration{0, 80, 150, 300, 150, 80, 0} {
			step(wait * time.Millisecond)
		}
		want := []Level{Normal, ReplayPauses, PartialsThin, Refusing, PartialsThin, ReplayPauses, Normal}
		for i := range want {
			if seen[i] != want[i] {
				m.Fatalf("levels %v, want %v", seen, want)
			}
		}
	})
}

// opened is a recognizer that keeps what it was asked for.
type opened struct{ params []asr.Params }

func (o *opened) Open(_ context.Context, p asr.Params) (asr.Stream, error) {
	o.params = append(o.params, p)
	return nil, nil
}

func TestPartialsThinOut(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		list, _ := m.admit("k") // 8: room for finals at 1.2 of 2 slots, and 0.4 for partials that take 0.8
		for _, s := range list {
			s.Speak(true)
		}
		m.decode(20*time.Second, 0, 0, 0, 0)
		var o opened
		r := m.Recognizer(&o, "e")
		with := 0
		for range 100 {
			if _, err := r.Open(m.Context(), asr.Params{Partials: true}); err != nil {
				m.Fatal(err)
			}
			if o.params[len(o.params)-1].Partials {
				with++
			}
		}
		if with < 45 || with > 55 {
			m.Errorf("%d of 100 utterances have partials, want about half", with)
		}
	})
}

// Recordings wait while live speech needs the engine, but not for ever, and continue when it does
// not.
func TestRecordingsPause(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		var o opened
		r := m.Recognizer(&o, "e")
		replay := func() time.Duration {
			began := time.Now()
			if _, err := r.Open(m.Context(), asr.Params{Priority: asr.Replay}); err != nil {
				m.Error(err)
			}
			return time.Since(began)
		}
		if took := replay(); took != 0 {
			m.Errorf("waited %v without need", took)
		}
		m.decode(20*time.Second, 12, 0.1, 0, 0)
		if !m.ReplayPaused() {
			m.Fatal("recordings do not pause")
		}
		if first, second := replay(), replay(); first != 0 || second != passEvery {
			m.Errorf("waited %v and %v, want one utterance every %v", first, second, passEvery)
		}
		waited := make(chan time.Duration, 1)
		go func() { waited <- replay() }()
		m.decode(8*time.Second, 0, 0, 0, 0)
		if took := <-waited; took >= 8*time.Second || m.ReplayPaused() {
			m.Errorf("waited %v, still pausing %v", took, m.ReplayPaused())
		}
		ctx, cancel := context.WithCancel(m.Context())
		m.decode(20*time.Second, 12, 0.1, 0, 0)
		replay()
		cancel()
		if _, err := r.Open(ctx, asr.Params{Priority: asr.Replay}); !errors.Is(err, context.Canceled) {
			m.Errorf("cancelled: %v", err)
		}
	})
}

func TestTheGatewayIsLate(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		for range lagSamples {
			m.measure(m.Context(), time.Second)
		}
		if _, refused := m.admit("k"); refused == nil || refused.Status != 503 {
			m.Errorf("refused with %+v", refused)
		}
		for range lagSamples {
			m.measure(m.Context(), 0)
		}
		if _, err := m.Admit(Holder{Key: "k"}, Target{"e", true}, 1, 0); err != nil {
			m.Error(err)
		}
	})
}

// The counts of a restarted engine start again, and what was learnt of it is kept.
func TestEngineRestarts(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		m.decode(10*time.Minute, 1, 0.3, 0, 0)
		m.load = EngineLoad{Engine: "e", Slots: 2}
		m.decode(time.Second, 1, 0.3, 0, 0)
		m.mu.Lock()
		defer m.mu.Unlock()
		if most := m.engines["e"].capacity.most(); math.Abs(most-4) > 0.4 {
			m.Errorf("capacity %v, want 4", most)
		}
	})
}

// What else keeps the machine busy makes decodes longer, and fewer sessions are admitted. It is
// forgotten soon, with little speech and with none.
func TestAContendedMachineIsForgotten(t *testing.T) {
	for name, speakers := range map[string]float64{"nobody": 0, "one speaker": 1, "six speakers": 6} {
		inMeasured(t, Config{}, func(m *measured) {
			m.decode(10*time.Minute, 1, 0.15, 0.1, 0)
			m.decode(2*time.Minute, 4, 0.45, 0.3, 0)
			if list, _ := m.admit("k"); len(list) > 4 {
				m.Errorf("%s: %d admitted while decodes take three times as long, want 4 at most", name, len(list))
			} else {
				for _, s := range list {
					s.Leave()
				}
			}
			m.decode(time.Minute, speakers, 0.15, 0.1, 0)
			if list, _ := m.admit("k"); len(list) < 6 {
				m.Errorf("%s: %d admitted a minute later, want 6 at least", name, len(list))
			}
		})
	}
}

// Of an engine that is not there and has never reported nobody knows what it carries.
func TestEnginesThatStart(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		_, err := m.Admit(Holder{Key: "k"}, Target{"another", false}, 1, 0)
		if p := web.AsProblem(err); p == nil || p.Status != 503 || p.RetryAfter != 5*time.Second {
			m.Errorf("admitted with %+v", p)
		}
		if _, err := m.Admit(Holder{Key: "k"}, Target{"e", false}, 1, 0); err != nil {
			m.Errorf("an engine that is known and away: %v", err)
		}
	})
}

// An engine that reports nothing any more has no recordings that wait for it, and takes as many
// sessions as it is known to carry.
func TestEnginesThatFallSilent(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		m.decode(20*time.Second, 12, 0.15, 0, time.Second)
		if _, refused := m.admit("k"); refused == nil || !m.ReplayPaused() {
			m.Fatal("an engine that is behind takes sessions")
		}
		for range int((silentFor + time.Second) / measureEvery) {
			time.Sleep(measureEvery)
			m.measure(m.Context(), 0)
		}
		if m.ReplayPaused() || m.level() != Normal {
			m.Errorf("level %v; recordings pause: %t", m.level(), m.ReplayPaused())
		}
		if list, refused := m.admit("k"); len(list) != 7 || refused == nil {
			m.Errorf("%d admitted, then %+v; want 7", len(list), refused)
		}
	})
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c := NewController(Config{Headroom: true}, func(context.Context) []EngineLoad {
			asked++
			return []EngineLoad{{Engine: "e", Slots: 1}}
		}, time.Second, metrics.New().Admission)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); c.Run(ctx) }()
		time.Sleep(10*measureEvery + time.Millisecond)
		cancel()
		<-done
		if asked != 10 {
			t.Errorf("asked %d times", asked)
		}
	})
}
