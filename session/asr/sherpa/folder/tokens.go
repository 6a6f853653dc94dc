package folder

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Bounds of a table of tokens. Published ones have up to 272727 tokens, of up to some hundred
// bytes.
const (
	maxTokens = 1 << 21
	maxLine   = 4096 // bytes
)

// table is the contents of tokens.txt.
type table struct {
	symbols map[int]string
	ids     map[string]int // the library's: the first of equal symbols counts
}

// tokens reads tokens.txt if the kind has one, and compares it with the model.
func (l *listing) tokens(s spec, m *Model, p parts) table {
	if !s.vocab.file {
		return table{}
	}
	name, err := l.tokensName()
	if err != nil {
		l.found = append(l.found, err)
		return table{}
	}
	path, err := l.file(name, maxText)
	if err != nil {
		l.fault(name, err)
		return table{}
	}
	t, err := readTokens(path)
	if err != nil {
		l.fault(name, err)
		return table{}
	}
	m.Files.Tokens = path
	for _, err := range s.vocab.check(t, s.vocab.size(s, p)) {
		l.fault(name, err)
	}
	return t
}

// tokensName returns the name of tokens.txt, or of the one file whose name ends so
// ("tiny.en-tokens.txt").
func (l *listing) tokensName() (string, error) {
	if l.has("tokens.txt") {
		return "tokens.txt", nil
	}
	var found []string
	for _, name := range l.names {
		if strings.HasSuffix(name, "-tokens.txt") || strings.HasSuffix(name, "_tokens.txt") {
			found = append(found, name)
		}
	}
	switch len(found) {
	case 0:
		return "", errors.New("tokens.txt: no such file")
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("tokens.txt: no such file, and several could be meant: %s", strings.Join(found, ", "))
}

// size returns how many tokens the model has, 0 if that is unknown.
func (v vocabulary) size(s spec, p parts) int {
	if v.key != "" {
		for _, n := range s.needs {
			if slices.Contains(strings.Fields(n.ints), v.key) {
				return number(p[n.role].Metadata, v.key) + v.extra
			}
		}
	}
	if v.shape != "" {
		return size(p[v.shape].Outputs, 0, -1)
	}
	return 0
}

// check compares the tokens with the model's, as the library does, which ends the process if they
// differ.
func (v vocabulary) check(t table, want int) []error {
	var faults []error
	have := len(t.symbols)
	if v.exact {
		have = len(t.ids)
	}
	if have < want || v.exact && have > want && want > 0 {
		faults = append(faults, fmt.Errorf("%d tokens, and the model has %d", have, want))
	}
	there := func(symbol string) bool { _, ok := t.ids[symbol]; return ok }
	if len(v.one) > 0 && !slices.ContainsFunc(v.one, there) {
		faults = append(faults, fmt.Errorf("no blank: none of %s", strings.Join(v.one, " ")))
	}
	for _, symbol := range v.symbols {
		if !there(symbol) {
			faults = append(faults, fmt.Errorf("no %s", symbol))
		}
	}
	if n := t.gap(); n >= 0 && !v.gaps {
		faults = append(faults, fmt.Errorf("%d tokens, and none has the number %d", len(t.symbols), n))
	}
	if v.last != "" && (!there(v.last) || t.ids[v.last] != len(t.symbols)-1) {
		faults = append(faults, fmt.Errorf("%s is not the last token", v.last))
	}
	return faults
}

func readTokens(path string) (table, error) {
	file, err := os.Open(path)
	if err != nil {
		return table{}, withoutPath(err)
	}
	defer file.Close() //nolint:errcheck // only read
	return parseTokens(file)
}

// parseTokens parses lines of a symbol and its number, in any order. A line with only a number is
// the space's.
func parseTokens(r io.Reader) (table, error) {
	t := table{map[int]string{}, map[string]int{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, maxLine), maxLine)
	n := 0
	for lines.Scan() {
		n++
		symbol, id, err := parseToken(lines.Bytes())
		if err != nil {
			return table{}, fmt.Errorf("line %d: %w", n, err)
		}
		if _, twice := t.symbols[id]; twice {
			return table{}, fmt.Errorf("line %d: the number %d is there twice", n, id)
		}
		t.symbols[id] = symbol
		if _, twice := t.ids[symbol]; !twice {
			t.ids[symbol] = id
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return table{}, fmt.Errorf("line %d: longer than %d bytes", n+1, maxLine)
	}
	if err := lines.Err(); err != nil {
		return table{}, withoutPath(err)
	}
	if n == 0 {
		return table{}, errors.New("no tokens")
	}
	return t, nil
}

// gap returns the first number that no token has although others have greater ones; -1 if there is
// none.
func (t table) gap() int {
	for i := range len(t.symbols) {
		if _, ok := t.symbols[i]; !ok {
			return i
		}
	}
	return -1
}

// blank are the bytes at which the library splits lines: C's isspace.
const blank = " \t\r\v\f"

func parseToken(line []byte) (string, int, error) {
	if bytes.IndexByte(line, 0) >= 0 {
		return "", 0, errors.New("it has a NUL")
	}
	words := bytes.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(blank, r) })
	symbol := " "
	switch len(words) {
	case 0:
		return "", 0, errors.New("it is empty")
	case 1:
	case 2:
		symbol = string(words[0])
	default:
		return "", 0, errors.New("more than a symbol and its number")
	}
	id, err := strconv.Atoi(string(words[len(words)-1]))
	if err != nil || id < 0 || id >= maxTokens {
		return "", 0, fmt.Errorf("%q is no number from 0 to %d", shorten(string(words[len(words)-1])), maxTokens-1)
	}
	return symbol, id, nil
}
