//go:build !race

package session

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"steno/session/asr"
)

// roomNoise returns a microphone's noise in a quiet room.
func roomNoise(bytes int) []byte {
	r := rand.New(rand.NewPCG(5, 6))
	out := make([]byte, 0, bytes)
	for len(out) < bytes {
		v := uint16(int16(40 * r.NormFloat64()))
		out = append(out, byte(v), byte(v>>8))
	}
	return out
}

// localAudio is a ledger whose audio is local. A silent session reads none of it.
type localAudio struct{ Memory }

func (*localAudio) Local() bool { return true }

// Under the race detector sync.Pool drops items at random, so memory is measured without it.

// A session in silence is small.
func TestSilentSession(t *testing.T) {
	const sessions, most = 64, 8 << 10
	noise := roomNoise(3 * 32000)
	var before, after runtime.MemStats
	silent := func() *Session {
		s := open(t, &localAudio{Memory{NoAudio: true}}, `{}`, asr.Live, nullSink{})
		for p := noise; len(p) > 0; p = p[640:] {
			if err := s.Write(t.Context(), p[:640]); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	silent().Abandon() // the first one makes what all share
	all := make([]*Session, sessions)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range all {
		all[i] = silent()
		defer all[i].Abandon()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	inUse := func(m *runtime.MemStats) uint64 { return m.HeapAlloc + m.StackInuse }
	each := int64(inUse(&after)-inUse(&before)) / sessions
	t.Logf("%d bytes for each session", each)
	if each > most {
		t.Errorf("a session takes %d bytes, more than %d", each, most)
	}
}

// A frame of silence allocates nothing.
func TestSilenceAllocatesNothing(t *testing.T) {
	noise := roomNoise(3 * 32000)
	s := open(t, &localAudio{Memory{NoAudio: true}}, `{}`, asr.Live, nullSink{})
	defer s.Abandon()
	write := func(p []byte) {
		if err := s.Write(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	for p := noise; len(p) > 0; p = p[640:] {
		write(p[:640])
	}
	at := 0
	if n := testing.AllocsPerRun(100, func() {
		write(noise[at : at+640])
		at += 640
	}); n > 0 {
		t.Errorf("a frame makes %v allocations", n)
	}
}
