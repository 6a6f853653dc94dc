package audio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func anyFormat(t *rapid.T) Format {
	f := rapid.SampledFrom(formats).Draw(t, "encoding")
	f.SampleRate = rapid.SampledFrom(rates).Draw(t, "rate")
	f.Channels = rapid.IntRange(1, MaxChannels).Draw(t, "channels")
	return f
}

// A Front that is restored at any tick continues identically, whatever bytes follow its state.
func TestStateGoesOnIdentically(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f, enhance := anyFormat(rt), rapid.Bool().Draw(rt, "enhance")
		channel := rapid.IntRange(0, f.Channels-1).Draw(rt, "channel")
		ticks := rapid.IntRange(1, 180).Draw(rt, "ticks")
		cuts := rapid.SliceOfN(rapid.IntRange(0, ticks), 1, 4).Draw(rt, "cuts")
		x := whiteNoise(ticks*f.TickFrames(), rapid.Float64Range(0, 0.4).Draw(rt, "level"),
			rapid.Uint64().Draw(rt, "seed"))
		raw := encode(f, channel, x)
		whole := newFront(t, f, channel, enhance)
		want := runFront(whole, raw)

		slices.Sort(cuts)
		fr := newFront(t, f, channel, enhance)
		var got []int16
		at := 0
		for _, cut := range cuts {
			got = append(got, runFront(fr, raw[at*f.TickBytes():cut*f.TickBytes()])...)
			at = cut
			state := append(fr.AppendState([]byte("before")), "behind"...)
			fr = newFront(t, f, channel, enhance)
			runFront(fr, raw[:min(len(raw), 3*f.TickBytes())]) // what was there before must not matter
			rest, err := fr.RestoreState(state[len("before"):])
			if err != nil || string(rest) != "behind" {
				rt.Fatalf("rest %q, error %v", rest, err)
			}
		}
		got = append(got, runFront(fr, raw[at*f.TickBytes():])...)
		if !slices.Equal(got, want) {
			rt.Fatal("the restored front gives other samples")
		}
		if !bytes.Equal(fr.AppendState(nil), whole.AppendState(nil)) {
			rt.Fatal("the restored front ends in another state")
		}
	})
}

func TestStateIsRefused(t *testing.T) {
	own := Format{PCM, 16, 48000, 2}
	for name, other := range map[string]*Front{
		"encoding":    newFront(t, Format{PCM, 8, 48000, 2}, 1, true),
		"rate":        newFront(t, Format{PCM, 16, 44100, 2}, 1, true),
		"channels":    newFront(t, Format{PCM, 16, 48000, 3}, 1, true),
		"channel":     newFront(t, own, 0, true),
		"enhancement": newFront(t, own, 1, false),
	} {
		state := append(other.AppendState(nil), make([]byte, 20000)...)
		if _, err := newFront(t, own, 1, true).RestoreState(state); err == nil {
			t.Errorf("state of another %s is accepted", name)
		}
	}
	fr := newFront(t, own, 1, true)
	state := fr.AppendState(nil)
	for n := range state {
		if _, err := fr.RestoreState(state[:n]); err == nil {
			t.Fatalf("a state cut to %d bytes is accepted", n)
		}
	}
	state[0]++
	if _, err := fr.RestoreState(state); err == nil {
		t.Error("another version is accepted")
	}
}

// Every value of the enhancer's memory may be as wrong as it likes: it is refused, or it does no
// lasting harm.
func TestDamagedStateStaysFinite(t *testing.T) {
	f := Format{PCM, 16, Rate, 1}
	raw := encode(f, 0, whiteNoise(20*TickSamples, 0.1, 5))
	fr := newFront(t, f, 0, true)
	runFront(fr, raw)
	state := fr.AppendState(nil)
	accepted := 0
	for at := stateHeader; at < len(state); at += 4 * 37 {
		for _, v := range []float32{-math.MaxFloat32, -1e30, -1, 0, 1e14, 1e30, math.MaxFloat32, float32(math.Inf(1)),
			float32(math.NaN())} {
			b := bytes.Clone(state)
			binary.LittleEndian.PutUint32(b[at:], math.Float32bits(v))
			if _, err := fr.RestoreState(b); err != nil {
				continue
			}
			accepted++
			runFront(fr, raw)
			if _, err := fr.RestoreState(fr.AppendState(nil)); err != nil {
				t.Fatalf("value %v at byte %d: later, %v", v, at, err)
			}
		}
	}
	if accepted == 0 {
		t.Error("nothing was accepted, so nothing was tested")
	}
}

// Garbage is refused without a trace, or it is a state that can be used and saved again.
func FuzzRestoreState(f *testing.F) {
	format := Format{PCM, 16, 48000, 1}
	raw := encode(format, 0, whiteNoise(100*480, 0.1, 5))
	for _, enhance := range []bool{false, true} {
		fr := newFront(f, format, 0, enhance)
		runFront(fr, raw)
		f.Add(fr.AppendState(nil), enhance)
	}
	f.Fuzz(func(t *testing.T, b []byte, enhance bool) {
		fr := newFront(t, format, 0, enhance)
		runFront(fr, raw[:9600])
		before := fr.AppendState(nil)
		rest, err := fr.RestoreState(b)
		if err != nil {
			if !bytes.Equal(before, fr.AppendState(nil)) {
				t.Fatal("a refused state left something behind")
			}
		} else if again := fr.AppendState(nil); !bytes.Equal(again, b[:len(b)-len(rest)]) {
			t.Fatal("an accepted state is saved as another")
		}
		runFront(fr, raw[:9600])
		if _, err := fr.RestoreState(fr.AppendState(nil)); err != nil {
			t.Fatalf("a while later its own state is refused: %v", err)
		}
	})
}

func TestTickDoesNotAllocate(t *testing.T) {
	for _, base := range formats {
		for _, rate := range rates {
			for _, enhance := range []bool{false, true} {
				f := Format{base.Encoding, base.BitDepth, rate, 2}
				fr := newFront(t, f, 1, enhance)
				raw := encode(f, 1, whiteNoise(f.TickFrames(), 0.1, 1))
				out := make([]int16, TickSamples)
				state := fr.AppendState(nil)
				if n := testing.AllocsPerRun(50,
					func() { fr.Tick(raw, out); state = fr.AppendState(state[:0]) }); n != 0 {
					t.Errorf("%v, enhance %v: %v allocations a tick", f, enhance, n)
				}
			}
		}
	}
}

func TestStateSize(t *testing.T) {
	for _, rate := range rates {
		f := Format{PCM, 32, rate, 8}
		plain, enhanced := len(newFront(t, f, 7, false).AppendState(nil)), len(newFront(t, f, 7, true).AppendState(nil))
		t.Logf("%d Hz: %d bytes, %d enhanced", rate, plain, enhanced)
		if plain > 1<<10 || enhanced > 13<<10 {
			t.Errorf("%d Hz: state of %d bytes, %d enhanced", rate, plain, enhanced)
		}
	}
}

func BenchmarkTick(b *testing.B) {
	for _, enhance := range []bool{false, true} {
		for _, rate := range rates {
			b.Run(fmt.Sprintf("%d/enhance=%v", rate, enhance), func(b *testing.B) {
				f := Format{PCM, 16, rate, 1}
				fr := newFront(b, f, 0, enhance)
				raw := encode(f, 0, whiteNoise(f.TickFrames(), 0.1, 1))
				out := make([]int16, TickSamples)
				b.ReportAllocs()
				for b.Loop() {
					fr.Tick(raw, out)
				}
			})
		}
	}
}

// What a Front gave before is given again by one that hears Reach more ticks before it.
func TestReach(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := anyFormat(rt)
		channel := rapid.IntRange(0, f.Channels-1).Draw(rt, "channel")
		x := whiteNoise(30*f.TickFrames(), 0.3, rapid.Uint64().Draw(rt, "seed"))
		raw := encode(f, channel, x)
		fr := newFront(t, f, channel, false)
		whole := runFront(fr, raw)
		ticks, ok := fr.Reach()
		from := rapid.IntRange(ticks, 29).Draw(rt, "from")
		runFront(fr, raw) // what it heard otherwise must not matter
		again := runFront(fr, raw[(from-ticks)*f.TickBytes():])[ticks*TickSamples:]
		if !ok || !slices.Equal(again, whole[from*TickSamples:]) {
			rt.Fatalf("other samples from tick %d on, %d before it", from, ticks)
		}
	})
	if _, ok := newFront(t, Format{PCM, 16, Rate, 1}, 0, true).Reach(); ok {
		t.Error("an enhancer forgets")
	}
}
