package valkey

import (
	"context"
	"fmt"
	"strings"
	"time"

	"steno/session/store/blob"
)

var (
	deleteScript = newDurableScript("record_delete", "record", "queue", "outbox", "session", "token", "forget")
	forgetScript = script("record_forget", "record", "queue", "outbox", "session", "token", "forget")
	removeScript = script("removal_done")
)

const (
	// latecomers is how long after a deletion its folder is emptied once more, of what a node was still writing: longer
	// than blob storage lets a call last for what is written to records' folders.
	latecomers = 10 * time.Minute
	// removalTime bounds how long a deletion waits for blob storage; upkeep removes what is left.
	removalTime = 5 * time.Second
	// discardTime bounds how long one who has written objects for nothing waits for their removal, whoever waits for Release.
	discardTime = 2 * time.Second
)

// Delete implements store.Records.
func (t *records) Delete(ctx context.Context, account, id string) error {
	if err := t.remove(ctx, account, id, "finished"); err != nil {
		return fmt.Errorf("delete record: %w", err)
	}
	return nil
}

// Cancel implements store.Records.
func (t *records) Cancel(ctx context.Context, account, id string) error {
	if err := t.remove(ctx, account, id, ""); err != nil {
		return fmt.Errorf("cancel record: %w", err)
	}
	return nil
}

// remove deletes a record on the server, then its blobs. What is left of those when blob storage is away is removed by upkeep.
func (t *records) remove(ctx context.Context, account, id, only string) error {
	m, err := t.writer.run(ctx, deleteScript, account, id, only)
	if err != nil {
		return err
	}
	folders, err := m.AsStrSlice() // the record's, and that of an upload that goes with it
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removalTime)
	defer cancel()
	for _, folder := range folders {
		t.copies.drop(folder)
		if t.server.removeFolder(ctx, t.blobs, folder) != nil {
			break // it stays in the list of removals
		}
	}
	t.upkeep.wake()
	return nil
}

// removeFolder removes the blobs of what was deleted, and what could not be deleted at once of a record.
func (s *server) removeFolder(ctx context.Context, blobs *blob.Bucket, folder string) error {
	for answer := "more"; answer == "more"; {
		kind, rest, _ := strings.Cut(folder, "/")
		if kind != "r" {
			break
		}
		id, _, _ := strings.Cut(rest, "/")
		m, err := s.run(ctx, forgetScript, id, folder)
		if err == nil {
			answer, err = m.ToString()
		}
		if err != nil {
			return fmt.Errorf("remove %s: %w", folder, err)
		}
	}
	if err := blobs.DeletePrefix(ctx, folder); err != nil {
		return fmt.Errorf("remove %s: %w", folder, err)
	}
	if _, err := s.run(ctx, removeScript, folder, duration(latecomers)); err != nil {
		return fmt.Errorf("remove %s: %w", folder, err)
	}
	return nil
}

// discard removes objects that the server does not know of, such as those of a claim that has ended. What it cannot remove goes with
// the record.
func (s *sessions) discard(ctx context.Context, objects ...string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTime)
	defer cancel()
	for _, object := range objects {
		_ = s.blobs.Delete(ctx, object)
	}
}
