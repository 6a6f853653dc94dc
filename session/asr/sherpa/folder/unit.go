package folder

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode"
)

// unit determines how hotwords are split into tokens: the library's modeling_unit.
func (l *listing) unit(m *Model, t table) {
	if !m.Can.Hotwords {
		return
	}
	var han, pieces int
	for _, symbol := range t.symbols {
		r := []rune(symbol)
		switch {
		case len(r) == 1 && unicode.Is(unicode.Han, r[0]):
			han++
		case r[0] == '▁':
			pieces++
		}
	}
	vocab := l.bpe()
	switch {
	case vocab != "" && han > 0:
		m.Unit = "cjkchar+bpe"
	case vocab != "":
		m.Unit = "bpe"
	case han > 0 && han > pieces:
		m.Unit = "cjkchar"
	default:
		m.Can.Hotwords = false
		return
	}
	if vocab != "" {
		m.Files.BPEVocab = vocab
	}
}

// bpe returns the path of a valid bpe.vocab, "" if there is none.
func (l *listing) bpe() string {
	const name = "bpe.vocab"
	if !l.has(name) {
		return ""
	}
	path, err := l.file(name, maxText)
	if err == nil {
		err = readPieces(path)
	}
	if err != nil {
		l.fault(name, err)
		return ""
	}
	return path
}

// readPieces checks that lines have a piece, a tab and its score, as sentencepiece writes them.
func readPieces(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return withoutPath(err)
	}
	defer file.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, maxLine), maxLine)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimRight(lines.Text(), "\r")
		at := strings.LastIndexAny(line, "\t ")
		if at < 1 || strings.Contains(line, "\x00") {
			return fmt.Errorf("line %d: not a piece, a tab and a score", n)
		}
		score := line[at+1:]
		if _, err := strconv.ParseFloat(score, 32); err != nil {
			return fmt.Errorf("line %d: %q is no score", n, shorten(score))
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: longer than %d bytes", n+1, maxLine)
	}
	if n == 0 {
		return errors.New("no pieces")
	}
	return withoutPath(lines.Err())
}
