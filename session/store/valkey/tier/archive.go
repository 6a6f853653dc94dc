package tier

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/server"
)

const (
	// maxEventArchive bounds the object that has a session's events, in bytes, before and after it is compressed.
	maxEventArchive = 256 << 20
	// MaxCached bounds the archives whose events are in memory.
	MaxCached = 4
)

// eventArchive is an object that has events of a session up to a number: all of a finished one, or a page.
type eventArchive struct {
	object string
	last   int64
}

var sessionArchive = Scripts.Script("session_archive", "record", "session")

// Archive moves the events and the audio of a finished session to blob storage: one object each. It changes nothing while a
// handle holds the session, or where something was changed meanwhile: ErrClaimed.
func (t *Tier) Archive(ctx context.Context, id string) error {
	if err := t.moveToArchive(ctx, id); err != nil {
		return fmt.Errorf("archive session: %w", err)
	}
	return nil
}

func (t *Tier) moveToArchive(ctx context.Context, id string) error {
	m, err := t.server.Ask(ctx, func(b valkey.Builder) valkey.Completed {
		return b.Hmget().Key(t.server.Prefix+"session:"+id).Field("nonce", "generation", "seq", "size", "archive").Build()
	})
	if err != nil {
		return err
	}
	var r server.Reader
	state := r.Texts(m)
	if r.Err != nil || state[4] != "" {
		return r.Err
	}
	if state[0] != "" {
		return store.ErrClaimed
	}
	found, err := t.server.Field(ctx, "record:"+id, "folder")
	if err != nil || found.IsNil() { // deleted
		return err
	}
	folder, err := found.ToString()
	if err != nil {
		return err
	}
	seq, err := server.ParseInteger(state[2])
	size, sizeErr := server.ParseInteger(state[3])
	if err = errors.Join(err, sizeErr); err != nil || seq == 0 && size == 0 { // as of every pre-recorded job
		return err
	}
	args := []string{id, state[1], state[2], state[3], "", "0", ""}
	var written []string // objects, for nothing unless the server knows of them
	if seq > 0 {
		args[4], args[5] = folder+"events-"+rand.Text(), state[2]
		written = append(written, args[4])
		err = t.archiveEvents(ctx, id, args[4])
	}
	if err == nil && size > 0 {
		whole := Segment{0, size, folder + "journal-" + rand.Text()}
		args[6] = whole.String()
		written = append(written, whole.Object)
		err = t.archiveAudio(ctx, id, whole)
	}
	if err != nil {
		t.Discard(ctx, written...)
		return err
	}
	answer, err := t.server.Run(ctx, sessionArchive, args...)
	if err != nil {
		return err // it may have been done
	}
	done, err := answer.AsInt64()
	if err == nil && done != 1 {
		t.Discard(ctx, written...)
		err = store.ErrClaimed
	}
	return err
}

// archiveEvents writes all events of a session to an object.
func (t *Tier) archiveEvents(ctx context.Context, id, object string) error {
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	for after := int64(0); ; {
		events, err := t.ListEvents(ctx, "", id, after, EventPage)
		if err != nil {
			return err
		}
		for i := range events {
			WriteEvent(w, &events[i])
			after = events[i].Seq
		}
		if len(events) < EventPage {
			break
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("compress events: %w", err)
	}
	return t.Blobs.Put(ctx, object, Section(compressed.Bytes()))
}

// archiveAudio writes the whole journal of a session to an object.
func (t *Tier) archiveAudio(ctx context.Context, id string, whole Segment) error {
	j, err := t.journal(ctx, "", id)
	if err != nil {
		return err
	}
	if j.Tail.End() != whole.End {
		return fmt.Errorf("archive audio: %w: it has grown", store.ErrClaimed)
	}
	return t.Blobs.Put(ctx, whole.Object, io.NewSectionReader(readerAt{ctx, &j}, 0, whole.End))
}

// readerAt makes an io.ReaderAt of a journal.
type readerAt struct {
	ctx     context.Context
	journal *Journal
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) { return r.journal.readAt(r.ctx, p, off) }

// WriteEvent writes an event: number, kind and the lengths of key and body in decimal, a line; then key and body. w keeps the
// first error.
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

// archived returns the events of an archive above a number.
func (t *Tier) archived(ctx context.Context, archive eventArchive, after int64) ([]messages.Event, error) {
	events, ok := t.archives.find(archive.object)
	if !ok {
		compressed, err := t.Blobs.ReadAll(ctx, archive.object, maxEventArchive)
		if err != nil {
			return nil, fmt.Errorf("read archive of events: %w", err)
		}
		if events, err = readArchive(compressed); err != nil {
			return nil, err
		}
		t.archives.add(archive.object, events)
	}
	first, _ := slices.BinarySearchFunc(events, after+1, func(e messages.Event, n int64) int { return int(e.Seq - n) })
	end, _ := slices.BinarySearchFunc(events, archive.last+1, func(e messages.Event, n int64) int { return int(e.Seq - n) })
	return events[first:max(first, end)], nil
}
