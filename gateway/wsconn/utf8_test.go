package wsconn

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// However a text is cut into pieces, the check returns what the whole is.
func FuzzUTF8Check(f *testing.F) {
	for _, seed := range []string{"", "a", "ä€😀", "\xff", "a\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf0\x9f\x98",
		"\xc0\x80", "\x80", "\xf4\x90\x80\x80", strings.Repeat("é", 50) + "\xc3("} {
		f.Add([]byte(seed), 1)
		f.Add([]byte(seed), 2)
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		size = max(1, size&0xff)
		var c utf8Check
		good := true
		for rest := text; len(rest) > 0 && good; {
			piece := rest[:min(size, len(rest))]
			rest = rest[len(piece):]
			good = c.add(piece)
		}
		if good = good && c.whole(); good != utf8.Valid(text) {
			t.Errorf("%q in pieces of %d: %v", text, size, good)
		}
	})
}
