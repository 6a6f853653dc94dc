package scripted

import (
	"slices"

	"steno/session/asr"
)

// The parameters of the 64-bit FNV-1a hash (Fowler, Noll, Vo).
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// reader turns samples into words and keeps no audio.
type reader struct {
	seed    uint64 // hash of the context, with which each piece begins
	samples int    // read so far
	words   []asr.Word
	hash    uint64 // of the unfinished piece
	sound   bool   // the unfinished piece has a sample other than zero
}

func newReader(context []int16) reader {
	seed := uint64(fnvOffset)
	for _, s := range context {
		seed = hashed(seed, s)
	}
	return reader{seed: seed, hash: seed}
}

// hashed adds a sample to a hash.
func hashed(hash uint64, sample int16) uint64 {
	hash = (hash ^ uint64(uint8(sample))) * fnvPrime
	return (hash ^ uint64(uint8(sample>>8))) * fnvPrime
}

func (r *reader) read(samples []int16) {
	for _, s := range samples {
		r.hash = hashed(r.hash, s)
		r.sound = r.sound || s != 0
		r.samples++
		if r.samples%PieceSamples == 0 {
			r.words = r.appendWord(r.words, r.samples-PieceSamples)
			r.hash, r.sound = r.seed, false
		}
	}
}

// all returns the words of everything read, the last one as it would be if no audio followed. The
// slice is the caller's.
func (r *reader) all() []asr.Word {
	words := slices.Clone(r.words)
	if rest := r.samples % PieceSamples; rest >= MinSamples {
		words = r.appendWord(words, r.samples-rest)
	}
	return words
}

func (r *reader) appendWord(words []asr.Word, start int) []asr.Word {
	if !r.sound {
		return words
	}
	h := r.hash ^ r.hash>>32 // the low bits of FNV alone are weak
	return append(words, asr.Word{
		Text:       vocabulary[h%uint64(len(vocabulary))],
		Start:      start,
		End:        r.samples - r.samples%msSamples,
		Confidence: float64(1+h>>8%1000) / 1000, // 0.001 to 1: zero would mean unknown
	})
}

var vocabulary = [...]string{
	"amber", "anchor", "apple", "autumn", "basket", "beacon", "bridge", "butter",
	"candle", "canyon", "cedar", "circle", "copper", "cotton", "desert", "dinner",
	"eagle", "ember", "engine", "falcon", "feather", "fiddle", "forest", "garden",
	"ginger", "granite", "hammer", "harbor", "hazel", "island", "ivory", "jacket",
	"jungle", "kettle", "kitchen", "ladder", "lantern", "lemon", "linen", "marble",
	"meadow", "mirror", "mountain", "needle", "nickel", "ocean", "olive", "orchard",
	"paper", "pebble", "pepper", "planet", "quarry", "ribbon", "river", "saddle",
	"silver", "summer", "thunder", "timber", "valley", "velvet", "walnut", "winter",
}
