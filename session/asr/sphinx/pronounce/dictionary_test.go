package pronounce

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"steno/session/asr/sphinx/g2p"
)

func small(t testing.TB) *Dictionary {
	t.Helper()
	file := filepath.Join(t.TempDir(), "dict")
	text := "day D EY\ncooper\tK UW P ER\nnetties  N EH T IY Z\nhub HH AH B\nhub(2) HH UW B\ncat K AE T\ngood G UH D\nfour F AO R\nlone\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEntries(t *testing.T) {
	d := small(t)
	for word, want := range map[string][]string{
		"hub": {"HH AH B", "HH UW B"}, "cooper": {"K UW P ER"}, "netties": {"N EH T IY Z"}, "lone": nil, "hub(2)": nil,
		"net": nil,
	} {
		got := d.All(word)
		first := ""
		if len(want) > 0 {
			first = want[0]
		}
		if !slices.Equal(got, want) || d.First(word) != first || d.Has(word) != (want != nil) {
			t.Errorf("%q: %q, the first %q; want %q", word, got, d.First(word), want)
		}
	}
	if words := slices.Sorted(d.Words()); !slices.Equal(words, []string{"cat", "cooper", "day", "four", "good", "hub",
		"netties"}) {
		t.Errorf("words %q", words)
	}
}

func TestPronunciations(t *testing.T) {
	d := small(t)
	for text, want := range map[string]string{
		"cooper netties": "K UW P ER N EH T IY Z", "GoodHub": "G UH D HH AH B", "PTK-4": "P IY T IY K EY F AO R",
		"dät": "D AE T", "kätt": "", "vv": "", "東京": "", "": "",
	} {
		got := ""
		if ways := d.Pronounce(text); len(ways) > 0 {
			got = ways[0]
		}
		if got != want {
			t.Errorf("%q sounds %q, want %q", text, got, want)
		}
	}
}

// A word without an entry may sound in several ways.
func TestGuesses(t *testing.T) {
	d := small(t)
	d.others = sync.OnceValue(func() *g2p.Model {
		return g2p.Learn(map[string]string{"bad": "B AE D", "bade": "B EY D", "dab": "D AE B", "baba": "B AE B EY"})
	})
	delete(d.phones, "EY")
	if got := d.Pronounce("daBad"); !slices.Equal(got, []string{"D AE B AE D"}) {
		t.Errorf("%q, of phones that the model lacks", got)
	}
	d.phones["EY"] = true
	if got := d.Pronounce("daBad"); !slices.Equal(got, []string{"D AE B AE D", "D EY B AE D"}) {
		t.Errorf("%q", got)
	}
}
