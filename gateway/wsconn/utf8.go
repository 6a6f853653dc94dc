package wsconn

import "unicode/utf8"

// utf8Check tells whether a text that comes in pieces is UTF-8. It keeps the beginning of a
// character that a piece ends in.
type utf8Check struct {
	rest [utf8.UTFMax]byte
	n    int // bytes of it
}

// add reports whether the text may be UTF-8 with a piece more.
func (c *utf8Check) add(piece []byte) bool {
	for c.n > 0 && len(piece) > 0 {
		c.rest[c.n] = piece[0]
		c.n, piece = c.n+1, piece[1:]
		if !utf8.FullRune(c.rest[:c.n]) {
			continue
		}
		if r, size := utf8.DecodeRune(c.rest[:c.n]); r == utf8.RuneError && size == 1 {
			return false
		}
		c.n = 0
	}
	if c.n > 0 {
		return true
	}
	whole := len(piece)
	for i := 1; i < utf8.UTFMax && i <= len(piece); i++ {
		if b := piece[len(piece)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(piece[len(piece)-i:]) {
				whole -= i
			}
			break
		}
	}
	c.n = copy(c.rest[:], piece[whole:])
	return utf8.Valid(piece[:whole])
}

// whole reports whether the text ends with a character.
func (c *utf8Check) whole() bool { return c.n == 0 }
