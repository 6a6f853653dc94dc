package session

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"steno/session/asr"
)

// roomNoise is a microphone's noise in a quiet room.
func roomNoise(bytes int) []byte {
	r := rand.New(rand.NewPCG(5, 6))
	out := make([]byte, 0, bytes)
	for len(out) < bytes {
		v := uint16(int16(40 * r.NormFloat64()))
		out = append(out, byte(v), byte(v>>8))
	}
	return out
}

// localAudio is a ledger that says it has its audio at hand, of which nothing is asked in silence.
type localAudio struct{ Memory }

func (*localAudio) Local() bool { return true }

// A session in silence is small.
func TestSilentSession(t *testing.T) {
	const sessions, most = 64, 12 << 10
	noise := roomNoise(3 * 32000)
	var before, after runtime.MemStats
	all := make([]*Session, sessions)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range all {
		all[i] = open(t, &localAudio{Memory{NoAudio: true}}, `{}`, asr.Live, nothing{})
		defer all[i].Abandon()
		for p := noise; len(p) > 0; p = p[640:] {
			if err := all[i].Write(t.Context(), p[:640]); err != nil {
				t.Fatal(err)
			}
		}
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
