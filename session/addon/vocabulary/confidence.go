package vocabulary

// trust measures how likely it is that a stretch was recognized correctly.
type trust struct {
	mean   float32 // confidence, 0 to 1, weighted by the phones
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

// The score that a match needs at intensity 0.5. The values were fitted on half of the recordings
// of the tests for the words that are found, and on all of them so that none of two hundred names
// that are not spoken appears. Each further entry is one more chance of a similar sound, so the
// least score grows with the logarithm of their number.
const (
	needsLeast   = 7             // at any length: about three phones
	needsShare   = float32(0.36) // of the full score
	needsTrust   = 0.05          // added to the share, where the recognizer was certain
	needsCommon  = 0.03          // added to the share, where all words are common ones
	entriesLeast = 1.3           // added to needsLeast, times the logarithm of the number of entries
	entriesShare = 0.045         // added to the share, times the same
	// least share where an entry is said letter by letter: the names of letters are long and
	// similar
	needsLetters = 0.75
	needsForeign = 0.75 // least share in languages whose letters are taken for sounds
	needsSure    = 0.85 // share for common words of which the recognizer was certain
	sure         = 0.7
	wholly       = 0.84 // confidence of a certain recognizer; between sure and this the share grows linearly
	needsNearly  = 0.95 // share that is enough at any intensity
)

// demand holds what the least score depends on, beside the trust.
type demand struct {
	intensity, logEntries float32
	letters, english      bool
	several               bool // the entry has several words, which are spoken as such
}

// needs returns the least score at which an entry replaces the stretch; full is the highest
// possible score.
func (t trust) needs(full float32, d demand) float32 {
	if t.stays(d) {
		return 2 * full // never: "right" stays where "Wright" is in the vocabulary
	}
	return max(t.share(d)*full, min((needsLeast+entriesLeast*d.logEntries)*d.ease(), needsNearly*full))
}

// share returns the least score of a word of the entry, as a share of the highest possible one.
func (t trust) share(d demand) float32 {
	share := needsShare + needsTrust*t.mean + needsCommon*t.common + entriesShare*d.logEntries
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

// stays reports whether a stretch is never replaced by an entry that only sounds like it, because
// the recognizer was sure of common words. Several common words may still be replaced by an entry
// of one word, as "get hub" by "GitHub".
func (t trust) stays(d demand) bool {
	return t.common == 1 && t.mean >= sure && d.intensity <= defaultIntensity && (d.several || t.words == 1)
}

// ease returns the factor by which the intensity changes the least score: above 1 for a low
// intensity, below 1 for a high one.
func (d demand) ease() float32 { return 1.25 - d.intensity/2 }
