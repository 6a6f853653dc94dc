package fakemodels

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"steno/session/asr/sherpa/onnx"
)

func TestTonesAreFarApart(t *testing.T) {
	var all []float64
	for _, a := range []Alphabet{English(), French()} {
		for _, p := range a.Pieces {
			all = append(all, p.Frequency())
		}
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i]-all[i-1] < 130 {
			t.Errorf("tones of %.0f and %.0f Hz are too close", all[i-1], all[i])
		}
	}
	if all[0] < 300 || all[len(all)-1] > 7500 {
		t.Errorf("tones are from %.0f to %.0f Hz", all[0], all[len(all)-1])
	}
}

func TestWordsAreCutIntoPieces(t *testing.T) {
	a := English()
	for word, want := range map[string][]int{"alpha": {0, 1}, "alta": {0, 5}, "no": {12}, "bravotel": {2, 3, 11}} {
		if got := a.Spell(word); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is cut into %v, want %v", word, got, want)
		}
	}
	for _, word := range []string{"", "pha", "alphabet", "bonjour"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is no word, but was cut", word)
				}
			}()
			a.Spell(word)
		}()
	}
}

// Speech is where the truth places it: the tone's power is there, and not outside.
func TestSpeechIsWhereTheTruthSays(t *testing.T) {
	samples, tokens := French().Speak("café", "oui")
	if len(tokens) != 3 {
		t.Fatalf("%d pieces, want 3", len(tokens))
	}
	end := 0
	for i, token := range tokens {
		hz := French().Pieces[slices.IndexFunc(French().Pieces, func(p Piece) bool {
			return p.Text ==
				token.Text
		})].Frequency()
		if inside := amplitude(samples[token.Start:token.End], hz); inside < loud*0.9 || inside > loud*1.1 {
			t.Errorf("piece %d sounds with amplitude %.0f", i, inside)
		}
		if before := amplitude(samples[end:token.Start], hz); before > 10 {
			t.Errorf("before piece %d its tone sounds with amplitude %.0f", i, before)
		}
		end = token.End
	}
}

// amplitude is that of one frequency.
func amplitude(samples []int16, hz float64) float64 {
	var re, im float64
	for i, v := range samples {
		sin, cos := math.Sincos(2 * math.Pi * hz * float64(i) / SampleRate)
		re += float64(v) * cos
		im += float64(v) * sin
	}
	return 2 * math.Hypot(re, im) / float64(len(samples))
}

func TestModelsAreSmallAndAlwaysTheSame(t *testing.T) {
	a := English()
	for name, write := range map[string]func(string) error{
		"streaming ctc": a.WriteStreamingCTC, "streaming transducer": a.WriteStreamingTransducer,
		"offline ctc": a.WriteOfflineCTC, "offline transducer": a.WriteOfflineTransducer,
		"denoiser":   WriteDenoiser,
		"identifier": func(dir string) error { return WriteIdentifier(dir, a, French()) },
		"embedder":   func(dir string) error { return WriteEmbedder(dir, a, French()) },
	} {
		first, second := contents(t, write), contents(t, write)
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%s differs from one time to the next", name)
		}
		for file, data := range first {
			if len(data) > 64<<10 {
				t.Errorf("%s: %s has %d bytes", name, file, len(data))
			}
		}
	}
}

// contents is what write writes: of each file.
func contents(t *testing.T, write func(string) error) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, path := range files {
		if all[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(path) == ".onnx" {
			if _, err := onnx.Read(path); err != nil {
				t.Error(err)
			}
		}
	}
	return all
}
