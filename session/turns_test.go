package session

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/scripted"
)

// closeSentences returns two utterances, the second 0.7 s after the first.
func closeSentences() []byte {
	x := append(whiteNoise(1, -80, 1), voice(1.2, 20)...)
	x = append(x, whiteNoise(0.7, -80, 2)...)
	x = append(x, voice(1.2, 21)...)
	return interleave(append(x, whiteNoise(4, -80, 9)...))
}

// paced writes audio as it is spoken.
func paced(t *testing.T, s *Session, pcm []byte) {
	t.Helper()
	for piece := range slices.Chunk(pcm, 320) {
		write(t, s, piece)
		time.Sleep(10 * time.Millisecond)
	}
}

// speechOrder are the speech events and finals among keys, in order.
func speechOrder(keys []string) string {
	var list []string
	for _, k := range keys {
		kind, id, _ := strings.Cut(k, "/")
		if kind == "speech_start" || kind == "speech_end" || kind == "final" {
			list = append(list, strings.TrimPrefix(kind, "speech_")+id[len(id)-1:])
		}
	}
	return strings.Join(list, " ")
}

func TestSpeechEndFollowsItsFinal(t *testing.T) {
	for name, c := range map[string]struct {
		delay    time.Duration
		priority asr.Priority
		want     string
	}{
		"at once":                     {0, asr.Live, "start0 final0 end0 start1 final1 end1"},
		"soon":                        {300 * time.Millisecond, asr.Live, "start0 final0 end0 start1 final1 end1"},
		"late":                        {1200 * time.Millisecond, asr.Live, "start0 end0 start1 final0 end1 final1"},
		"late, of a recorded session": {1200 * time.Millisecond, asr.Replay, "start0 final0 end0 start1 final1 end1"},
	} {
		t.Run(name, func(t *testing.T) {
			all := everything()
			synctest.Test(t, func(t *testing.T) {
				var m Memory
				s := openWith(t, &m, `{"endpointing":0.2}`, c.priority,
					scripted.New(scripted.Config{Delay: c.delay}), all)
				paced(t, s, closeSentences())
				stopAndWait(t, s)
			})
			if got := speechOrder(all.keys()); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Wherever a process dies, each utterance has one speech_end, after its final.
func TestSpeechEndIsNotLost(t *testing.T) {
	audio := closeSentences()[:5*32000]
	for calls := int64(1); ; calls++ {
		var m Memory
		ledger := failingAfter(&m, calls)
		synctest.Test(t, func(t *testing.T) {
			r := scripted.New(scripted.Config{Delay: 50 * time.Millisecond})
			c := configOf(t, ledger, `{"endpointing":0.2}`, asr.Live)
			c.Recognizer = r
			if s, err := Open(t.Context(), c); err == nil {
				for piece := range slices.Chunk(audio, 3200) {
					if s.Write(context.Background(), piece) != nil {
						break
					}
					time.Sleep(100 * time.Millisecond)
				}
				s.Abandon()
			}
			s := openWith(t, &m, `{"endpointing":0.2}`, asr.Live, r)
			paced(t, s, audio[m.AudioSize():])
			stopAndWait(t, s)
		})
		var keys []string
		events, err := m.Events(t.Context(), 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			keys = append(keys, e.Key.String())
		}
		if got, want := speechOrder(keys), "start0 final0 end0 start1 final1 end1"; got != want {
			t.Errorf("after %d calls: %s, want %s", calls, got, want)
		}
		if ledger.left.Load() >= 0 {
			return // it did not die
		}
	}
}
