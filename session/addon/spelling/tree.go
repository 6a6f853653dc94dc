package spelling

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"steno/messages"
)

// token is a word, its possessive ending, a mark, or a run of white space of a text, by its bytes.
type token struct {
	from, to int
	folded   string // what it is compared by; " " for white space
}

// tokens divides a text in a language at its word boundaries.
func tokens(text, language string) []token {
	var out []token
	at, state := 0, -1
	for rest := text; rest != ""; {
		var segment string
		segment, rest, state = uniseg.FirstWordInString(rest, state)
		from := at
		at += len(segment)
		if strings.TrimSpace(segment) != "" {
			stem, ending := messages.Possessive(segment)
			for _, part := range []string{stem, ending} {
				if part != "" {
					out = append(out, token{from, from + len(part), folded(part, language)})
					from += len(part)
				}
			}
		} else if n := len(out); n > 0 && out[n-1].folded == " " {
			out[n-1].to = at
		} else {
			out = append(out, token{from, at, " "})
		}
	}
	return hyphened(out)
}

// folded is what a part of a text in a language is compared by.
func folded(part, language string) string {
	return messages.Fold(strings.ReplaceAll(part, "’", "'"), language)
}

// hyphened returns the tokens with a hyphen between two words as white space, since engines write
// "data set" and "data-set".
func hyphened(all []token) []token {
	for i := 1; i+1 < len(all); i++ {
		if all[i].folded == "-" && all[i-1].spoken() && all[i+1].spoken() {
			all[i].folded = " "
		}
	}
	return all
}

func (t token) spoken() bool {
	return strings.IndexFunc(t.folded, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0
}

// tree finds spellings by their tokens. Node 0 is its root. It is a trie whose edges are tokens.
type tree struct {
	language string // of which the letters are; empty: any that has no letters of its own
	next     map[edge]int
	targets  map[int]string  // by the last node of a source; "": the text stays as it is
	known    map[string]bool // the tokens of all edges
}

type edge struct {
	node  int
	token string
}

func newTree(language string) tree {
	return tree{language, map[edge]int{}, map[int]string{}, map[string]bool{}}
}

// add adds a source that target replaces, unless the source has a target already.
func (t tree) add(source, target string) {
	if node, ok := t.grow(source); ok {
		if _, taken := t.targets[node]; !taken {
			t.targets[node] = target
		}
	}
}

// keep adds a target as text that stays as it is.
func (t tree) keep(target string) { t.add(target, "") }

// grow adds the nodes of a source and returns the last. It refuses sources beyond the limits and
// those without a word.
func (t tree) grow(source string) (node int, ok bool) {
	source = strings.TrimSpace(source)
	if len(source) > maxBytes || !utf8.ValidString(source) {
		return 0, false
	}
	path := tokens(source, t.language)
	for _, k := range path {
		ok = ok || k.spoken()
	}
	if !ok || len(path) > maxTokens {
		return 0, false
	}
	for _, k := range path {
		e := edge{node, k.folded}
		if _, grown := t.next[e]; !grown {
			t.next[e] = len(t.next) + 1
			t.known[k.folded] = true
		}
		node = t.next[e]
	}
	return node, true
}

// tokens divides a text in a language. A word that no spelling has is divided once more where it is
// one that a spelling has, with a particle of the language before or after it.
func (t tree) tokens(text, language string) []token {
	all := tokens(text, t.language)
	base, _, _ := strings.Cut(language, "-")
	cuts := particles[base]
	if cuts == nil {
		return all
	}
	out := make([]token, 0, len(all))
	for _, k := range all {
		out = append(out, t.divide(text, k, cuts)...)
	}
	return out
}

func (t tree) divide(text string, k token, cuts func(word string) [][2]int) []token {
	if t.known[k.folded] || !k.spoken() {
		return []token{k}
	}
	word := text[k.from:k.to]
	for _, c := range cuts(word) {
		if stem := folded(word[c[0]:c[1]], t.language); t.known[stem] {
			out := []token{{k.from + c[0], k.from + c[1], stem}}
			if c[0] > 0 {
				out = slices.Insert(out, 0, token{k.from, k.from + c[0], folded(word[:c[0]], t.language)})
			}
			if c[1] < len(word) {
				out = append(out, token{k.from + c[1], k.to, folded(word[c[1]:], t.language)})
			}
			return out
		}
	}
	return []token{k}
}

// longest returns the number of tokens of the longest spelling with which path begins, and its
// target; 0: there is none.
func (t tree) longest(path []token) (n int, target string) {
	node := 0
	for i, k := range path {
		next, ok := t.next[edge{node, k.folded}]
		if !ok {
			break
		}
		node = next
		if end, ok := t.targets[node]; ok {
			n, target = i+1, end
		}
	}
	return n, target
}
