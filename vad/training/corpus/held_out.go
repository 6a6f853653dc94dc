package corpus

import (
	"crypto/sha1"
	"math/big"
	"strings"
)

// These recordings are kept out of the fit of the detector, so that it can be measured on them.

// HeldOutSpeaker reports whether a speaker of Speech Commands is held out: one of seven.
func HeldOutSpeaker(speaker string) bool { return remainder(speaker, 7) == 3 }

// HeldOutMusic reports whether a sample of music is held out: one of six.
func HeldOutMusic(name string) bool { return remainder(name+".flac", 6) == 0 }

// HeldOutNoise reports whether a recording of ESC-10 is held out: the third fold.
func HeldOutNoise(name string) bool { return strings.Contains(name, "_3-") }

func remainder(s string, n int64) int64 {
	sum := sha1.Sum([]byte(s))
	var x big.Int
	return x.Mod(x.SetBytes(sum[:]), big.NewInt(n)).Int64()
}
