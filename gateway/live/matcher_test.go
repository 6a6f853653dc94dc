package live

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// play feeds a client's bytes in the given pieces to a matcher and returns the journal afterwards and where the client
// was thought to begin.
func play(t rapid.TB, journal []byte, candidates []int64, sent []byte, cuts []int) (after []byte, start int64) {
	t.Helper()
	m := newMatcher(bytes.NewReader(journal), int64(len(journal)), candidates)
	after = bytes.Clone(journal)
	if !m.open() {
		return append(after, sent...), int64(len(journal))
	}
	for i := 0; len(sent) > 0; i++ {
		n := len(sent)
		if i < len(cuts) {
			n = min(cuts[i], n)
		}
		v, decided, err := m.feed(sent[:n])
		if err != nil {
			t.Fatal(err)
		}
		if decided {
			after = append(after, journal[v.from:v.to]...)
			return append(after, sent[v.skip:]...), v.start
		}
		sent = sent[n:]
	}
	return after, m.end().start
}

func drawBytes(t *rapid.T, label string, low, high int) []byte {
	return rapid.SliceOfN(rapid.Byte(), low, high).Draw(t, label)
}

// TestDistinctAudio: with audio that is nowhere like itself the start is always found, and the journal becomes what
// the client meant, however it is cut and however much of the overlap comes.
func TestDistinctAudio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const unit = 8 // bytes, each unit like no other
		total := rapid.IntRange(1, 3000).Draw(t, "units")
		whole := make([]byte, 0, unit*total)
		for i := range total {
			whole = binary.LittleEndian.AppendUint64(whole, uint64(i+1)*0x9E3779B97F4A7C15)
		}
		units := rapid.IntRange(0, total).Draw(t, "journal")
		size := unit * units
		var candidates []int64
		for _, c := range rapid.SliceOfN(rapid.IntRange(0, units), 1, 8).Draw(t, "candidates") {
			candidates = append(candidates, int64(unit*c))
		}
		start := rapid.SampledFrom(candidates).Draw(t, "start")
		end := unit * rapid.IntRange(units, total).Draw(t, "end")
		cuts := rapid.SliceOfN(rapid.IntRange(1, 3000), 0, 40).Draw(t, "cuts")
		after, found := play(t, whole[:size], candidates, whole[start:end], cuts)
		if !bytes.Equal(after, whole[:end]) {
			t.Fatalf("journal of %d bytes after, want %d", len(after), end)
		}
		if found != start && int64(end) > start {
			t.Fatalf("start %d, want %d", found, start)
		}
	})
}

// TestSelfSimilarAudio: with audio full of repeats the earliest candidate that fits is taken, never one that does not
// fit, and what is lost is at most the distance from the earliest candidate to the true one.
func TestSelfSimilarAudio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := drawBytes(t, "period", 1, 6)
		whole := bytes.Repeat(period, rapid.IntRange(1, 400).Draw(t, "repeats"))
		for range rapid.IntRange(0, 4).Draw(t, "spots") {
			whole[rapid.IntRange(0, len(whole)-1).Draw(t, "spot")] ^= 1
		}
		size := rapid.IntRange(0, len(whole)).Draw(t, "journal")
		candidates := rapid.SliceOfN(rapid.Int64Range(0, int64(size)), 1, 8).Draw(t, "candidates")
		start := rapid.SampledFrom(candidates).Draw(t, "start")
		sent := whole[start:]
		cuts := rapid.SliceOfN(rapid.IntRange(1, 300), 0, 40).Draw(t, "cuts")
		after, found := play(t, whole[:size], candidates, sent, cuts)
		if want := oracle(whole[:size], candidates, sent); !bytes.Equal(after, want) {
			t.Fatalf("journal after differs from the plain algorithm's: %d and %d bytes", len(after), len(want))
		}
		earliest := start
		for _, c := range candidates {
			earliest = min(earliest, c)
		}
		if found > start {
			t.Fatalf("start %d is after the true one %d", found, start)
		}
		if lost := int64(len(whole)) - int64(len(after)); lost < 0 || lost > start-earliest {
			t.Fatalf("%d bytes lost, the candidates span %d", lost, start-earliest)
		}
	})
}

// oracle decides with all bytes at hand.
func oracle(journal []byte, candidates []int64, sent []byte) []byte {
	for c := int64(0); c <= int64(len(journal)); c++ {
		for _, k := range candidates {
			if k != c {
				continue
			}
			overlap := journal[c:]
			if bytes.HasPrefix(sent, overlap) {
				return append(bytes.Clone(journal), sent[len(overlap):]...)
			}
			if bytes.HasPrefix(overlap, sent) {
				return journal
			}
		}
	}
	return append(bytes.Clone(journal), sent...)
}

func FuzzMatcher(f *testing.F) {
	f.Add([]byte("aaaaaaab"), []byte("aaab"), uint8(4), uint8(6), uint8(1))
	f.Add([]byte("abcabcabc"), []byte("abcabd"), uint8(3), uint8(6), uint8(2))
	f.Add([]byte{}, []byte("x"), uint8(0), uint8(0), uint8(1))
	f.Fuzz(func(t *testing.T, journal, sent []byte, a, b, cut uint8) {
		candidates := []int64{int64(a), int64(b)}
		size := int64(len(journal))
		cuts := make([]int, len(sent)/(int(cut)+1)+1)
		for i := range cuts {
			cuts[i] = int(cut) + 1
		}
		after, _ := play(t, journal, candidates, sent, cuts)
		usable := candidates[:0]
		for _, c := range candidates {
			if c <= size {
				usable = append(usable, c)
			}
		}
		if want := oracle(journal, usable, sent); !bytes.Equal(after, want) {
			t.Fatalf("got %q, want %q", after, want)
		}
	})
}
