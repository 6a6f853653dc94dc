//go:build linux && cgo && (amd64 || arm64 || arm)

package capabilities

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-audio/wav"
)

// TestGTCRN takes noise out of real speech with a real model:
// $STENO_TEST_MODELS/gtcrn/gtcrn_simple.sherpa.onnx.
func TestGTCRN(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(os.Getenv("STENO_TEST_MODELS"), "gtcrn", "gtcrn_simple.sherpa.onnx"))
	if err != nil {
		t.Skipf("not in the folder STENO_TEST_MODELS: %v", err)
	}
	dir := named(t, "gtcrn")
	put(t, dir, "gtcrn_simple.onnx", string(data))
	d, err := NewDenoiser(read(t, dir), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	speech := recorded(t)
	noisy := make([]int16, len(speech))
	random := rand.New(rand.NewPCG(3, 4))
	for i, v := range speech {
		noisy[i] = int16(min(max(float64(v)+800*random.NormFloat64(), -32768), 32767))
	}
	clean := denoise(t, d, noisy, 320)
	if len(clean) != len(noisy) {
		t.Fatalf("%d samples came out of %d", len(clean), len(noisy))
	}
	before, after := ratio(speech, noisy), ratio(speech, clean)
	t.Logf("signal above noise: %.1f dB before, %.1f dB after", before, after)
	if after < before+3 {
		t.Errorf("the signal is %.1f dB above the noise, and was %.1f", after, before)
	}
}

// recorded is speech that comes with Debian's pocketsphinx-testdata.
func recorded(t *testing.T) []int16 {
	t.Helper()
	const path = "/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0870.wav"
	file, err := os.Open(path)
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	buffer, err := wav.NewDecoder(file).FullPCMBuffer()
	if err != nil {
		t.Fatal(err)
	}
	samples := make([]int16, len(buffer.Data))
	for i, v := range buffer.Data {
		samples[i] = int16(v)
	}
	return samples
}
