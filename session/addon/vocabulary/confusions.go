package vocabulary

import (
	_ "embed"
	"strconv"
	"strings"
)

// Phones are written a letter each. Vowels: i (beat) I (bit) e (bait) E (bet) a (bat) @ (but,
// about) A (father) O (law) o (boat) U (book) u (boot) Y (buy) W (now) X (boy). Consonants: p b t d
// k g f v s z m n l r w y h as written, T (thin) D (then) S (she) Z (measure) C (church) J (judge)
// N (sing). Letters of other scripts stand for themselves.

// likenessTable has a line for each spoken phone. It states how much more often than by chance each
// phone is recognized in its place, as a logarithm in tenths, and in the column - how often it is
// not recognized at all. The line - is for phones that are recognized where none was spoken. The
// table was estimated from a recognizer's transcripts of every other of sixty English recordings,
// by aligning spoken and recognized phones; phones with the same manner or place of articulation
// are assumed to be confused more often.
//
//go:embed likeness.txt
var likenessTable string

// likeness scores how probable it is that recognized phones stand for spoken ones, against chance,
// in natural logarithms.
type likeness struct {
	heard [128][128]float32 // by spoken and recognized phone
	lost  [128]float32      // spoken and not recognized
	added [128]float32      // recognized and not spoken
}

func newLikeness() *likeness {
	l := &likeness{}
	for a := range l.heard {
		for b := range l.heard {
			l.heard[a][b] = strange
		}
		l.heard[a][a], l.lost[a], l.added[a] = itself, missing, missing
	}
	lines := strings.Split(strings.TrimSpace(likenessTable), "\n")
	columns := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		fields := strings.Fields(line)
		for i, field := range fields[1:] {
			tenths, _ := strconv.Atoi(field) // a test reads the table
			l.set(fields[0][0], columns[i][0], float32(tenths)/10)
		}
	}
	return l
}

func (l *likeness) set(said, heard byte, score float32) {
	switch {
	case said == '-':
		l.added[heard] = score
	case heard == '-':
		l.lost[said] = score
	default:
		l.heard[said][heard] = score
	}
}

// Scores of phones that are not English.
const (
	itself  = 3
	strange = -3
	missing = -2.5
)

func (l *likeness) pair(said, heard rune) float32 {
	switch {
	case said < 128 && heard < 128:
		return l.heard[said][heard]
	case said == heard:
		return itself
	default:
		return strange
	}
}

func (l *likeness) lose(said rune) float32 {
	if said < 128 {
		return l.lost[said]
	}
	return missing
}

func (l *likeness) add(heard rune) float32 {
	if heard < 128 {
		return l.added[heard]
	}
	return missing
}

// full returns the score of phones that were all recognized as spoken.
func (l *likeness) full(phones []rune) float32 {
	var sum float32
	for _, p := range phones {
		sum += l.pair(p, p)
	}
	return sum
}

// score returns the score of the best alignment of all spoken phones with all recognized ones
// (Needleman and Wunsch 1970). row is scratch space, longer than heard.
func (l *likeness) score(said, heard []rune, row []float32) float32 {
	row = row[:len(heard)+1]
	row[0] = 0
	for j, h := range heard {
		row[j+1] = row[j] + l.add(h)
	}
	for _, s := range said {
		before, lost := row[0], l.lose(s)
		row[0] += lost
		for j, h := range heard {
			best := max(before+l.pair(s, h), row[j+1]+lost, row[j]+l.add(h))
			before, row[j+1] = row[j+1], best
		}
	}
	return row[len(heard)]
}

// align returns, for each spoken phone, the index of the phone that was recognized for it in the
// best alignment; -1: none.
func (l *likeness) align(said, heard []rune) []int {
	n, width := len(said), len(heard)+1
	best := make([]float32, (n+1)*width)
	for j, h := range heard {
		best[j+1] = best[j] + l.add(h)
	}
	for i, s := range said {
		row, next := best[i*width:(i+1)*width], best[(i+1)*width:]
		next[0] = row[0] + l.lose(s)
		for j, h := range heard {
			next[j+1] = max(row[j]+l.pair(s, h), row[j+1]+l.lose(s), next[j]+l.add(h))
		}
	}
	out := make([]int, n)
	for i, j := n, len(heard); i > 0; {
		at := best[i*width+j]
		switch {
		case j > 0 && at == best[(i-1)*width+j-1]+l.pair(said[i-1], heard[j-1]):
			i, j = i-1, j-1
			out[i] = j
		case at == best[(i-1)*width+j]+l.lose(said[i-1]):
			i--
			out[i] = -1
		default:
			j--
		}
	}
	return out
}
