package spelling

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// token is a word, a mark, or a run of white space of a text, by its bytes.
type token struct {
	from, to int
	folded   string // what it is compared by; " " for white space
}

// tokens divides a text at its word boundaries.
func tokens(text string) []token {
	var out []token
	fold, at, state := cases.Fold(), 0, -1
	for rest := text; rest != ""; {
		var segment string
		segment, rest, state = uniseg.FirstWordInString(rest, state)
		from := at
		at += len(segment)
		if strings.TrimSpace(segment) != "" {
			folded := norm.NFC.String(fold.String(strings.ReplaceAll(segment, "’", "'")))
			out = append(out, token{from, at, folded})
		} else if n := len(out); n > 0 && out[n-1].folded == " " {
			out[n-1].to = at
		} else {
			out = append(out, token{from, at, " "})
		}
	}
	return out
}

func (t token) spoken() bool {
	return strings.IndexFunc(t.folded, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0
}

// tree finds spellings by their tokens. Node 0 is its root.
type tree struct {
	next    map[edge]int
	targets map[int]string // by the node a source ends at; "": leave as it is
}

type edge struct {
	node  int
	token string
}

func newTree() tree { return tree{map[edge]int{}, map[int]string{}} }

// add makes a source be replaced by target, unless it is replaced already.
func (t tree) add(source, target string) {
	if node, ok := t.grow(source); ok {
		if _, taken := t.targets[node]; !taken {
			t.targets[node] = target
		}
	}
}

// keep makes a target that is in a text already stay.
func (t tree) keep(target string) { t.add(target, "") }

// grow adds the nodes of a source and returns the last. It refuses sources beyond the limits and those without a word.
func (t tree) grow(source string) (node int, ok bool) {
	source = strings.TrimSpace(source)
	if len(source) > maxBytes || !utf8.ValidString(source) {
		return 0, false
	}
	path := tokens(source)
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
		}
		node = t.next[e]
	}
	return node, true
}

// longest returns how many of the tokens the longest spelling at their beginning takes, and its target; 0: there is none.
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
