package local

import (
	"bytes"
	"strings"
	"sync"
)

// lineBytes is how much of a line is passed on.
const lineBytes = 2 << 10

// lines is a writer that calls a function with every line. One goroutine at a time uses it.
type lines struct {
	tell func(string)
	line []byte // unfinished, cut to lineBytes
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

// tailBytes is how much of a process's output is kept.
const tailBytes = 4 << 10

// tail is a writer that keeps the end of what is written.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	t.buf = append(t.buf, b[max(0, n-tailBytes):]...)
	if over := len(t.buf) - tailBytes; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(strings.TrimSpace(string(t.buf)), "")
}
