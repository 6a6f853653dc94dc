package endtoend_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/audio"
	"steno/session/asr/asrtest/corpus"
)

// sentence is a recording of a sentence or two in one language.
type sentence struct {
	language string
	text     string
	samples  []int16 // at clipRate
}

// spokenSentences returns recordings in several languages: German, Spanish and English sentences of
// the folder that STENO_TEST_AUDIO names, French and Italian announcements of Debian's packages for
// Asterisk. Those that are missing are left out; the test is skipped if no two languages are there.
func spokenSentences(t *testing.T) (all []sentence) {
	t.Helper()
	if os.Getenv("STENO_TEST_AUDIO") != "" {
		all = append(all, readAloud(t, "azure/en.wav", 0, 0, 8.2), readAloud(t, "azure/de.wav", 0, 0, 9.3),
			readAloud(t, "azure/es.wav", 0, 0, 9.6))
	}
	all = append(all, announcement(t, "fr", "fr_CA_f_June/queue-periodic-announce",
		"Tous nos représentants sont présentement occupés. Veuillez demeurer en ligne et le prochain représentant disponible vous répondra sous peu.")...)
	all = append(all, announcement(t, "it", "it_IT_m_Carlo/queue-periodic-announce",
		"Tutti i nostri operatori sono al momento occupati. Rimanga cortesemente in linea e le risponderà il primo operatore disponibile.")...)
	if os.Getenv("STENO_TEST_AUDIO") != "" { // and back
		all = append(all, readAloud(t, "azure/en.wav", 1, 8.2, 11.5))
	}
	if len(all) < 2 {
		t.Skip("no recordings in two languages: STENO_TEST_AUDIO, asterisk-core-sounds-fr-g722, asterisk-core-sounds-it-g722")
	}
	return all
}

// readAloud returns a sentence of a recording, which lies between two times.
func readAloud(t *testing.T, file string, number int, from, to float64) sentence {
	t.Helper()
	clips := corpus.Read(t, func(e corpus.Entry) bool { return e.File == file })
	c := clips[0]
	text := strings.SplitAfter(c.Transcript, ". ")[number]
	return sentence{c.Language, text, c.Samples[int(from*clipRate):int(to*clipRate)]}
}

// announcement returns a recording of Debian's packages for Asterisk, none if it is not installed.
func announcement(t *testing.T, language, name, text string) []sentence {
	t.Helper()
	path := filepath.Join("/usr/share/asterisk/sounds", name+".g722")
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return []sentence{{language, text, corpus.Decode(t, path)}}
}

// joined is all that was said, with a pause before and after each, and where each recording begins,
// in seconds.
func joined(all []sentence, pause float64) (pcm clip, starts []float64) {
	r := rand.New(rand.NewPCG(3, 4))
	quiet := make([]int16, int(pause*clipRate))
	for i := range quiet {
		quiet[i] = int16(3 * r.NormFloat64()) // a quiet room
	}
	samples := slices.Clone(quiet)
	for _, s := range all {
		starts = append(starts, float64(len(samples))/clipRate)
		samples = slices.Concat(samples, s.samples, quiet)
	}
	return clip{audio.AppendPCM(nil, samples)}, starts
}
