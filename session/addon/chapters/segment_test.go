package chapters_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/chapters"
)

// talks are the lines of each talk, by its name in order.
func talks(t testing.TB) [][]string {
	t.Helper()
	files, err := filepath.Glob("testdata/talks/*.txt")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d talks, %v", len(files), err)
	}
	var all [][]string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.Split(strings.TrimSpace(string(raw)), "\n"))
	}
	return all
}

// speech makes an utterance of each line: a word every 0.35 s, a pause of 0.7 s after each.
type speech struct {
	us []messages.Utterance
	at float64
}

func (s *speech) say(line string) {
	u := messages.Utterance{Start: s.at, Language: "en", Text: " " + line}
	for w := range strings.FieldsSeq(line) {
		u.Words = append(u.Words, messages.Word{Word: " " + w, Start: s.at, End: s.at + 0.3})
		s.at += 0.35
	}
	u.End = s.at - 0.05
	s.at += 0.7
	s.us = append(s.us, u)
}

// meeting is pieces of different talks in a row, and where all but the first begin.
func meeting(r *rand.Rand, all [][]string) (us []messages.Utterance, starts []float64) {
	var s speech
	for i, talk := range r.Perm(len(all))[:3+r.IntN(5)] {
		if i > 0 {
			starts = append(starts, s.at)
		}
		lines := all[talk]
		n := min(10+r.IntN(8), len(lines))
		from := r.IntN(len(lines) - n + 1)
		for _, l := range lines[from : from+n] {
			s.say(l)
		}
	}
	return s.us, starts
}

// labels number the parts that times fall into.
func labels(us []messages.Utterance, starts []float64) []int {
	ls := make([]int, len(us))
	for i, u := range us {
		for _, start := range starts {
			if u.Start > start-0.5 {
				ls[i]++
			}
		}
	}
	return ls
}

// differ is WindowDiff (Pevzner and Hearst 2002) and Pk (Beeferman and others 1999): the share of
// windows, half a part long, over which two divisions do not agree about the number of cuts, and
// about whether there is one.
func differ(want, got []int) (diff, pk float64) {
	k := max(len(want)/(want[len(want)-1]+1)/2, 2)
	n := len(want) - k
	for i := range n {
		w, g := want[i+k]-want[i], got[i+k]-got[i]
		if w != g {
			diff++
		}
		if (w == 0) != (g == 0) {
			pk++
		}
	}
	return diff / float64(n), pk / float64(n)
}

// even cuts into as many parts as there are, of the same length.
func even(us []messages.Utterance, cuts int) []float64 {
	var starts []float64
	for i := range cuts {
		starts = append(starts, us[(i+1)*len(us)/(cuts+1)].Start)
	}
	return starts
}

func found(cs []messages.Chapter) []float64 {
	var starts []float64
	for _, c := range cs[1:] {
		starts = append(starts, c.Start)
	}
	return starts
}

// TestCutsAreWhereTheSubjectChanges compares with cutting nowhere, and with cutting evenly, the
// number being known.
func TestCutsAreWhereTheSubjectChanges(t *testing.T) {
	all := talks(t)
	halves := [][][]string{all[:len(all)/2], all[len(all)/2:]}
	for i, name := range []string{"first half", "second half"} {
		const trials = 40
		var ours, evenly, whole [2]float64
		var real, cut int
		for seed := range uint64(trials) {
			us, starts := meeting(rand.New(rand.NewPCG(seed, 1)), halves[i])
			want, got := labels(us, starts), found(chapters.Split(us))
			real, cut = real+len(starts), cut+len(got)
			for _, c := range []struct {
				sum    *[2]float64
				starts []float64
			}{{&ours, got}, {&evenly, even(us, len(starts))}, {&whole, nil}} {
				diff, pk := differ(want, labels(us, c.starts))
				c.sum[0] += diff / trials
				c.sum[1] += pk / trials
			}
		}
		t.Logf("%s: WindowDiff and Pk %.3f; even %.3f; uncut %.3f; %d cuts for %d", name, ours, evenly, whole, cut,
			real)
		for m := range ours {
			if ours[m] > 0.6*evenly[m] || ours[m] > 0.6*whole[m] {
				t.Errorf("%s: not clearly better", name)
			}
		}
	}
}
