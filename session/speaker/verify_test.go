package speaker

import (
	"slices"
	"testing"
)

// readAloud is clips one after the other, with pauses, up to so many seconds.
func readAloud(clips [][]int16, seconds int) []int16 {
	var x []int16
	for i, c := range clips {
		x = append(append(x, c...), quietFor(0.4, uint64(i))...)
	}
	return x[:min(len(x), seconds*rate)]
}

// Of each of these readers the clusters alone make two.
func TestSingleReaders(t *testing.T) {
	who := []string{"367", "mfa", "spk1", "spk2"}
	of := clips(t, 6, who...)
	for _, who := range who {
		if turns := mustDiarize(t, readAloud(of[who], 36), nil, Count{}); speakers(turns) != 1 {
			t.Errorf("%s is %d speakers", who, speakers(turns))
		}
	}
}

// So they do of this one, who still becomes two if that is wanted.
func TestBookReader(t *testing.T) {
	book, _ := sphinx(t)
	x := readAloud(book, 60)
	for _, c := range []struct {
		name string
		x    []int16
		want Count
		is   int
	}{
		{"as it is", x, Count{}, 1},
		{"with a pause", slices.Concat(x[:len(x)/2], quietFor(6, 1), x[len(x)/2:]), Count{Max: 4}, 1},
		{"two wanted", x, Count{Min: 2}, 2},
	} {
		if turns := mustDiarize(t, c.x, nil, c.want); speakers(turns) != c.is {
			t.Errorf("%s: %d speakers", c.name, speakers(turns))
		}
	}
}

// Speakers of one voice become one, the more readily the less they have said; others do not, nor
// those that are wanted.
func TestVerify(t *testing.T) {
	for _, c := range []struct {
		name        string
		who, labels []int
		each, least int
		left        int
	}{
		{"one voice", []int{0, 0, 0, 0}, []int{0, 1, 0, 1}, 300, 1, 1},
		{"two voices", []int{0, 7, 0, 7}, []int{0, 1, 0, 1}, 300, 1, 2},
		{"two voices of three", []int{0, 7, 0, 7}, []int{0, 1, 2, 1}, 300, 1, 2},
		{"one voice, two wanted", []int{0, 0, 0, 0}, []int{0, 1, 2, 1}, 300, 2, 2},
		{"a moment", []int{0, 0, 7, 0}, []int{0, 0, 1, 0}, 8, 1, 1},
	} {
		v := gaussianSpeech(c.who, c.each)
		var of []uint8
		for _, l := range c.labels {
			of = append(of, slices.Repeat([]uint8{uint8(l)}, c.each)...)
		}
		of, err := v.verify(t.Context(), nil, of, c.least, demand{})
		if err != nil {
			t.Fatal(err)
		}
		if left := compact(of); left != c.left {
			t.Errorf("%s: %d speakers", c.name, left)
		}
		for i, l := range c.labels {
			if first := slices.Index(c.labels, l); of[i*c.each] != of[first*c.each] {
				t.Errorf("%s: a speaker was divided", c.name)
			}
		}
	}
}
