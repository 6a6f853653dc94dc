package local

import (
	"bytes"
	"strings"
)

// lineBytes is how much of a line is told.
const lineBytes = 2 << 10

// lines is a writer that tells of every line written. One goroutine at a time uses it.
type lines struct {
	tell func(string)
	line []byte // begun, cut to lineBytes
}

func (l *lines) Write(b []byte) (int, error) {
	n := len(b)
	for {
		head, rest, whole := bytes.Cut(b, []byte("\n"))
		l.line = append(l.line, head[:min(len(head), lineBytes-len(l.line))]...)
		if !whole {
			return n, nil
		}
		if text := strings.ToValidUTF8(strings.TrimSpace(string(l.line)), ""); text != "" {
			l.tell(text)
		}
		l.line, b = l.line[:0], rest
	}
}
