package fakemodels

import (
	"math"
	"math/rand/v2"
	"time"
)

// Durations. A piece lasts as long as a short syllable. The gaps are long enough for one
// whole frame of 40 ms without a tone, at any alignment.
const (
	pieceTime = 120 * time.Millisecond
	gapTime   = 110 * time.Millisecond // between the pieces of a word
	wordTime  = 200 * time.Millisecond // between words
	edgeTime  = 200 * time.Millisecond // before the first and after the last
	fadeTime  = 5 * time.Millisecond
)

const (
	loud  = 8000 // amplitude of a tone
	quiet = 0.85 // of the tone that is not meant, relative to the one that is
	noise = 2    // amplitude of the noise everywhere, uniform
)

// Token is a piece in the audio.
type Token struct {
	Text       string // of the piece
	Start, End int    // samples
}

// Speech is audio that is being synthesized, mono, at SampleRate. The zero value is empty.
type Speech struct {
	Samples []int16
	Tokens  []Token // in order
}

// Speak returns the speech of the given words, with 0.2 s of silence before and after.
func (a Alphabet) Speak(words ...string) ([]int16, []Token) {
	var s Speech
	s.Pause(edgeTime)
	s.AddWords(a, words...)
	s.Pause(edgeTime - wordTime)
	return s.Samples, s.Tokens
}

// Pause adds silence, with noise below what 13 bits resolve.
func (s *Speech) Pause(d time.Duration) { s.add(samples(d), nil) }

// AddWords adds words, each with a pause after it.
func (s *Speech) AddWords(a Alphabet, words ...string) {
	for _, word := range words {
		s.Mumble(a, word, word)
	}
}

// Mumble adds a word that may be taken for another: where the pieces of the two differ, the tone of
// the other sounds as well, less loud. Models recognize word unless the other is a hotword. Both
// must have as many pieces.
func (s *Speech) Mumble(a Alphabet, word, other string) {
	meant, doubt := a.Spell(word), a.Spell(other)
	if len(meant) != len(doubt) {
		panic("tones: " + word + " and " + other + " differ in length")
	}
	for i, p := range meant {
		if i > 0 {
			s.Pause(gapTime)
		}
		sounds := []sound{{a.Pieces[p].Frequency(), loud}}
		if doubt[i] != p {
			sounds = append(sounds, sound{a.Pieces[doubt[i]].Frequency(), loud * quiet})
		}
		start := len(s.Samples)
		s.add(samples(pieceTime), sounds)
		s.Tokens = append(s.Tokens, Token{a.Pieces[p].Text, start, len(s.Samples)})
	}
	s.Pause(wordTime)
}

func samples(d time.Duration) int { return int(d * SampleRate / time.Second) }

// sound is a tone: Hz, and its amplitude.
type sound struct{ frequency, amplitude float64 }

// add appends n samples of the sounds together, faded in and out, over noise that is
// the same for the same place.
func (s *Speech) add(n int, sounds []sound) {
	random := rand.New(rand.NewPCG(uint64(len(s.Samples)), 0))
	fade := float64(samples(fadeTime))
	for i := range n {
		v := noise * (2*random.Float64() - 1)
		gain := min(1, float64(i+1)/fade, float64(n-i)/fade)
		for _, t := range sounds {
			v += gain * t.amplitude * math.Sin(2*math.Pi*t.frequency*float64(i)/SampleRate)
		}
		s.Samples = append(s.Samples, int16(math.Round(v)))
	}
}
