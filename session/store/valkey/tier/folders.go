package tier

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"steno/session/store/valkey/server"
)

var forgetScript = Scripts.Script("record_forget", "record", "queue", "outbox", "session", "token", "forget")

var removeScript = Scripts.Script("removal_done")

const (
	// Latecomers is how long after a deletion its folder is emptied once more, of what a node was
	// still writing: longer than blob storage lets a call last for what is written to records'
	// folders.
	Latecomers = 10 * time.Minute
	// RemovalTime bounds how long a deletion waits for blob storage; upkeep removes what is left.
	RemovalTime = 5 * time.Second
)

// RemoveFolder removes the blobs of what was deleted, and what could not be deleted with a record.
func (t *Tier) RemoveFolder(ctx context.Context, folder string) error {
	for answer := "more"; answer == "more"; {
		kind, rest, _ := strings.Cut(folder, "/")
		if kind != "r" {
			break
		}
		id, _, _ := strings.Cut(rest, "/")
		m, err := t.server.Run(ctx, forgetScript, id, folder)
		if err == nil {
			answer, err = m.ToString()
		}
		if err != nil {
			return fmt.Errorf("remove %s: %w", folder, err)
		}
	}
	if err := t.Blobs.DeletePrefix(ctx, folder); err != nil {
		return fmt.Errorf("remove %s: %w", folder, err)
	}
	if _, err := t.server.Run(ctx, removeScript, folder, server.Milliseconds(Latecomers)); err != nil {
		return fmt.Errorf("remove %s: %w", folder, err)
	}
	return nil
}

// NewFolder returns the folder of a record's or an upload's blobs, which no other has had. It is
// short, because a hash takes less memory where none of its values is beyond 64 bytes.
func NewFolder(kind, id string) string { return kind + "/" + id + "/" + rand.Text()[:12] + "/" }

// Remove removes the folders of what was just deleted, as far as blob storage does that soon; else
// they stay in the list of removals, and upkeep removes them.
func (t *Tier) Remove(ctx context.Context, folders ...string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), RemovalTime)
	defer cancel()
	for _, folder := range folders {
		if t.RemoveFolder(ctx, folder) != nil {
			return
		}
	}
}
