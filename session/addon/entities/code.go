package entities

import "strings"

// spelling gives the letters of the international alphabet.
var spelling = map[string]string{"alpha": "A", "alfa": "A", "bravo": "B", "charlie": "C", "delta": "D", "echo": "E", "foxtrot": "F",
	"golf": "G", "hotel": "H", "india": "I", "juliet": "J", "kilo": "K", "lima": "L", "mike": "M", "november": "N",
	"oscar": "O", "papa": "P", "quebec": "Q", "romeo": "R", "sierra": "S", "tango": "T", "uniform": "U", "victor": "V",
	"whiskey": "W", "whisky": "W", "xray": "X", "yankee": "Y", "zulu": "Z"}

// codeLimit is how many signs of a code are read at most.
const codeLimit = 60

// code reads letters and digits from i on, spoken or written; it gives them in capitals and where they end.
func (t *text) code(i int, c cue) (string, int) { return t.codeUntil(i, len(t.tokens), c) }

// codeUntil reads a code from i on that ends with the token limit at the latest, which is not part of it.
func (t *text) codeUntil(i, limit int, c cue) (string, int) {
	var b strings.Builder
	to := i
	for at := i; at < limit && b.Len() < codeLimit; {
		sign, end := t.sign(at, c)
		if end > limit {
			break
		}
		if end == at {
			if to > i && codeJoint(t.low(at), c) && at < to+2 {
				at++
				continue
			}
			break
		}
		b.WriteString(sign)
		at, to = end, end
		if t.at(to-1).after == '.' {
			break
		}
	}
	return t.trimCode(b.String(), i, to)
}

func codeJoint(low string, c cue) bool {
	if c.kind == "MEDICAL_CODE" && one(low, "point dot") {
		return true
	}
	return joints[low] || one(low, "slash capital uppercase lowercase letter and then") && low != "and"
}

// trimCode drops an "a" or "i" at the end that is a word, no letter.
func (t *text) trimCode(code string, from, to int) (string, int) {
	for to > from && one(t.low(to-1), "a i") && !strings.HasSuffix(t.at(to-1).raw, "A") && len(code) > 0 && to < len(t.tokens) {
		code, to = code[:len(code)-1], to-1
	}
	return code, to
}

// sign reads one piece of a code at i; end is i where there is none.
func (t *text) sign(i int, c cue) (string, int) {
	k := t.at(i)
	if k.low == "" {
		return "", i
	}
	if p, ok := t.piece(i); ok {
		return p.digits, p.to
	}
	if one(k.low, "o oh") {
		return "0", i + 1
	}
	if !c.letters {
		return "", i
	}
	if len(k.low) == 1 && k.low[0] >= 'a' && k.low[0] <= 'z' {
		return t.letter(i)
	}
	if s, ok := spelling[k.low]; ok && !t.proper(i) {
		return s, i + 1
	}
	if k.low == "x" && t.low(i+1) == "ray" {
		return "X", i + 2
	}
	if s, ok := writtenCode(k.raw, t.small); ok {
		return s, i + 1
	}
	return "", i
}

// letter reads a letter, with "as in boy" or "for boy" behind it.
func (t *text) letter(i int) (string, int) {
	s := strings.ToUpper(t.low(i))
	if t.low(i+1) == "as" && t.low(i+2) == "in" && strings.HasPrefix(t.low(i+3), t.low(i)) {
		return s, i + 4
	}
	if t.low(i+1) == "for" && len(t.low(i+2)) > 1 && strings.HasPrefix(t.low(i+2), t.low(i)) {
		return s, i + 3
	}
	return s, i + 1
}

// writtenCode takes "AB-123.4", or "AB" where capitals mean something.
func writtenCode(raw string, cased bool) (string, bool) {
	raw = strings.TrimPrefix(raw, "#")
	var b strings.Builder
	digit := false
	for _, r := range raw {
		switch {
		case r >= '0' && r <= '9':
			digit = true
			b.WriteRune(r)
		case r >= 'a' && r <= 'z':
			b.WriteRune(r - 'a' + 'A')
		case r >= 'A' && r <= 'Z':
			b.WriteRune(r)
		case !strings.ContainsRune("-./", r):
			return "", false
		}
	}
	capitals := cased && b.Len() <= 5 && raw == strings.ToUpper(raw)
	return b.String(), b.Len() > 0 && b.Len() <= 40 && (digit || capitals)
}
