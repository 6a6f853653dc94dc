package fakemodels

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// SampleRate is the rate of all speech made here, in Hz.
const SampleRate = 16000

// Start marks the pieces that begin a word, as sentencepiece does: U+2581.
const Start = "▁"

// Alphabet is a fake language: the pieces of its words, each with a tone.
type Alphabet struct {
	Language string // BCP 47
	Pieces   []Piece
}

// Piece is a part of a word, or all of it.
type Piece struct {
	Text string // begins with Start where it begins a word
	band band
}

// Frequency is that of the piece's tone, in Hz.
func (p Piece) Frequency() float64 { return frequency(p.band.center) }

// English has the words alpha, bravo, delta, echo, golf, hotel and no, and every other
// word its pieces can be put together to (alta, bravotel).
func English() Alphabet {
	return alphabet("en", 0, "▁al", "pha", "▁bra", "vo", "▁del", "ta", "▁e", "cho", "▁go", "lf", "▁ho", "tel", "▁no")
}

// French has the words bonjour, merci, maison, jardin, café, été and oui. Its tones lie
// between those of English.
func French() Alphabet {
	return alphabet("fr", 1, "▁bon", "jour", "▁mer", "ci", "▁mai", "son", "▁jar", "din", "▁ca", "fé", "▁é", "té",
		"▁oui")
}

// alphabet returns an alphabet whose pieces have every second band, from band first on.
func alphabet(language string, first int, pieces ...string) Alphabet {
	a := Alphabet{Language: language}
	bands := slices.Collect(bands())
	for i, text := range pieces {
		a.Pieces = append(a.Pieces, Piece{text, bands[2*i+first]})
	}
	return a
}

// band is a mel band, and the distance to those it is compared with, in bands.
type band struct{ center, reach int }

// bands lists bands that can be distinguished: far enough apart that the main lobe of a windowed
// tone, 160 Hz wide, and the triangles of the filter bank do not reach from one to the next. The
// lowest is at 480 Hz, the highest at 7 kHz.
func bands() func(yield func(band) bool) {
	return func(yield func(band) bool) {
		for center := 14; center < Bands-2; {
			reach := 2
			if center < 28 {
				reach = 4
			} else if center < 45 {
				reach = 3
			}
			if !yield(band{center, reach}) {
				return
			}
			center += reach
		}
	}
}

// The filter bank of the features, as the runtime computes them for these models: that
// of Kaldi, https://kaldi-asr.org/doc/feat.html, 20 Hz to 7600 Hz.
const (
	Bands   = 80
	lowest  = 20.0
	highest = 7600.0
)

func mel(hz float64) float64 { return 1127 * math.Log(1+hz/700) }

// frequency is the center of mel band i, in Hz.
func frequency(i int) float64 {
	width := (mel(highest) - mel(lowest)) / (Bands + 1)
	return 700 * (math.Exp((mel(lowest)+width*float64(i+1))/1127) - 1)
}

// Spell splits a word into pieces and returns their indices. It panics for a word that cannot be
// split.
func (a Alphabet) Spell(word string) []int {
	if spelled, ok := a.spell(Start + word); ok {
		return spelled
	}
	panic(fmt.Sprintf("tones: %q is no word of %q", word, a.Language))
}

func (a Alphabet) spell(rest string) ([]int, bool) {
	if rest == "" {
		return nil, true
	}
	for i, p := range a.Pieces {
		after, ok := strings.CutPrefix(rest, p.Text)
		if !ok {
			continue
		}
		if tail, ok := a.spell(after); ok {
			return append([]int{i}, tail...), true
		}
	}
	return nil, false
}
