package tier

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

var sessionArchive = Scripts.Script("session_archive", "record", "session")

// Archive moves the events and the audio of a finished session to blob storage: one object each. It
// changes nothing while a handle holds the session, or where something was changed meanwhile:
// ErrClaimed.
func (t *Tier) Archive(ctx context.Context, id string) error {
	if err := t.moveToArchive(ctx, id); err != nil {
		return fmt.Errorf("archive session: %w", err)
	}
	return nil
}

func (t *Tier) moveToArchive(ctx context.Context, id string) error {
	m, err := t.server.Ask(ctx, func(b valkey.Builder) valkey.Completed {
		return b.Hmget().Key(t.server.Prefix+"session:"+id).Field("nonce", "generation", "seq", "size",
			"archive").Build()
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
