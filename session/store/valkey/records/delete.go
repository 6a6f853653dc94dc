package records

import (
	"context"
	"fmt"
)

var (
	deleteScript = Scripts.Script("record_delete", "record", "queue", "outbox", "session", "token", "forget",
		"erasure")
)

// Delete implements store.Records.
func (t *Records) Delete(ctx context.Context, account, id string) error {
	if err := t.remove(ctx, account, id, "finished"); err != nil {
		return fmt.Errorf("delete record: %w", err)
	}
	return nil
}

// Cancel implements store.Records.
func (t *Records) Cancel(ctx context.Context, account, id string) error {
	if err := t.remove(ctx, account, id, ""); err != nil {
		return fmt.Errorf("cancel record: %w", err)
	}
	return nil
}

// remove deletes a record on the server, then its blobs. What is left of those when blob storage is
// away is removed by upkeep.
func (t *Records) remove(ctx context.Context, account, id, only string) error {
	mark, err := t.server.EraseMark(ctx, id, 0)
	if err != nil {
		return err
	}
	m, err := t.writer.Run(ctx, deleteScript, account, id, only, mark)
	if err != nil {
		return err
	}
	folders, err := m.AsStrSlice() // the record's, and that of an upload that goes with it
	if err != nil {
		return err
	}
	for _, folder := range folders {
		t.Gone(folder)
	}
	t.tier.Remove(ctx, folders...)
	t.Erase()
	return nil
}
