package folder

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseTokens(t *testing.T) {
	for text, want := range map[string][]string{
		"<blk> 0\na 1\n":            {"<blk>", "a"},
		"a 1\n<blk> 0":              {"<blk>", "a"},
		"<blk>\t0\r\n▁\u3000 1\r\n": {"<blk>", "▁\u3000"},
		"<blk> 0\n  1\n":            {"<blk>", " "},
		"1 0\n2 1\n":                {"1", "2"},
		"a 0\na 1\n":                {"a", "a"},
	} {
		got, err := parseTokens(strings.NewReader(text))
		if err != nil || len(got.symbols) != len(want) || got.gap() >= 0 {
			t.Fatalf("%q: got %v, %v", text, got.symbols, err)
		}
		for i, symbol := range want {
			if got.symbols[i] != symbol {
				t.Errorf("%q: got %q for %d", text, got.symbols[i], i)
			}
		}
	}
}

func TestParseTokensRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"nothing":          {"", "no tokens"},
		"an empty line":    {"a 0\n\nb 1\n", "line 2: it is empty"},
		"no number":        {"a\n", `line 1: "a" is no number`},
		"too much":         {"a b 0\n", "line 1: more than"},
		"a negative":       {"a -1\n", "line 1: "},
		"an overflow":      {"a 99999999999999999999\n", "line 1: "},
		"a huge number":    {"a 0\nb 2147483647\n", "line 2: "},
		"twice":            {"a 0\nb 0\n", "line 2: the number 0 is there twice"},
		"a NUL":            {"a\x00 0\n", "line 1: it has a NUL"},
		"10 MB":            {"a 0\n" + strings.Repeat("x", 10<<20), "line 2: longer than 4096 bytes"},
		"10 MB of nothing": {strings.Repeat("\n", 10<<20), "line 1: it is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parseTokens(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want it to say %q", err, c.says)
			}
		})
	}
}

func TestVocabularies(t *testing.T) {
	parse := func(text string) table {
		got, err := parseTokens(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	few, last := parse("<blk> 0\na 1\n"), parse("a 0\n<blk> 1\n")
	for name, c := range map[string]struct {
		v    vocabulary
		t    table
		size int
		says string
	}{
		"a gap":            {vocabulary{}, parse("a 0\nb 2\n"), 2, "2 tokens, and none has the number 1"},
		"from one":         {vocabulary{}, parse("a 1\n"), 1, "1 tokens, and none has the number 0"},
		"a gap allowed":    {vocabulary{gaps: true}, parse("a 0\nb 2\n"), 2, ""},
		"as many":          {vocabulary{one: blanks}, few, 2, ""},
		"more":             {vocabulary{one: blanks}, few, 1, ""},
		"unknown":          {vocabulary{exact: true}, few, 0, ""},
		"fewer":            {vocabulary{}, few, 3, "2 tokens, and the model has 3"},
		"more than exact":  {vocabulary{exact: true}, few, 1, "2 tokens, and the model has 1"},
		"twice the same":   {vocabulary{exact: true}, parse("a 0\na 1\n"), 2, "1 tokens, and the model has 2"},
		"no blank":         {vocabulary{one: blanks}, parse("a 0\n"), 1, "no blank"},
		"a symbol missing": {vocabulary{symbols: []string{"a", "</s>"}}, few, 2, "no </s>"},
		"last":             {vocabulary{last: "<blk>"}, last, 2, ""},
		"not last":         {vocabulary{last: "<blk>"}, few, 2, "<blk> is not the last token"},
	} {
		faults := c.v.check(c.t, c.size)
		if text := fmt.Sprint(faults); c.says == "" && len(faults) > 0 || !strings.Contains(text, c.says) {
			t.Errorf("%s: %v, want it to say %q", name, faults, c.says)
		}
	}
}

// FuzzTokens checks that what is accepted is a table of symbols both ways.
func FuzzTokens(f *testing.F) {
	for _, text := range []string{"<blk> 0\na 1\n", " 0\r\n", "a\x000\n", "a 1\na 0", "\xff 0",
		strings.Repeat("x", 5000)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseTokens(strings.NewReader(text))
		if err != nil {
			return
		}
		if len(got.symbols) == 0 || len(got.ids) > len(got.symbols) {
			t.Errorf("%d tokens of %d symbols", len(got.symbols), len(got.ids))
		}
		for symbol, id := range got.ids {
			if got.symbols[id] != symbol || symbol == "" {
				t.Errorf("%q is said to be %d, which is %q", symbol, id, got.symbols[id])
			}
		}
	})
}
