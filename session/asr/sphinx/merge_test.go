package sphinx

import (
	"slices"
	"testing"
)

// path makes segments of ten frames for each character: a word in small letters, followed by ! if
// the decoder is sure of it, _ silence, an added word in capitals, followed by ? if it was not
// recognized clearly. Equal adjacent characters are one segment.
func path(text string) []segment {
	var out []segment
	for i := 0; i < len(text); i++ {
		c := text[i]
		if n := len(out); n > 0 && out[n-1].word == string(c) {
			out[n-1].end += 10
			continue
		}
		switch c {
		case '?':
			out[len(out)-1].clear = false
			continue
		case '!':
			out[len(out)-1].posterior, out[len(out)-1].acoustic = 1, 1
			continue
		}
		start := 0
		if n := len(out); n > 0 {
			start = out[n-1].end
		}
		s := segment{word: string(c), start: start, end: start + 10, posterior: .5}
		if c >= 'A' && c <= 'Z' {
			s.taught, s.clear = &addedWord{text: s.word, tenths: 5}, true
		}
		if c == '_' {
			s.word = "<sil>"
		}
		out = append(out, s)
	}
	return out
}

func TestOnlyClearWordsChangeAPath(t *testing.T) {
	for name, c := range map[string]struct{ plain, taught, want string }{
		"none said":        {"_abbc_", "_axxc_", "_abbc_"},
		"one":              {"_abbbbc_", "_aAAAAc_", "_aAAAAc_"},
		"with neighbours":  {"_abbccdd_e", "_axAAAdd_y", "_axAAAdd_e"},
		"not clear":        {"_abbbbc_", "_aA?AAAc_", "_abbbbc_"},
		"sure of another":  {"_ab!bbbc_", "_aAAAAc_", "_ab!bbbc_"},
		"sure of a part":   {"_ab!bccd_", "_aAAAAd_", "_aAAAAd_"},
		"all":              {"aaaa", "AAAA", "AAAA"},
		"nothing plain":    {"", "AAAA", "AAAA"},
		"nothing taught":   {"aa", "", "aa"},
		"two in a stretch": {"abbccccde", "xAAAAB?yyy", "aAAAAcyyy"},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := merge(path(c.plain), path(c.taught)), path(c.want)
			texts := func(p []segment) (out []string) {
				for _, s := range p {
					out = append(out, s.text())
				}
				return out
			}
			if !slices.Equal(texts(got), texts(want)) {
				t.Errorf("%q, want %q", texts(got), texts(want))
			}
			for i := 1; i < len(got); i++ {
				if got[i].start < got[i-1].end {
					t.Errorf("%+v begins before %+v ends", got[i], got[i-1])
				}
			}
		})
	}
}
