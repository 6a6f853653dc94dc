package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"steno/messages"
	"steno/session/addon/addontest"
	"steno/session/asr/scripted"
)

// failingLedger is a ledger whose process dies after a number of calls that change something: later
// calls fail.
type failingLedger struct {
	*Memory
	left *atomic.Int64
}

var errDead = errors.New("the process is dead")

func failingAfter(m *Memory, calls int64) failingLedger {
	left := new(atomic.Int64)
	left.Store(calls)
	return failingLedger{m, left}
}

func (l failingLedger) dies() bool { return l.left.Add(-1) < 0 }

func (l failingLedger) AppendAudio(ctx context.Context, p []byte) error {
	if l.dies() {
		return errDead
	}
	return l.Memory.AppendAudio(ctx, p)
}

func (l failingLedger) AppendEvent(ctx context.Context, e messages.Event, lane int, state []byte) (int64, bool, error) {
	if l.dies() {
		return 0, false, errDead
	}
	return l.Memory.AppendEvent(ctx, e, lane, state)
}

func (l failingLedger) MarkSilence(ctx context.Context, at int64) error {
	if l.dies() {
		return errDead
	}
	return l.Memory.MarkSilence(ctx, at)
}

func (l failingLedger) SetStopped(ctx context.Context) error {
	if l.dies() {
		return errDead
	}
	return l.Memory.SetStopped(ctx)
}

func (l failingLedger) Finish(ctx context.Context, o Outcome) error {
	if l.dies() {
		return errDead
	}
	return l.Memory.Finish(ctx, o)
}

// playRestarting plays audio in chunks with pauses, through processes that each die after some
// number of changes; the last one lives.
func playRestarting(t *testing.T, request string, audio []byte, providers addontest.Providers, lives []int64,
	chunk int, pause time.Duration) *Memory {
	var m Memory
	synctest.Test(t, func(t *testing.T) {
		for _, calls := range append(lives, 1<<40) {
			s, err := openAddons(t, failingAfter(&m, calls), request,
				scripted.New(scripted.Config{Delay: 30 * time.Millisecond}), providers)
			if err != nil {
				continue // died while it was resumed
			}
			for rest := audio[m.AudioSize():]; err == nil && len(rest) > 0; {
				n := min(chunk, len(rest))
				if err = s.Write(context.Background(), rest[:n]); errors.Is(err, ErrStopped) {
					t.Fatal("stopped before its audio ended")
				}
				rest = rest[n:]
				time.Sleep(pause)
			}
			if err == nil && s.Stop(context.Background(), false) == nil {
				<-s.Done()
			}
			s.Abandon()
		}
	})
	if m.Outcome() == nil {
		t.Fatal("no outcome")
	}
	return &m
}

// However often the process dies, and whatever add-ons were doing: the utterances are the same,
// each wanted message of an add-on is logged once, after its final, and the closing messages are in
// order.
func TestAddonsSurvive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		channels := rapid.IntRange(1, 2).Draw(rt, "channels")
		request := fmt.Sprintf(`{"channels":%d,"endpointing":0.1,%s}`, channels, allAddons)
		audio := scene(channels, rapid.Float64Range(3, 7).Draw(rt, "seconds"), rapid.Uint64Range(0, 5).Draw(rt, "seed"))
		providers := doing(takes(time.Duration(rapid.IntRange(0, 1000).Draw(rt, "work")) * time.Millisecond))
		want := playRestarting(t, request, audio, doing(nil), nil, len(audio), 0)
		got := playRestarting(t, request, audio, providers,
			rapid.SliceOfN(rapid.Int64Range(0, 40), 0, 6).Draw(rt, "lives"),
			rapid.IntRange(3200, 40000).Draw(rt, "chunk"),
			time.Duration(rapid.IntRange(0, 300).Draw(rt, "pause"))*time.Millisecond)
		if a, b := resultText(t, got), resultText(t, want); a != b {
			rt.Fatalf("got  %s\nwant %s", a, b)
		}
		checkFollowing(t, got, 0)
		checkClosing(t, got, 0)
	})
}

// resultText returns the outcome without the durations of work.
func resultText(t *testing.T, m *Memory) string {
	t.Helper()
	o := *m.Outcome()
	r := &o.Result
	r.Metadata.TranscriptionTime = 0
	for _, took := range []*float64{
		&r.Translation.ExecTime, &r.NamedEntityRecognition.ExecTime, &r.SentimentAnalysis.ExecTime,
		&r.Summarization.ExecTime, &r.Chapterization.ExecTime,
	} {
		*took = 0
	}
	b, err := json.MarshalIndent(o, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A session that dies while it is being finished has the same summary in its result as in its
// message.
func TestTheSummaryToldIsTheSummaryKept(t *testing.T) {
	request, audio := `{"endpointing":0.3,`+allAddons+`}`, twoSentences()
	told := 0
	for calls := int64(15); calls < 30; calls++ { // it ends after some 25 changes
		var asked atomic.Int64
		providers := doing(nil)
		providers.Summarize = func(context.Context, []messages.Utterance, string) (string, error) {
			return fmt.Sprint("summary ", asked.Add(1)), nil
		}
		m := playRestarting(t, request, audio, providers, []int64{calls}, len(audio), 0)
		for _, e := range m.events {
			var body struct{ Data struct{ Results string } }
			if e.Kind != messages.KindPostSummarization {
				continue
			}
			if err := json.Unmarshal(e.Body, &body); err != nil {
				t.Fatal(err)
			}
			if kept := *m.Outcome().Result.Summarization.Results; kept != body.Data.Results {
				t.Errorf("death after %d: told %q, kept %q", calls, body.Data.Results, kept)
			}
			if asked.Load() > 1 {
				told++
			}
		}
	}
	if told == 0 {
		t.Error("it never died between asking and telling: nothing is tested")
	}
}
