package silero

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// The model is not part of the project: STENO_TEST_MODELS names a folder that has it.
func model(t testing.TB) *Model {
	t.Helper()
	path := filepath.Join(os.Getenv("STENO_TEST_MODELS"), File)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("not in the folder STENO_TEST_MODELS: %v", err)
	}
	m, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestNoiseAndTonesAreNotSpeech(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	noise, tone := make([]float32, 80000), make([]float32, 80000)
	for i := range noise {
		noise[i] = float32(0.03 * r.NormFloat64())
		tone[i] = float32(0.2 * math.Sin(float64(i)/5))
	}
	m := model(t)
	for name, x := range map[string][]float32{"noise": noise, "tone": tone} {
		p := m.Probabilities(x)
		if len(p) != len(x)/Chunk {
			t.Fatalf("%d probabilities", len(p))
		}
		for i, v := range p[4:] {
			if v > 0.4 {
				t.Errorf("%s: chunk %d is speech by %v", name, i+4, v)
			}
		}
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	path := t.TempDir() + "/x.onnx"
	if err := os.WriteFile(path, []byte{}, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil {
		t.Error("an empty file is taken for the model")
	}
}
