package corpus

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// tone is seconds of a sine between silences of the same length.
func tone(seconds float64) []float64 {
	n := int(seconds * Rate)
	x := make([]float64, 3*n)
	for i := range n {
		x[n+i] = 0.3 * math.Sin(float64(i)/5)
	}
	return x
}

func wav(x []float64, extra bool) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WAVE")
	if extra {
		b = append(b, "LIST\x03\x00\x00\x00abc\x00"...)
	}
	b = append(b, "fmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	b = binary.LittleEndian.AppendUint32(b, Rate)
	b = binary.LittleEndian.AppendUint32(b, 2*Rate)
	b = append(b, 2, 0, 16, 0)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(2*len(x)))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(v*32768))))
	}
	return b
}

func TestPlainWAVIsReadWithoutHelp(t *testing.T) {
	x := tone(0.5)
	for _, extra := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "x.wav")
		if err := os.WriteFile(path, wav(x, extra), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path)
		if err != nil || len(got) != len(x) || math.Abs(got[9000]-x[9000]) > 1.0/32768 {
			t.Errorf("extra chunk %v: %d samples, %v", extra, len(got), err)
		}
	}
}

func FuzzPlainWAV(f *testing.F) {
	f.Add(wav(tone(0.01), true))
	f.Fuzz(func(t *testing.T, b []byte) {
		if pcm, ok := plainWAV(b); ok && len(pcm) > len(b) {
			t.Fatal("more samples than bytes")
		}
	})
}

func TestEnergyLabelsFindTheSound(t *testing.T) {
	labels := ByEnergy(tone(0.5))
	for i, l := range labels {
		far := min(abs(i-50), abs(i-100)) > 6
		if want := i >= 50 && i < 100; far && (l == Speech) != want {
			t.Errorf("frame %d is %d", i, l)
		}
	}
}

func abs(n int) int { return max(n, -n) }

func TestManifestAndTurns(t *testing.T) {
	folder := t.TempDir()
	for name, b := range map[string][]byte{
		"a/x.wav":        wav(tone(0.5), false),
		"a/x.rttm":       []byte("SPEAKER x 1 0.500 0.300 <NA> <NA> A <NA> <NA>\nSPEAKER x 1 0.700 0.300 <NA> <NA> B <NA> <NA>\nnonsense\n"),
		"manifest.jsonl": []byte(`{"file":"a/x.wav","rttm":"a/x.rttm"}` + "\n" + `{"file":"b/none.wav"}` + "\n"),
	} {
		os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o700)
		if err := os.WriteFile(filepath.Join(folder, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	clips, err := c.Clips("a/")
	if err != nil || len(clips) != 1 {
		t.Fatalf("%d clips, %v", len(clips), err)
	}
	want := slices.Concat(slices.Repeat([]Label{Silence}, 50), slices.Repeat([]Label{Speech}, 50),
		slices.Repeat([]Label{Silence}, 50))
	if !slices.Equal(clips[0].Labels, want) {
		t.Errorf("labels %v", clips[0].Labels)
	}
	if _, err := c.Clips("nothing"); err == nil {
		t.Error("no error for a prefix without recordings")
	}
}

func TestMixingReachesTheAskedRatio(t *testing.T) {
	x := tone(0.5)
	clip := Clip{Samples: x, Labels: ByEnergy(x)}
	n := make([]float64, 777)
	for i := range n {
		n[i] = math.Sin(float64(i * i))
	}
	mixed := clip.With(n, 10)
	diff := make([]float64, len(x))
	for i := range x {
		diff[i] = mixed.Samples[i] - x[i]
	}
	if db := 20 * math.Log10(SpeechRMS(x, clip.Labels)/rms(diff)); math.Abs(db-10) > 0.1 {
		t.Errorf("noise lies %.2f dB below speech", db)
	}
	if db := 20 * math.Log10(SpeechRMS(clip.At(-30).Samples, clip.Labels)); math.Abs(db+30) > 0.01 {
		t.Errorf("speech lies at %.2f dBFS", db)
	}
}
