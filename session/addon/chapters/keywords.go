package chapters

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
	"steno/session/addon/sentences"
	"steno/session/addon/summary/terms"
)

const (
	mostKeywords = 6
	inHeadline   = 3
	// longestPhrase is the longest phrase in words.
	longestPhrase = 3
)

// counts are the numbers of uses of each stem, in each part and in all.
type counts struct {
	parts []map[string]int
	all   map[string]int
}

func count(parts [][]sentences.Sentence, reader *terms.Reader) counts {
	c := counts{all: map[string]int{}}
	for _, part := range parts {
		in := map[string]int{}
		for _, s := range part {
			for _, stem := range reader.Stems(s.Text, s.Language) {
				in[stem]++
				c.all[stem]++
			}
		}
		c.parts = append(c.parts, in)
	}
	return c
}

// scores returns how characteristic each stem is of a part: its uses there, times their share of
// all its uses.
func (c counts) scores(part int) map[string]float64 {
	scores := map[string]float64{}
	for stem, n := range c.parts[part] {
		scores[stem] = float64(n) * float64(n) / float64(c.all[stem])
	}
	return scores
}

// phrase is a few consecutive content words.
type phrase struct {
	stems []string
	text  string // in its most frequent form
	uses  int
	score float64
}

// keywords returns the phrases that are most characteristic of a part, best first.
func keywords(part []sentences.Sentence, reader *terms.Reader, names capitalization,
	scores map[string]float64) messages.List[string] {
	all := phrases(part, reader, names)
	all = slices.DeleteFunc(all, func(p phrase) bool { return len(p.stems) > 1 && p.uses < 2 })
	for i := range all {
		all[i].weigh(scores)
	}
	slices.SortStableFunc(all, func(a, b phrase) int { return cmp.Compare(b.score, a.score) })
	var words messages.List[string]
	used := map[string]bool{}
	for _, p := range all {
		if len(words) < mostKeywords && !slices.ContainsFunc(p.stems, func(s string) bool { return used[s] }) {
			words = append(words, p.text)
			for _, s := range p.stems {
				used[s] = true
			}
		}
	}
	return words
}

// weigh scores a phrase by the mean score of its words and by their number.
func (p *phrase) weigh(scores map[string]float64) {
	for _, s := range p.stems {
		p.score += min(scores[s], 2*float64(p.uses))
	}
	p.score *= (1 + float64(len(p.stems))) / (2 * float64(len(p.stems)))
}

// phrases returns all runs of content words of a part, in the order in which they first occur.
func phrases(part []sentences.Sentence, reader *terms.Reader, names capitalization) []phrase {
	var all []phrase
	at, forms := map[string]int{}, map[string]int{}
	for _, s := range part {
		words := reader.Of(s.Text, s.Language)
		for i := range words {
			for _, p := range begun(words[i:], names) {
				key := strings.Join(p.stems, " ")
				if _, ok := at[key]; !ok {
					at[key] = len(all)
					all = append(all, p)
				}
				known := &all[at[key]]
				known.uses++
				if forms[p.text]++; forms[p.text] > forms[known.text] {
					known.text = p.text
				}
			}
		}
	}
	return all
}

// begun returns the phrases that begin with the first word.
func begun(words []terms.Term, names capitalization) []phrase {
	var all []phrase
	var stems, texts []string
	for _, w := range words[:min(longestPhrase, len(words))] {
		if w.Stem == "" {
			break
		}
		name, _ := messages.Possessive(names.of(w.Word))
		stems = append(stems, w.Stem)
		if n := len(texts); w.Hyphen && n > 0 {
			texts[n-1] += "-" + name
		} else {
			texts = append(texts, name)
		}
		all = append(all, phrase{stems: slices.Clone(stems), text: strings.Join(texts, " ")})
		if w.Ends {
			break
		}
	}
	return all
}

// headline returns a title made of the first keywords.
func headline(words []string, language string) string {
	words = words[:min(inHeadline, len(words))]
	text := strings.Join(words, ", ")
	if base, _, _ := strings.Cut(strings.ToLower(language), "-"); len(words) > 1 && (base == "en" || base == "") {
		text = strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
	}
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToTitle(first)) + text[size:]
}
