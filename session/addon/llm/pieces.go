package llm

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"steno/session/panics"
)

// Transcript is the input of a task.
type Transcript struct {
	// Language is its code; empty: not known.
	Language  string
	Sentences []Sentence
}

// Sentence is one of a transcript, or an utterance, or whatever the caller counts.
type Sentence struct {
	Text    string
	Speaker *int // nil: not known
}

const (
	// maxPieces bounds the requests for one task on one text, apart from those that put their
	// answers together.
	maxPieces = 200
	// maxRewrite bounds the characters of a piece about whose every sentence something is to be
	// said: answers must be able to be as long as their texts, and models lose count of long lists.
	maxRewrite = 6000
	// maxItems bounds the items of a piece.
	maxItems = 400
	// maxRewriteItems bounds them where something is to be said about each.
	maxRewriteItems = 60
)

// Item is a sentence, or a part of one that is too long for a Piece, as the model sees it.
type Item struct {
	N       int    `json:"n"` // from 0 in each piece
	Speaker *int   `json:"speaker,omitempty"`
	Text    string `json:"text"`

	Sentence int `json:"-"` // index in the transcript
	Offset   int `json:"-"` // of the text in that of the sentence, in bytes
}

// Piece is as much of a transcript as goes into one request: at least one item.
type Piece []Item

// Pieces cuts sentences into pieces for a task about the whole of them.
func (c *Client) Pieces(sentences []Sentence) ([]Piece, error) {
	return c.pieces(sentences, c.config.MaxInput, maxItems)
}

// ShortPieces cuts sentences into pieces for a task whose answer has something for each of them.
func (c *Client) ShortPieces(sentences []Sentence) ([]Piece, error) {
	return c.pieces(sentences, min(c.config.MaxInput, maxRewrite), maxRewriteItems)
}

// pieces cuts a transcript into pieces of so many characters and items, at most.
func (c *Client) pieces(sentences []Sentence, characters, items int) ([]Piece, error) {
	var all []Piece
	var last Piece
	size := 0
	for i, s := range sentences {
		for offset := 0; offset < len(s.Text); {
			part := s.Text[offset : offset+cutPoint(s.Text[offset:], characters)]
			n := utf8.RuneCountInString(part)
			if len(last) > 0 && (size+n > characters || len(last) == items) {
				all, last, size = append(all, last), nil, 0
			}
			if strings.TrimSpace(part) != "" {
				last = append(last, Item{N: len(last), Speaker: s.Speaker, Text: part, Sentence: i, Offset: offset})
				size += n
			}
			offset += len(part)
		}
	}
	if len(last) > 0 {
		all = append(all, last)
	}
	if len(all) > maxPieces {
		return nil, c.caller.Fault(http.StatusRequestEntityTooLarge, "TooLong",
			"cannot take a text of this length", nil)
	}
	return all, nil
}

// cutPoint is where to cut a text of more than so many characters, in bytes: after a space if there
// is one in the second half. A shorter text stays whole.
func cutPoint(s string, characters int) int {
	n, space := 0, 0
	for i, r := range s {
		if n == characters {
			if space > i/2 {
				return space
			}
			return i
		}
		n++
		if unicode.IsSpace(r) {
			space = i + utf8.RuneLen(r)
		}
	}
	return len(s)
}

// each runs f for 0..n-1, as many at a time as requests are made, and returns when all have ended.
// After the first error, which it returns, no more begin and the context of the others ends.
func (c *Client) each(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var workers sync.WaitGroup
	next := make(chan int)
	for range min(n, c.caller.Concurrency()) {
		workers.Go(func() {
			for i := range next {
				if err := panics.Catch(func() error { return f(ctx, i) }); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := range n {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

// Gather runs f for each piece, several at a time, and returns the results in order, or the first
// error.
func Gather[A any](ctx context.Context, c *Client, pieces []Piece, f func(ctx context.Context, p Piece) (A,
	error)) ([]A, error) {
	all := make([]A, len(pieces))
	err := c.each(ctx, len(pieces), func(ctx context.Context, i int) (err error) {
		all[i], err = f(ctx, pieces[i])
		return err
	})
	return all, err
}

// Cut is a text of at most so many bytes.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// Line is a text without control characters, on one line.
func Line(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) ||
			unicode.IsControl(r)
	}), " ")
}

// Page is a text without control characters but ends of lines.
func Page(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRightFunc(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\t' {
				return -1
			}
			return r
		}, l), unicode.IsSpace)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// Within reports whether a text has 1 to most characters.
func Within(s string, most int) bool {
	return s != "" && utf8.RuneCountInString(s) <= most
}

// Partial is a text of summaries. Each is cut so that there are at most half as many pieces of them
// as before.
func Partial(parts []string, characters int) []Sentence {
	sentences := make([]Sentence, len(parts))
	for i, part := range parts {
		sentences[i].Text = part[:cutPoint(part, characters/2)]
	}
	return sentences
}

// InLanguage is the part of a prompt that names a language; empty if it is not known.
func InLanguage(code string) string {
	if code == "" || len(code) > 8 {
		return ""
	}
	return fmt.Sprintf(", which is %q in ISO 639", code)
}
