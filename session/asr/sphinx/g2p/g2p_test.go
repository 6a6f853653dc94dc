package g2p

import (
	"bufio"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cmudict is Debian's dictionary for PocketSphinx.
const cmudict = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"

// dictionary has the first pronunciation of each word.
func dictionary(t testing.TB) map[string]string {
	f, err := os.Open(cmudict)
	if err != nil {
		t.Skipf("Debian package pocketsphinx-en-us: %v", err)
	}
	defer f.Close()
	out := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if word, phones, _ := strings.Cut(lines.Text(), " "); !strings.HasSuffix(word, ")") {
			out[word] = phones
		}
	}
	return out
}

// heldOut takes some words out of a dictionary: those with a digest divisible by n.
func heldOut(of map[string]string, n uint32) map[string]string {
	out := map[string]string{}
	for word, phones := range of {
		var digest uint32
		for _, c := range []byte(word) {
			digest = digest*31 + uint32(c)
		}
		if digest%n == 0 && plain(word) {
			out[word] = phones
			delete(of, word)
		}
	}
	return out
}

// Most words that were not learned from sound as their dictionary has it, or have that among the
// best three.
func TestWordsNotLearnedFrom(t *testing.T) {
	learned := dictionary(t)
	asked := heldOut(learned, 400)
	m := Learn(learned)
	first, among := 0, 0
	for word, phones := range asked {
		best := m.Pronounce(word, 3)
		if len(best) == 0 {
			t.Fatalf("%s cannot be said", word)
		}
		if best[0].Phones == phones {
			first++
		}
		if slices.ContainsFunc(best, func(p Pronunciation) bool { return p.Phones == phones }) {
			among++
		}
	}
	t.Logf("of %d words %.1f %% are right, %.1f %% have the right phones among the best three",
		len(asked), 100*float64(first)/float64(len(asked)), 100*float64(among)/float64(len(asked)))
	if 10*first < 6*len(asked) || 10*among < 8*len(asked) {
		t.Errorf("of %d words only %d are right, %d among the best three", len(asked), first, among)
	}
}

// small is a dictionary whose letters stand for none, one and two phones.
var small = map[string]string{
	"bad": "B AE D", "bade": "B EY D", "fade": "F EY D", "fad": "F AE D", "fax": "F AE K S", "dab": "D AE B",
	"add": "AE D", "xad": "K S AE D", "six": "S IH K S", "mix": "M IH K S", "mid": "M IH D", "sad": "S AE D",
	"it's": "IH T S", "bé": "B EY", "": "B", "a": "AE AE AE", "abba": "",
}

func TestLettersStandForPhones(t *testing.T) {
	m := Learn(small)
	for word, want := range map[string]string{"fab": "F AE B", "dax": "D AE K S", "bab": "B AE B"} {
		if got := m.Pronounce(word, 1); len(got) != 1 || got[0].Phones != want {
			t.Errorf("%s: %v, want %s", word, got, want)
		}
	}
}

func TestPronunciationsDiffer(t *testing.T) {
	m := Learn(small)
	got := m.Pronounce("badefax", 5)
	if len(got) != 5 {
		t.Fatalf("%v", got)
	}
	for i := 1; i < len(got); i++ {
		if got[i].Score > got[i-1].Score {
			t.Errorf("%v is before the likelier %v", got[i-1], got[i])
		}
		if slices.ContainsFunc(got[:i], func(p Pronunciation) bool { return p.Phones == got[i].Phones }) {
			t.Errorf("%v twice", got[i])
		}
	}
}

func TestNothingToSay(t *testing.T) {
	for name, m := range map[string]*Model{"small": Learn(small), "empty": Learn(nil)} {
		for _, word := range []string{"", "it's", "Bad", "bé", "q", strings.Repeat("a", maxWord+1)} {
			if got := m.Pronounce(word, 3); got != nil {
				t.Errorf("%s dictionary, %q: %v", name, word, got)
			}
		}
		if got := m.Pronounce("bad", 0); got != nil {
			t.Errorf("%s dictionary: %v where none is asked for", name, got)
		}
	}
}

// Phones beyond the greatest number are not learned; those before are.
func TestTooManyPhones(t *testing.T) {
	entries := map[string]string{}
	for i := range 3 * maxPhones {
		entries[strings.Repeat("a", 1+i/100)+string([]byte{'a' + byte(i/10%10), 'a' + byte(i%10)})] = "A B" +
			strconv.Itoa(i)
	}
	if m := Learn(entries); len(m.phones) > maxPhones+1 || len(m.Pronounce("aa", 1)) != 1 {
		t.Errorf("%d phones, %v", len(m.phones), m.Pronounce("aa", 1))
	}
}

func TestLearningIsRepeatable(t *testing.T) {
	a, b := Learn(small), Learn(small)
	if !reflect.DeepEqual(a, b) {
		t.Error("two models of one dictionary differ")
	}
}

func FuzzPronounce(f *testing.F) {
	m := Learn(small)
	for _, word := range []string{"bad", "fax", "zzz", "b\x00d", "東京", strings.Repeat("ad", 32)} {
		f.Add(word, 3)
	}
	f.Fuzz(func(t *testing.T, word string, most int) {
		got := m.Pronounce(word, most)
		if len(got) > max(most, 0) {
			t.Errorf("%d pronunciations, asked for %d", len(got), most)
		}
		for _, p := range got {
			if p.Phones == "" || p.Score > 0 {
				t.Errorf("%+v", p)
			}
		}
	})
}

// BenchmarkLearn takes the whole of the CMU dictionary.
func BenchmarkLearn(b *testing.B) {
	entries := dictionary(b)
	for b.Loop() {
		Learn(entries)
	}
}

func BenchmarkPronounce(b *testing.B) {
	m := Learn(dictionary(b))
	for b.Loop() {
		m.Pronounce("kubernetes", 2)
	}
}
