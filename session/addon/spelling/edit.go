package spelling

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
	"steno/session/addon/sentences"
)

// edit replaces the bytes from..to of a text.
type edit struct {
	from, to int
	text     string
}

// edits returns the replacements in a text in a language, in their order. The work is linear in the
// text: at each token at most maxTokens are compared.
func (t tree) edits(text, language string) []edit {
	if len(t.next) == 0 {
		return nil
	}
	var out []edit
	starts := true // a sentence may start here
	path := t.tokens(text, language)
	for i := 0; i < len(path); {
		n, target := t.longest(path[i:])
		if target != "" {
			from, to := path[i].from, path[i+n-1].to
			if stopped(text[:to], text[to:]) && !strings.HasSuffix(target, ".") {
				to-- // "in the U.S." is still a sentence
			}
			out = append(out, edit{from, to, before(text[to:], raised(target, text[from:to], t.language, starts))})
		}
		n = max(n, 1)
		for _, k := range path[i : i+n] {
			starts = !k.spoken() && (starts || strings.ContainsAny(k.folded, ".!?…。！？¿¡"))
		}
		i += n
	}
	return out
}

// stopped reports whether a text ends with a full stop that ends a sentence, by what follows.
func stopped(text, rest string) bool {
	next, _, _ := strings.Cut(strings.TrimLeftFunc(rest, unicode.IsSpace), " ")
	return strings.HasSuffix(text, ".") && (next == "" || sentences.Starts(next))
}

// before returns the target as it stands before a text, without the marks that the text begins
// with: "Inc." at the end of a sentence has one full stop.
func before(text, target string) string {
	rest := strings.TrimLeftFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) &&
			!unicode.IsSpace(r)
	})
	return strings.TrimSuffix(target, messages.Overlap(target, strings.TrimSuffix(text, rest)))
}

// raised returns the target, with a capital where it replaces the first word of a sentence.
func raised(target, replaced, language string, starts bool) string {
	if r, _ := utf8.DecodeRuneInString(replaced); !starts || !unicode.IsUpper(r) {
		return target
	}
	word, _, _ := strings.Cut(target, " ")
	first, size := utf8.DecodeRuneInString(target)
	if !unicode.IsLower(first) || strings.IndexFunc(word, unicode.IsUpper) >= 0 {
		return target
	}
	title := unicode.ToTitle(first)
	if language == turkic {
		title = unicode.TurkishCase.ToTitle(first)
	}
	return string(title) + target[size:]
}
