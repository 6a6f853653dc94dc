package vocabulary

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

const cmudict = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"

// arpabet is what the dictionary calls the phones of this package.
var arpabet = func() map[string]string {
	m := map[string]string{}
	pairs := strings.Fields("AA A AE a AH @ AO O AW W AY Y B b CH C D d DH D EH E ER @r EY e F f G g HH h IH I IY i JH J K k L l M m N n NG N OW o OY X P p R r S s SH S T t TH T UH U UW u V v W w Y y Z z ZH Z")
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}()

// The rules must say English words nearly as a pronouncing dictionary does.
func TestRulesAgainstDictionary(t *testing.T) {
	f, err := os.Open(cmudict)
	if err != nil {
		t.Skipf("Debian package pocketsphinx-en-us: %v", err)
	}
	defer f.Close()
	r, c, common := newReader(), newCosts(), map[string]bool{}
	for _, w := range strings.Fields(ordinaryWords) {
		common[w] = true
	}
	row := make([]float32, 100)
	var all, of [2]float32
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		word := fields[0]
		if strings.ContainsAny(word, "'(.-_0123456789") {
			continue
		}
		var want strings.Builder
		for _, p := range fields[1:] {
			want.WriteString(arpabet[p])
		}
		got := r.word(word)
		a, b := []rune(got), []rune(want.String())
		d := c.distance(a, b, 1000, row)
		for i := range 2 {
			if i == 0 || common[word] {
				all[i] += d
				of[i] += c.weight(b)
			}
		}
		if common[word] && d/c.weight(b) > .3 && os.Getenv("SHOW") != "" {
			t.Logf("%s: %s, want %s: %.2f", word, got, want.String(), d/c.weight(b))
		}
	}
	t.Logf("distance to all words %.3f, to common ones %.3f", all[0]/of[0], all[1]/of[1])
	if all[0]/of[0] > .2 || all[1]/of[1] > .15 {
		t.Error("too far")
	}
}
