package client

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// play feeds a client's bytes in the given pieces to a matcher and returns the journal afterwards
// and its verdict.
func play(t rapid.TB, journal []byte, candidates []int64, sent []byte, cuts []int) (after []byte, v verdict) {
	t.Helper()
	m := newMatcher(bytes.NewReader(journal), int64(len(journal)), candidates)
	after = bytes.Clone(journal)
	if !m.open() {
		return append(after, sent...), verdict{start: int64(len(journal))}
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
			return append(after, sent[v.skip:]...), v
		}
		sent = sent[n:]
	}
	v, err := m.end()
	if err != nil {
		t.Fatal(err)
	}
	return append(after, journal[v.from:v.to]...), v
}

func drawBytes(t *rapid.T, label string, low, high int) []byte {
	return rapid.SliceOfN(rapid.Byte(), low, high).Draw(t, label)
}

// TestDistinctAudio: in audio without repetitions the start is always found, and the journal is
// what the client meant, however it is cut and however much of the overlap arrives.
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
		if found.start != start && int64(end) > start || found.unsure {
			t.Fatalf("%+v, want start %d", found, start)
		}
	})
}

// TestSelfSimilarAudio: in audio full of repetitions a candidate that fits is chosen, the earliest
// unless the verdict is unsure.
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
		cuts := rapid.SliceOfN(rapid.IntRange(1, 300), 0, 40).Draw(t, "cuts")
		checkVerdict(t, whole[:size], candidates, whole[start:], cuts)
	})
}

// checkVerdict compares a matcher's verdict with those of the plain algorithm, which holds all
// bytes.
func checkVerdict(t rapid.TB, journal []byte, candidates []int64, sent []byte, cuts []int) {
	t.Helper()
	after, v := play(t, journal, candidates, sent, cuts)
	if len(sent) == 0 {
		return
	}
	fitting := fits(journal, candidates, sent)
	switch {
	case len(fitting) == 0:
		if v.fits || v.start != int64(len(journal)) {
			t.Fatalf("%+v, but no candidate fits", v)
		}
	case !v.unsure && v.start != fitting[0], v.unsure && (v.start == fitting[0] || !slices.Contains(fitting, v.start)):
		t.Fatalf("%+v of %v", v, fitting)
	}
	want := journal
	if overlap := int64(len(journal)) - v.start; overlap < int64(len(sent)) {
		want = append(bytes.Clone(journal), sent[overlap:]...)
	}
	if !bytes.Equal(after, want) {
		t.Fatalf("journal after of %d bytes, want %d", len(after), len(want))
	}
}

// fits lists the candidates, ascending, from which on journal and sent are equal as far as both go.
func fits(journal []byte, candidates []int64, sent []byte) (fitting []int64) {
	for _, c := range slices.Compact(slices.Sorted(slices.Values(candidates))) {
		overlap := journal[c:]
		if n := min(len(overlap), len(sent)); bytes.Equal(overlap[:n], sent[:n]) {
			fitting = append(fitting, c)
		}
	}
	return fitting
}

// In audio that repeats itself several candidates are right, and the latest is chosen; later bytes
// do not decide it, unless the earliest lacks its whole overlap.
func TestAudioThatRepeatsItselfIsUnsure(t *testing.T) {
	const second = 32000
	silence := make([]byte, 4*second)
	tone := make([]byte, 0, 4*second) // 440 Hz, equal after 11 periods
	for i := range 2 * second {
		tone = binary.LittleEndian.AppendUint16(tone, uint16(int16(8000*math.Sin(2*math.Pi*440*float64(i%400)/16000))))
	}
	noise := make([]byte, 4*second)
	rand.NewChaCha8([32]byte{}).Read(noise)
	looped := bytes.Repeat(noise[:3200], 40)
	late := append(bytes.Clone(noise[:2*second-3200]), silence...) // which has lasted for one ack
	acks := []int64{2*second - 9600, 2*second - 6400, 2*second - 3200, 2 * second}
	for name, c := range map[string]struct {
		audio  []byte
		start  int64
		unsure bool
		want   int64
	}{
		"silence": {silence, acks[1], true, acks[3]}, "mu-law silence": {bytes.Repeat([]byte{0xff}, 4*second), acks[0],
			true, acks[3]},
		"a constant": {bytes.Repeat([]byte{0x10, 0x27}, 2*second), acks[2], true, acks[3]}, "a tone": {tone, acks[3],
			true, acks[3]},
		"a loop": {looped, acks[1], true, acks[3]}, "silence just begun": {late, acks[3], true, acks[3]},
		"noise": {noise, acks[1], false, acks[1]}, "noise, nothing sent again": {noise, acks[3], false, acks[3]},
		"silence to be":     {append(bytes.Clone(noise[:2*second]), silence...), acks[3], false, acks[3]},
		"silence that ends": {append(bytes.Clone(silence[:2*second]), noise...), acks[3], false, acks[3]},
	} {
		_, v := play(t, c.audio[:2*second], acks, c.audio[c.start:c.start+second], []int{640, 640, 640, 640, 640, 640,
			640})
		if v.unsure != c.unsure || v.start != c.want {
			t.Errorf("%s: %+v, want %+v", name, v, c.want)
		}
		checkVerdict(t, c.audio[:2*second], acks, c.audio[c.start:c.start+second], nil)
	}
}

// A client whose count differs from the journal's continues at none of its acks. Its audio is found
// in the journal, however it is cut.
func TestPlaceThatIsNoAck(t *testing.T) {
	noise := make([]byte, 96000)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	rapid.Check(t, func(t *rapid.T) {
		const size = 64000
		start := rapid.IntRange(size-9600, size-leastProbe).Draw(t, "start")
		end := rapid.IntRange(start+leastProbe, len(noise)).Draw(t, "end")
		cuts := rapid.SliceOfN(rapid.IntRange(leastProbe, 4000), 0, 40).Draw(t, "cuts")
		after, v := play(t, noise[:size], []int64{size - 9600, size - 3200, size}, noise[start:end], cuts)
		if !bytes.Equal(after, noise[:max(size, end)]) || v.unsure {
			t.Fatalf("%+v, journal after of %d bytes, want %d", v, len(after), max(size, end))
		}
	})
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
		usable := candidates[:0]
		for _, c := range candidates {
			if c <= size {
				usable = append(usable, c)
			}
		}
		checkVerdict(t, journal, usable, sent, cuts)
	})
}
