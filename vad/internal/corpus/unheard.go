package corpus

import (
	"crypto/sha1"
	"math/big"
	"strings"
)

// What is left out of the fit of the detector, to measure it on.

// UnheardSpeaker tells whether a speaker of Speech Commands is left out: one of seven.
func UnheardSpeaker(speaker string) bool { return remainder(speaker, 7) == 3 }

// UnheardMusic tells whether a sample of music is left out: one of six.
func UnheardMusic(name string) bool { return remainder(name+".flac", 6) == 0 }

// UnheardNoise tells whether a recording of ESC-10 is left out: the third fold.
func UnheardNoise(name string) bool { return strings.Contains(name, "_3-") }

func remainder(s string, n int64) int64 {
	sum := sha1.Sum([]byte(s))
	var x big.Int
	return x.Mod(x.SetBytes(sum[:]), big.NewInt(n)).Int64()
}
