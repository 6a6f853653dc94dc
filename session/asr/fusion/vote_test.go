package fusion

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"steno/session/asr"
)

var measured = rover{alpha: alpha, null: null}

// spoken returns a hypothesis of words with confidences, each word lasting half a second.
func spoken(text string, confidence ...float64) *hypothesis {
	b := &hypothesis{timed: true, weight: 1}
	for i, w := range strings.Fields(text) {
		c := confidence[min(i, len(confidence)-1)]
		b.words = append(b.words, asr.Word{Text: w, Start: i * asr.Rate / 2, End: (i + 1) * asr.Rate / 2,
			Confidence: c})
	}
	return b
}

func text(words []asr.Word) string {
	var out []string
	for _, w := range words {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

func TestElections(t *testing.T) {
	light := spoken("the bat sat", .9)
	light.weight = 0.3
	for name, c := range map[string]struct {
		hypotheses []*hypothesis
		want       string
	}{
		"two of three": {[]*hypothesis{spoken("the cat sat", .7), spoken("the bat sat", .8),
			spoken("the cat sat", .7)}, "the cat sat"},
		"one that is sure": {[]*hypothesis{spoken("the cat sat", .3), spoken("the bat sat", .3, .9),
			spoken("the cat sat", .3)}, "the bat sat"},
		"the surer of two": {[]*hypothesis{spoken("the cat sat", .5), spoken("the bat sat", .4, .7, .4)},
			"the bat sat"},
		"a weight holds back":  {[]*hypothesis{spoken("the cat sat", .5), light}, "the cat sat"},
		"a sure word alone":    {[]*hypothesis{spoken("the cat", .7), spoken("the big cat", .7)}, "the big cat"},
		"an unsure word alone": {[]*hypothesis{spoken("the cat", .7), spoken("the big cat", .7, .5, .7)}, "the cat"},
		"as sure as not":       {[]*hypothesis{spoken("the cat", .7), spoken("the big cat", null)}, "the big cat"},
		"two miss it": {[]*hypothesis{spoken("the cat", .7), spoken("the big cat", .7), spoken("the cat", .7)},
			"the cat"},
		"one misses it": {[]*hypothesis{spoken("the big cat", .7), spoken("the cat", .7),
			spoken("the big cat", .7)}, "the big cat"},
		"signs and case are nothing": {[]*hypothesis{spoken("The cat, sat.", .5), spoken("the bat sat", .5, .7, .4),
			spoken("the ‘cat’ sat", .5, .8, .5)}, "the ‘cat’ sat"},
		"apostrophes": {[]*hypothesis{spoken("don’t", .5), spoken("don't", .6),
			spoken("dont", .6)}, "don't"},
		"one has nothing":        {[]*hypothesis{spoken("", 0), spoken("well", .7)}, "well"},
		"all have nothing":       {[]*hypothesis{spoken("", 0), spoken("", 0)}, ""},
		"no confidence is known": {[]*hypothesis{spoken("a b c", 0), spoken("a b c", 0), spoken("a x c", 0)}, "a b c"},
		"only signs":             {[]*hypothesis{spoken("— so", .7), spoken("— so", .7)}, "— so"},
	} {
		if words, _ := measured.fuse(c.hypotheses); text(words) != c.want {
			t.Errorf("%s: %q, want %q", name, text(words), c.want)
		}
	}
}

// TestWordsFarApartAreNotTheSame has one member miss the first of two words said twice, seconds
// apart.
func TestWordsFarApartAreNotTheSame(t *testing.T) {
	whole, late := spoken("no no", .8), spoken("no", .8)
	for _, w := range []*asr.Word{&whole.words[1], &late.words[0]} {
		w.Start, w.End = 5*asr.Rate, 6*asr.Rate
	}
	net := network([]*hypothesis{whole, late})
	if len(net) != 2 || net[0][1].word != nil || net[1][1].word == nil {
		t.Errorf("network %v", net)
	}
	late.words[0].Text = "yes"
	whole.words = whole.words[:1]
	if words, _ := measured.fuse([]*hypothesis{whole, late}); text(words) != "no yes" || words[1].Start != 5*asr.Rate {
		t.Errorf("words %v", words)
	}
}

func TestTimesComeFromWhoeverTells(t *testing.T) {
	clock := spoken("so many cats here", .6)
	blind := &hypothesis{weight: 1}
	for _, w := range strings.Fields("so many hats here now") {
		blind.words = append(blind.words, asr.Word{Text: w, Confidence: .8})
	}
	words, timed := measured.fuse([]*hypothesis{clock, blind})
	want := slices.Clone(clock.words)
	want = append(want, asr.Word{Text: "now", Start: want[3].End, End: want[3].End})
	want[2].Text = "hats"
	for i := range want {
		want[i].Confidence = .8
	}
	if !timed || !reflect.DeepEqual(words, want) {
		t.Errorf("timed %v, got %v, want %v", timed, words, want)
	}
	if words, timed := measured.fuse([]*hypothesis{blind, blind}); timed || !reflect.DeepEqual(words, blind.words) {
		t.Errorf("timed %v, got %v, want %v", timed, words, blind.words)
	}
}

// hypotheses draws possible results of members for one speech: the same words, with some left out,
// inserted or changed.
func hypotheses(t *rapid.T) []*hypothesis {
	word := rapid.SampledFrom([]string{"a", "b", "c", "A.", "b,", "the", "The", "—"})
	said := rapid.SliceOfN(word, 0, 12).Draw(t, "said")
	var out []*hypothesis
	for range rapid.IntRange(1, MaxMembers).Draw(t, "members") {
		b := &hypothesis{timed: rapid.Bool().Draw(t, "timed"),
			weight: rapid.SampledFrom([]float64{1, 1, .5, .01}).Draw(t, "weight")}
		var heard []string
		for _, w := range said {
			switch rapid.IntRange(0, 9).Draw(t, "fate") {
			case 0:
			case 1:
				heard = append(heard, word.Draw(t, "wrong"))
			case 2:
				heard = append(heard, w, word.Draw(t, "invented"))
			default:
				heard = append(heard, w)
			}
		}
		at := 0
		for _, w := range heard {
			start := at + rapid.IntRange(0, asr.Rate).Draw(t, "gap")
			end := start + rapid.IntRange(0, asr.Rate/2).Draw(t, "length")
			at = start
			heardWord := asr.Word{Text: w, Confidence: float64(rapid.IntRange(0, 4).Draw(t, "confidence")) / 4}
			if b.timed {
				heardWord.Start, heardWord.End = start, end
			}
			b.words = append(b.words, heardWord)
		}
		out = append(out, b)
	}
	return out
}

func TestFusingTheSameIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := hypotheses(t)[0]
		n := rapid.IntRange(1, MaxMembers).Draw(t, "copies")
		words, timed := measured.fuse(slices.Repeat([]*hypothesis{b}, n))
		if !slices.Equal(words, b.words) || timed != (b.timed && len(words) > 0) {
			t.Errorf("%d times %v made %v, timed %v", n, b.words, words, timed)
		}
	})
}

func TestOrderOfMembersIsIrrelevant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := hypotheses(t)
		words, timed := measured.fuse(all)
		shuffled := slices.Clone(all)
		seed := rapid.Uint64().Draw(t, "seed")
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(all), func(i, j int) {
			shuffled[i], shuffled[j] = shuffled[j],
				shuffled[i]
		})
		again, timedAgain := measured.fuse(shuffled)
		if !slices.Equal(words, again) || timed != timedAgain {
			t.Errorf("%v in another order: %v", words, again)
		}
	})
}

func TestEveryWordWasHeardAndInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := hypotheses(t)
		words, timed := measured.fuse(all)
		latest := 0
		heard := map[asr.Word]bool{} // without times
		for _, b := range all {
			for _, w := range b.words {
				heard[asr.Word{Text: w.Text, Confidence: w.Confidence}] = true
				latest = max(latest, w.End)
			}
		}
		before := 0
		for _, w := range words {
			if !heard[asr.Word{Text: w.Text, Confidence: w.Confidence}] {
				t.Errorf("%v is in no hypothesis", w)
			}
			if w.Start < before || w.End < w.Start || w.End > latest || !timed && w.End > 0 {
				t.Errorf("%v after a start at %d, latest end %d, timed %v", w, before, latest, timed)
			}
			before = w.Start
		}
	})
}

// TestTheNetworkHoldsEveryWordOnce reads each hypothesis back out of the network.
func TestTheNetworkHoldsEveryWordOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := hypotheses(t)
		net := network(all)
		for i, b := range all {
			var words []asr.Word
			for _, s := range net {
				if len(s) != len(all) || s[i].hypothesis != b {
					t.Fatalf("slot %v of %d hypotheses", s, len(all))
				}
				if s[i].word != nil {
					words = append(words, *s[i].word)
				}
			}
			if !slices.Equal(words, b.words) {
				t.Errorf("read back %v of %v", words, b.words)
			}
		}
	})
}
