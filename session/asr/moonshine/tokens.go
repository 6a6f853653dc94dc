package moonshine

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// special is the first of the tokens that are no text: of all sizes and languages the vocabulary
// has that many pieces.
const special = 32000

// tokens are the texts of a model's tokens, by number. Those that stand for no text are empty.
type tokens [][]byte

// readTokens reads the tokens of a model's folder: the published tokenizer.bin, or a list
// tokens.txt with a token in base64 and its number on each line.
func readTokens(dir string) (tokens, error) {
	b, err := os.ReadFile(filepath.Join(dir, "tokenizer.bin"))
	if err == nil {
		return parseTokenizer(b)
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if b, err = os.ReadFile(filepath.Join(dir, "tokens.txt")); err != nil {
		return nil, fmt.Errorf("neither tokenizer.bin nor tokens.txt: %w", err)
	}
	return parseList(string(b))
}

// parseTokenizer reads tokens in the order of their numbers: a length and so many bytes. The length
// is one byte, or two where the first has its top bit set, which then has the lower seven bits.
func parseTokenizer(b []byte) (all tokens, err error) {
	for len(b) > 0 {
		n := int(b[0])
		b = b[1:]
		if n >= 128 && len(b) > 0 {
			n = n&127 + int(b[0])<<7
			b = b[1:]
		}
		if n > len(b) {
			return nil, fmt.Errorf("tokenizer.bin: token %d is cut short", len(all))
		}
		all = append(all, text(b[:n], len(all)))
		b = b[n:]
	}
	return all, nil
}

func parseList(list string) (all tokens, err error) {
	for line := range strings.Lines(list) {
		coded, number, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		b, err := base64.StdEncoding.DecodeString(coded)
		if n, bad := strconv.Atoi(number); err != nil || bad != nil || n != len(all) {
			return nil, fmt.Errorf("tokens.txt: line %d is not a token in base64 and its number", len(all)+1)
		}
		all = append(all, text(b, len(all)))
	}
	return all, nil
}

// text returns the text of a token: SentencePiece's sign becomes a space, and what is no text
// becomes empty.
func text(b []byte, number int) []byte {
	if number <= 2 || number >= special {
		return nil
	}
	return bytes.ReplaceAll(b, []byte("▁"), []byte(" "))
}

// text returns the text of a token; nil for those that the list lacks.
func (t tokens) text(id int) []byte {
	if id < 0 || id >= len(t) {
		return nil
	}
	return t[id]
}

// isByte reports whether a token stands for a single byte whatever the text, of which the others
// are made.
func isByte(id int) bool { return id >= 3 && id < 3+256 }
