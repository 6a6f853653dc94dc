package audio_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"steno/audio"
)

// Samples become the bytes that the standard library makes of them, after those that are there, and
// these become the samples again, whatever follows them.
func TestPCM(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "before")
		samples := rapid.SliceOfN(rapid.Int16(), 0, 20).Draw(t, "samples")
		want, err := binary.Append(slices.Clone(before), binary.LittleEndian, samples)
		if err != nil {
			t.Fatal(err)
		}
		got := audio.AppendPCM(before, samples)
		if !bytes.Equal(got, want) {
			t.Fatalf("bytes %v, want %v", got, want)
		}
		behind := rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "behind")
		again := make([]int16, len(samples))
		audio.DecodePCM(again, append(got[len(before):], behind...))
		if !slices.Equal(again, samples) {
			t.Fatalf("samples %v, want %v", again, samples)
		}
	})
}
