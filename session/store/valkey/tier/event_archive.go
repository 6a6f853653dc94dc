package tier

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"sync"

	"steno/messages"
	"steno/session/store"
)

const (
	// maxEventArchive bounds the object that has a session's events, in bytes, before and after it
	// is compressed.
	maxEventArchive = 256 << 20
	// MaxCached bounds the archives whose events are in memory.
	MaxCached = 4
)

// eventArchive is an object that has events of a session up to a number: all of a finished one, or
// a page.
type eventArchive struct {
	object string
	last   int64
}

// WriteEvent writes an event: number, kind and the lengths of key and body in decimal, a line; then
// key and body. w keeps the first error.
func WriteEvent(w io.Writer, e *messages.Event) {
	key := e.Key.String()
	fmt.Fprintf(w, "%d %d %d %d\n%s%s", e.Seq, e.Kind, len(key), len(e.Body), key, e.Body)
}

// readArchive reads what writeEvent has written.
func readArchive(compressed []byte) (list []messages.Event, err error) {
	unzip, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("read archive of events: %w", err)
	}
	r := bufio.NewReader(io.LimitReader(unzip, maxEventArchive))
	for {
		e, err := readArchivedEvent(r)
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read archive of events: %w", err)
		}
		list = append(list, e)
	}
}

// readArchivedEvent returns io.EOF where nothing follows.
func readArchivedEvent(r *bufio.Reader) (messages.Event, error) {
	if _, err := r.Peek(1); err != nil {
		return messages.Event{}, err
	}
	line, err := r.ReadString('\n')
	if err != nil {
		return messages.Event{}, fmt.Errorf("cut short: %w", io.ErrUnexpectedEOF)
	}
	var seq int64
	var kind, keyLength, bodyLength int
	if _, err := fmt.Sscanf(line, "%d %d %d %d", &seq, &kind, &keyLength, &bodyLength); err != nil {
		return messages.Event{}, err
	}
	if min(keyLength, bodyLength) < 0 || max(keyLength, bodyLength) > maxEventArchive {
		return messages.Event{}, store.ErrTooLarge
	}
	text := make([]byte, keyLength+bodyLength)
	if _, err := io.ReadFull(r, text); err != nil {
		return messages.Event{}, fmt.Errorf("cut short: %w", io.ErrUnexpectedEOF)
	}
	key := messages.ParseKey(messages.Kind(kind), string(text[:keyLength]))
	return messages.Event{Seq: seq, Key: key, Body: text[keyLength:]}, nil
}

// archives are the events of the archives read last. Objects never change.
type archives struct {
	mu     sync.Mutex
	cached []cachedArchive // oldest first
}

type cachedArchive struct {
	object string
	events []messages.Event
}

func (a *archives) find(object string) ([]messages.Event, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.cached, func(c cachedArchive) bool { return c.object == object })
	if i < 0 {
		return nil, false
	}
	return a.cached[i].events, true
}

func (a *archives) add(object string, events []messages.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.cached) == MaxCached {
		a.cached = slices.Delete(a.cached, 0, 1)
	}
	a.cached = append(a.cached, cachedArchive{object, events})
}
