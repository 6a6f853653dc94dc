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

// What a match must score, at intensity 0.5. The first three were chosen on half of the recordings the tests measure, so
// that of words nobody said none appeared in what a recognizer made of them.
const (
	needsLeast   = 8.5  // whatever the length: three or four phones
	needsShare   = 0.4  // of the full score
	needsTrust   = 0.05 // of the full score more, where the recognizer was wholly sure
	needsLetters = 0.75 // where an entry is said by its letters: their names are long and much alike
	needsForeign = 0.75 // in languages whose letters are taken for sounds
	needsSure    = 0.85 // in place of common words the recognizer was sure of
	sure         = 0.7
	needsNearly  = 0.95 // is enough at any intensity
)

// needs is the least score at which an entry replaces the stretch, full being the most that there can be.
func (t trust) needs(full, intensity float32, letters, english bool) float32 {
	if t.common == 1 && t.words == 1 && t.mean >= sure && intensity <= defaultIntensity {
		return 2 * full // never: "right" is no "Wright"
	}
	need := min(max(needsLeast, (needsShare+needsTrust*t.mean)*full)*(1.5-intensity), needsNearly*full)
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
