package moonshine

import (
	"path/filepath"
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// names are said in recordings of STENO_TEST_AUDIO, and missed without a vocabulary.
var names = []string{"Dashwood", "Merneptah", "Zarathustra", "Newberg", "Delmonico"}

// BenchmarkVocabulary counts the names that a vocabulary finds where they were said, and where they
// were not.
func BenchmarkVocabulary(b *testing.B) {
	m, err := loadModel(filepath.Join(folder(b), tiny))
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := m.close(); err != nil {
			b.Error(err)
		}
	}()
	d, err := m.decoder()
	if err != nil {
		b.Fatal(err)
	}
	defer m.release(d)
	var terms []asr.Term
	for _, name := range names {
		terms = append(terms, asr.Term{Text: name, Intensity: 0.5})
	}
	l := newLexis(newPieces(m.tokens), terms)
	clips := corpus.Read(b, corpus.ReadEnglish)
	for b.Loop() {
		said, found, wrong := 0, 0, 0
		for _, c := range clips {
			x := decoding{m: m, d: d, tries: 2, lexis: l}
			o, err := x.piece(c.Samples[:min(len(c.Samples), 20*rate)])
			if err != nil {
				b.Fatal(err)
			}
			heard := strings.ToLower(joined(o.words))
			for _, name := range names {
				name = strings.ToLower(name)
				here, there := strings.Contains(c.Transcript, name), strings.Contains(heard, name)
				switch {
				case here && there:
					found++
				case there:
					wrong++
				}
				if here {
					said++
					b.Log(c.File, name, heard)
				}
			}
		}
		b.ReportMetric(float64(said), "said")
		b.ReportMetric(float64(found), "found")
		b.ReportMetric(float64(wrong), "wrong")
	}
}
