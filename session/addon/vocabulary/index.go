package vocabulary

import (
	"slices"
	"strings"
)

// sound is one way an entry sounds.
type sound struct {
	way
	entry   int
	full    float32 // score of a perfect match
	letters bool    // said letter by letter, in part
}

// Limits of a search, so that its work is bounded whatever the vocabulary.
const (
	maxCandidates = 32      // sounds compared with one stretch
	maxVotes      = 1 << 13 // entries of the index visited to find them
)

// index finds the sounds that have many pairs of neighbouring consonants, by their class, in common
// with a stretch.
type index struct {
	sounds []sound            // ordered by number of phones
	grams  []int16            // number of grams of each sound
	byGram map[gram][]int32   // indices of sounds, ascending
	place  [maxPhones + 2]int // index of the first sound with at least so many phones
}

// gram is two neighbouring classes of consonants; 0 is the end of the word.
type gram [2]rune

// classes replaces consonants that are often confused by the first of them, and removes vowels.
var classes = strings.NewReplacer(
	"b", "p", "d", "t", "D", "t", "T", "t", "g", "k", "f", "v", "z", "s", "Z", "S", "C", "S", "J", "S",
	"m", "n", "N", "n", "r", "l", "h", "", "w", "", "y", "",
	"i", "", "I", "", "e", "", "E", "", "a", "", "@", "", "A", "", "O", "", "o", "", "U", "", "u", "", "Y", "", "W",
	"", "X", "")

func grams(phones []rune) []gram {
	var out []gram
	last := rune(0)
	for _, c := range classes.Replace(string(phones)) {
		if c != last {
			out = append(out, gram{last, c})
			last = c
		}
	}
	return append(out, gram{last, 0})
}

func newIndex(sounds []sound) *index {
	x := &index{sounds: sounds, grams: make([]int16, len(sounds)), byGram: map[gram][]int32{}}
	slices.SortStableFunc(sounds, func(a, b sound) int { return len(a.phones) - len(b.phones) })
	for i := range sounds {
		set := grams(sounds[i].phones)
		x.grams[i] = int16(len(set))
		for _, g := range set {
			if ids := x.byGram[g]; len(ids) == 0 || ids[len(ids)-1] != int32(i) {
				x.byGram[g] = append(ids, int32(i))
			}
		}
	}
	for n := range x.place {
		x.place[n], _ = slices.BinarySearchFunc(sounds, n, func(s sound, n int) int { return len(s.phones) - n })
	}
	return x
}

// search is the scratch space for one utterance.
type search struct {
	votes      []int16
	seen       []int32
	row        []float32
	left, rest []rune
}

func (x *index) search() *search {
	return &search{votes: make([]int16, len(x.sounds)), row: make([]float32, maxPhones+1)}
}

// candidates returns the sounds that are most similar to some phones, at most maxCandidates, best
// first.
func (x *index) candidates(phones []rune, s *search) []int32 {
	lists := x.lists(phones)
	budget := maxVotes
	for _, ids := range lists {
		ids = ids[:min(len(ids), budget)]
		budget -= len(ids)
		for _, id := range ids {
			if s.votes[id]++; s.votes[id] == 1 {
				s.seen = append(s.seen, id)
			}
		}
	}
	best := s.best(x, len(lists))
	for _, id := range s.seen {
		s.votes[id] = 0
	}
	s.seen = s.seen[:0]
	return best
}

// lists returns, for each gram of some phones, the sounds that have it and a similar number of
// phones; the shortest list first.
func (x *index) lists(phones []rune) [][]int32 {
	low, high := x.place[(len(phones)*3+4)/5], x.place[min(len(phones)*5/3+2, maxPhones)+1]
	var out [][]int32
	for _, g := range grams(phones) {
		ids := x.byGram[g]
		from, _ := slices.BinarySearch(ids, int32(low))
		to, _ := slices.BinarySearch(ids, int32(high))
		if from < to {
			out = append(out, ids[from:to])
		}
	}
	slices.SortStableFunc(out, func(a, b []int32) int { return len(a) - len(b) })
	return out
}

// best returns the sounds of which the greatest share of grams was found; of equals the first.
func (s *search) best(x *index, wanted int) []int32 {
	share := func(id int32) float32 { return float32(s.votes[id]) / float32(int(x.grams[id])+wanted) }
	var top []int32
	for _, id := range s.seen {
		at := len(top)
		for at > 0 && (share(id) > share(top[at-1]) || share(id) == share(top[at-1]) && id < top[at-1]) {
			at--
		}
		if at < maxCandidates {
			top = slices.Insert(top[:min(len(top), maxCandidates-1)], at, id)
		}
	}
	return top
}
