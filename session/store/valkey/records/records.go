// Package records keeps the records of a store on a Valkey server: their fields, the lists that
// they are in, their archives in blob storage, and their deletion.
package records

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/metadata"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

// Records implements store.Records.
type Records struct {
	server *server.Conn
	writer server.Writer // for what is reported to the caller as stored
	tier   *tier.Tier
	Options
}

// Options are times, and what other rooms do about a deletion.
type Options struct {
	Window time.Duration // after which a session without a deadline is due
	Lease  time.Duration // after a start of the server, in which holders come back
	// Gone is called with the folders of a record that was deleted and of its upload, before they
	// are emptied; Erase when that was done, as far as blob storage did it.
	Gone  func(folder string)
	Erase func()
}

func New(w server.Writer, t *tier.Tier, o Options) *Records {
	return &Records{w.Conn, w, t, o}
}

var (
	createScript = Scripts.Script("record_create", "record", "queue", "session")
	statusScript = Scripts.Script("record_set_status", "record")
)

// Create implements store.Records.
func (t *Records) Create(ctx context.Context, r store.Record) error {
	if err := t.create(ctx, r); err != nil {
		return fmt.Errorf("create record: %w", err)
	}
	return nil
}

func (t *Records) create(ctx context.Context, r store.Record) error {
	if err := store.CheckRecord(&r); err != nil {
		return err
	}
	values, err := metadata.Values(r.CustomMetadata)
	if err != nil {
		return err
	}
	indexes := indexNames(r.Account, values)
	deadline := "" // a resume window from now
	if !r.Deadline.IsZero() {
		deadline = t.server.Ahead(r.Deadline)
	}
	args := []string{r.ID, tier.NewFolder("r", r.ID), deadline, server.Milliseconds(t.Window),
		hex.EncodeToString(r.TokenHash), server.Decimal(r.MaxSessions), strconv.Itoa(len(indexes))}
	args = append(append(args, indexes...), encodeRecord(r)...)
	return t.writer.Persist(ctx, createScript, args...)
}

// fields returns the hash of a record, which is empty where there is none.
func (t *Records) fields(ctx context.Context, id string) (map[string]string, error) {
	if store.CheckID(id) != nil {
		return nil, nil
	}
	return t.server.Hash(ctx, "record:"+id)
}

// SetStatus implements store.Records.
func (t *Records) SetStatus(ctx context.Context, account, id string, status messages.Status) error {
	err := store.ErrInvalid
	if status == messages.StatusQueued || status == messages.StatusProcessing {
		_, err = t.server.Run(ctx, statusScript, account, id, string(status))
	}
	if err != nil {
		return fmt.Errorf("set status: %w", err)
	}
	return nil
}

// Restore writes a record that the server has lost, from the fields of its hash. One that is there
// stays as it is.
func (t *Records) Restore(ctx context.Context, id string, fields map[string]string) error {
	const nameLength = 22 // see indexNames
	lists := fields["lists"]
	args := []string{
		id, fields["folder"], "", server.Milliseconds(t.Window), hex.EncodeToString([]byte(fields["token"])),
		"0", strconv.Itoa(len(lists) / nameLength),
	}
	for ; len(lists) >= nameLength; lists = lists[nameLength:] {
		args = append(args, lists[:nameLength])
	}
	for name, value := range fields {
		if name != "folder" && name != "lists" {
			args = append(args, name, value)
		}
	}
	if err := t.writer.Persist(ctx, createScript, args...); err != nil && !errors.Is(err, store.ErrExists) {
		return fmt.Errorf("restore record: %w", err)
	}
	return nil
}
