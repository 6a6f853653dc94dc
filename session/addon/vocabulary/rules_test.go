package vocabulary

import (
	"bufio"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const cmudict = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"

// arpabet has the phones of this package by what the dictionary calls them.
var arpabet = func() map[string]string {
	m := map[string]string{}
	pairs := strings.Fields("AA A AE a AH @ AO O AW W AY Y B b CH C D d DH D EH E ER @r EY e F f G g HH h IH I IY i JH J K k L l M m N n NG N OW o OY X P p R r S s SH S T t TH T UH U UW u V v W w Y y Z z ZH Z")
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}()

// The rules must pronounce English words nearly as a pronouncing dictionary does.
func TestRulesAgainstDictionary(t *testing.T) {
	f, err := os.Open(cmudict)
	if err != nil {
		t.Skipf("Debian package pocketsphinx-en-us: %v", err)
	}
	defer f.Close()
	r, l, common := newReader(), newLikeness(), newOrdinary()
	row := make([]float32, 100)
	var all, full [2]float32 // of all words, of common ones
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
		said := []rune(want.String())
		score := l.score(said, []rune(r.word(word)), row)
		for i, counted := range []bool{true, common[word]} {
			if counted {
				all[i] += score
				full[i] += l.full(said)
			}
		}
	}
	t.Logf("likeness to all words %.3f, to common ones %.3f", all[0]/full[0], all[1]/full[1])
	if all[0]/full[0] < .75 || all[1]/full[1] < .85 {
		t.Error("too different")
	}
}

// Every line of the tables must be read: an error in one would go unseen.
func TestTables(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(likenessTable), "\n")
	columns := strings.Fields(lines[0])
	for i, line := range lines[1:] {
		fields := strings.Fields(line)
		want := len(columns)
		if fields[0] == "-" {
			want--
		}
		if fields[0] != columns[i] || len(fields)-1 != want {
			t.Errorf("line %d of likeness.txt: %q", i+2, line)
		}
		for _, f := range fields[1:] {
			if n, err := strconv.Atoi(f); err != nil || n < -100 || n > 100 {
				t.Errorf("line %d of likeness.txt: %q", i+2, f)
			}
		}
	}
	for _, rule := range strings.Fields(letterRules) {
		if !regexp.MustCompile(`^[a-z$#^+%]*\[[a-z]+\][a-z$#^+%]*=[a-zA-Z@]*$`).MatchString(rule) {
			t.Errorf("rule %q", rule)
		}
		_, phones, _ := strings.Cut(rule, "=")
		for _, p := range phones {
			if !slices.Contains(columns, string(p)) {
				t.Errorf("phone %c of rule %q", p, rule)
			}
		}
	}
}
