package vocabulary

// trust is how sure it is that a stretch was recognized rightly.
type trust struct {
	mean   float32 // weighed by the phones
	common float32 // share of phones in ordinary words
	words  int
}

func trustOf(words []recognizedWord) trust {
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
// all of them so that of two hundred names that were not said none appears. Each entry more is one more chance to sound like
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
	wholly       = 0.84 // as sure as recognizers are of what they hear clearly; in between, in between is needed
	needsNearly  = 0.95 // is enough at any intensity
)

// demand is what else the least score depends on.
type demand struct {
	intensity, crowd float32
	letters, english bool
	several          bool // the entry is of several words, and said so
}

// needs is the least score at which an entry replaces the stretch, full being the most that there can be.
func (t trust) needs(full float32, d demand) float32 {
	if t.stays(d) {
		return 2 * full // never: "right" is no "Wright"
	}
	return max(t.share(d)*full, min((needsLeast+crowdLeast*d.crowd)*d.ease(), needsNearly*full))
}

// share is the least score of a word of the entry, of the most that there can be.
func (t trust) share(d demand) float32 {
	share := needsShare + needsTrust*t.mean + needsCommon*t.common + crowdShare*d.crowd
	share = min(share*d.ease(), needsNearly)
	if d.letters {
		share = max(share, needsLetters)
	}
	if !d.english {
		share = max(share, needsForeign)
	}
	if t.common > 0.5 && t.mean >= sure {
		surer := min((t.mean-sure)/(wholly-sure), 1)
		share = max(share, share+surer*(needsSure-share))
	}
	return share
}

// stays reports whether a stretch is never replaced by what only sounds alike: the recognizer was sure of common words. For
// an entry of one word that is divided otherwise there may be several, as "get hub" for "GitHub".
func (t trust) stays(d demand) bool {
	return t.common == 1 && t.mean >= sure && d.intensity <= defaultIntensity && (d.several || t.words == 1)
}

// ease is by how much less is needed for more intensity.
func (d demand) ease() float32 { return 1.25 - d.intensity/2 }
