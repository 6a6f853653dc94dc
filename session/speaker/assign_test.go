package speaker

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"steno/messages"
)

// said makes an utterance of words of 0.4 s, one after the other from start on.
func said(channel int, start float64, words ...string) messages.Utterance {
	u := messages.Utterance{Channel: channel, Language: "en", Confidence: 0.7}
	for i, w := range words {
		at := start + 0.4*float64(i)
		u.Words = append(u.Words, messages.Word{Word: " " + w, Start: at, End: at + 0.4, Confidence: 0.5 +
			0.1*float64(i)})
		u.Text += " " + w
	}
	u.Start, u.End = start, start+0.4*float64(len(words))
	return u
}

func turn(start, end float64, speaker int) Turn {
	return Turn{Start: int(start * rate), End: int(end * rate), Speaker: speaker}
}

type spoken struct {
	speaker int
	text    string
}

func whoSaid(us []messages.Utterance) []spoken {
	var out []spoken
	for _, u := range us {
		out = append(out, spoken{*u.Speaker, u.Text})
	}
	return out
}

func TestAssign(t *testing.T) {
	for _, c := range []struct {
		name  string
		in    []messages.Utterance
		turns [][]Turn
		want  []spoken
	}{
		{"cut at the change", []messages.Utterance{said(0, 0, "how", "are", "you", "fine", "thanks")},
			[][]Turn{{turn(0, 1.3, 4), turn(1.3, 3, 2)}}, []spoken{{0, " how are you"}, {1, " fine thanks"}}},
		{"a word is no change", []messages.Utterance{said(0, 0, "how", "are", "you", "all", "today")},
			[][]Turn{{turn(0, 0.8, 0), turn(0.8, 1.2, 1), turn(1.2, 3, 0)}}, []spoken{{0, " how are you all today"}}},
		{"a word at the end is none either", []messages.Utterance{said(0, 0, "how", "are", "you")},
			[][]Turn{{turn(0, 0.8, 0), turn(0.8, 3, 1)}}, []spoken{{0, " how are you"}}},
		{"one word is an utterance", []messages.Utterance{said(0, 0, "yes"), said(0, 1, "no")},
			[][]Turn{{turn(0, 0.9, 0), turn(0.9, 3, 1)}}, []spoken{{0, " yes"}, {1, " no"}}},
		{"no turn there: the nearest", []messages.Utterance{said(0, 5, "yes"), said(0, 8, "no")},
			[][]Turn{{turn(0, 4, 0), turn(9, 10, 1)}}, []spoken{{0, " yes"}, {1, " no"}}},
		{"overlap: the longer", []messages.Utterance{said(0, 1, "oh", "yes")},
			[][]Turn{{turn(0, 1.3, 0), turn(0.9, 4, 1)}}, []spoken{{0, " oh yes"}}},
		{"channels in order of time", []messages.Utterance{said(0, 3, "b"), said(1, 0, "a"), said(2, 4, "c")},
			[][]Turn{{turn(3, 4, 0)}, {turn(0, 1, 1)}}, []spoken{{0, " a"}, {1, " b"}, {2, " c"}}},
		{"no words", []messages.Utterance{{Start: 1, End: 2, Text: " x"}}, [][]Turn{{turn(0, 4, 3)}},
			[]spoken{{0, " x"}}},
		{"no turns", []messages.Utterance{said(0, 1, "a"), said(0, 2, "b"), said(1, 3, "c")}, nil,
			[]spoken{{0, " a"}, {0, " b"}, {1, " c"}}},
	} {
		if got := whoSaid(Assign(c.in, c.turns)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestAssignParts(t *testing.T) {
	got := Assign([]messages.Utterance{said(0, 2, "a", "b", "c", "d")}, [][]Turn{{turn(0, 2.8, 0), turn(2.8, 9, 1)}})
	if len(got) != 2 {
		t.Fatalf("%d parts", len(got))
	}
	u := got[1]
	if u.Start != u.Words[0].Start || u.End != u.Words[1].End || u.Confidence < 0.749 || u.Confidence > 0.751 ||
		u.Language != "en" {
		t.Errorf("%+v", u)
	}
}

// No word is lost, moved or repeated, each part has one speaker, and the input is not changed.
func TestAssignKeepsAllWords(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 5).Draw(r, "utterances")
		var in []messages.Utterance
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		for i := range n {
			words := make([]string, random.IntN(12))
			for k := range words {
				words[k] = string(rune('a'+i)) + string(rune('a'+k))
			}
			in = append(in, said(0, 5*float64(i), words...))
		}
		var turns []Turn
		for range random.IntN(30) {
			start := 30 * random.Float64()
			turns = append(turns, turn(start, start+3*random.Float64(), random.IntN(4)))
		}
		before := slices.Clone(in)
		out := Assign(in, [][]Turn{turns})
		if !reflect.DeepEqual(in, before) {
			r.Fatal("the input was changed")
		}
		var want, got []messages.Word
		for _, u := range in {
			want = append(want, u.Words...)
		}
		next := 0
		for i, u := range out {
			got = append(got, u.Words...)
			if *u.Speaker > next {
				r.Fatalf("speaker %d before %d", *u.Speaker, next)
			}
			next = max(next, *u.Speaker+1)
			if i > 0 && u.Start < out[i-1].Start {
				r.Fatal("not in order")
			}
			if len(u.Words) > 0 && (u.Start != u.Words[0].Start || u.End != u.Words[len(u.Words)-1].End) &&
				u.Speaker == nil {
				r.Fatalf("times %g to %g", u.Start, u.End)
			}
		}
		if !slices.Equal(got, want) {
			r.Fatalf("words\n%v\nfor\n%v", got, want)
		}
	})
}
