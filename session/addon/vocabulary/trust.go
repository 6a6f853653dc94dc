package vocabulary

// trust is how sure it is that a stretch was recognized rightly.
type trust struct {
	mean   float32 // weighed by the phones
	common float32 // share of phones in ordinary words
	words  int
}

func trusted(words []heard) trust {
	t := trust{words: len(words)}
	var total float32
	for _, w := range words {
		n := float32(len(w.phones))
		total += n
		t.mean += n * w.trust
		if w.ordinary {
			t.common += n
		}
	}
	t.mean /= max(total, 1)
	t.common /= max(total, 1)
	return t
}

// What a match must score, at intensity 0.5. Chosen on half of the recordings the tests measure for what is found, and on
// all of them so that of two hundred names nobody said none appears. Each entry more is one more chance to sound like
// something else: the logarithm of their number is what the score of a match must exceed by that.
const (
	needsLeast   = 7             // whatever the length: about three phones
	needsShare   = float32(0.36) // of the full score
	needsTrust   = 0.05          // of the full score more, where the recognizer was wholly sure
	needsCommon  = 0.03          // of the full score more, where all words are common ones
	crowdLeast   = 1.3           // more, for the logarithm of the number of entries
	crowdShare   = 0.045         // of the full score more, for the same
	needsLetters = 0.75          // where an entry is said by its letters: their names are long and much alike
	needsForeign = 0.75          // in languages whose letters are taken for sounds
	needsSure    = 0.85          // in place of common words the recognizer was sure of
	sure         = 0.7
	needsNearly  = 0.95 // is enough at any intensity
)

// needs is the least score at which an entry replaces the stretch, full being the most that there can be.
func (t trust) needs(full, intensity, crowd float32, letters, english bool) float32 {
	if t.common == 1 && t.words == 1 && t.mean >= sure && intensity <= defaultIntensity {
		return 2 * full // never: "right" is no "Wright"
	}
	share := needsShare + needsTrust*t.mean + needsCommon*t.common + crowdShare*crowd
	need := min(max(needsLeast+crowdLeast*crowd, share*full)*(1.25-intensity/2), needsNearly*full)
	if letters {
		need = max(need, needsLetters*full)
	}
	if !english {
		need = max(need, needsForeign*full)
	}
	if t.common > 0.5 && t.mean >= sure {
		need = max(need, needsSure*full)
	}
	return need
}
