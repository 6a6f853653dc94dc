package translate

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"steno/session/addon/remote"
)

// marker is what redaction puts in the place of words: a marker such as [EMAIL_ADDRESS_1], or signs
// with the spaces and punctuation between them, such as ###@###.###.
var marker = regexp.MustCompile(`\[[A-Z][A-Z0-9_]*\]|#(?:[^\pL\pN\[]*#)*`)

// sign stands for the i-th hidden place of a text. Translators leave it alone, mostly.
func sign(i int) string { return "⟦" + strconv.Itoa(i+1) + "⟧" }

// mask returns a text with signs for what is hidden. ok is false where the text itself has such
// signs.
func mask(s string) (out string, places []string, ok bool) {
	out = marker.ReplaceAllStringFunc(s, func(m string) string {
		places = append(places, m)
		return sign(len(places) - 1)
	})
	return out, places, len(places) == 0 || !strings.ContainsAny(s, "⟦⟧")
}

// restore returns a translation with what was hidden in the place of the signs. ok is false where a
// sign is missing, is there twice, or was not put there.
func restore(s string, places []string) (out string, ok bool) {
	if len(places) == 0 {
		return s, true
	}
	for i, place := range places {
		if strings.Count(s, sign(i)) != 1 {
			return "", false
		}
		s = strings.Replace(s, sign(i), place, 1)
	}
	return s, !strings.ContainsAny(s, "⟦⟧")
}

// translateMasked translates texts and keeps what is hidden in them. Where a translator loses a
// sign, the text is translated again in the parts between what is hidden. A text that could not be
// translated is empty, beside the first error.
func translateMasked(ctx context.Context, tr Translator, texts []string, from, to string, o Options) ([]string, error) {
	asked := make([]string, len(texts))
	places := make([][]string, len(texts))
	whole := make([]bool, len(texts))
	for i, s := range texts {
		asked[i], places[i], whole[i] = mask(s)
		if !whole[i] {
			asked[i] = "" // goes in parts
		}
	}
	out, first := checked(ctx, tr, asked, from, to, o)
	failures, ended := 0, first != nil && !remote.Divisible(first)
	for i := range out {
		if whole[i] && out[i] == "" {
			continue
		}
		if whole[i] {
			out[i], whole[i] = restore(out[i], places[i])
		}
		if whole[i] || ended {
			continue
		}
		var err error
		if out[i], err = translateParts(ctx, tr, texts[i], from, to, o); err == nil {
			failures = 0
			continue
		}
		failures++
		first, ended = cmp.Or(first, err), failures == mostFailures || !remote.Divisible(err)
	}
	return out, first
}

// checked is what a translator makes of texts, each on one line. Beside an error there is what it
// could make, and nothing in the place of others. Places without a text have none then either.
func checked(ctx context.Context, tr Translator, texts []string, from, to string, o Options) ([]string, error) {
	said, err := tr.Translate(ctx, texts, from, to, o)
	out := make([]string, len(texts))
	if len(said) != len(texts) {
		return out, cmp.Or(err, invalid("it has another number of texts"))
	}
	for i, s := range texts {
		if s == "" {
			continue
		}
		if out[i] = line(said[i]); out[i] == "" {
			err = cmp.Or(err, invalid("a text is empty"))
		}
	}
	return out, err
}

// hasText reports whether there is a letter or a digit.
func hasText(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// translateParts translates what stands between the hidden places, each part alone.
func translateParts(ctx context.Context, tr Translator, s, from, to string, o Options) (string, error) {
	between := marker.Split(s, -1)
	asked := slices.Clone(between)
	for i, part := range asked {
		if !hasText(part) {
			asked[i] = ""
		}
	}
	out, err := checked(ctx, tr, asked, from, to, o)
	if err != nil {
		return "", err
	}
	var all strings.Builder
	marks := marker.FindAllString(s, -1)
	for i, part := range between {
		if asked[i] != "" { // with the spaces that the original has around the hidden places
			part = part[:len(part)-len(strings.TrimLeftFunc(part, unicode.IsSpace))] +
				marker.ReplaceAllString(out[i], "") + part[len(strings.TrimRightFunc(part, unicode.IsSpace)):]
		}
		all.WriteString(part)
		if i < len(marks) {
			all.WriteString(marks[i])
		}
	}
	return line(all.String()), nil
}
