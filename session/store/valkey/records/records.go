package records

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
	writer server.Writer // for what the caller is told is kept
	tier   *tier.Tier
	Options
}

// Options are times, and what other rooms do about a deletion.
type Options struct {
	Window time.Duration // after which a session without a deadline is due
	Lease  time.Duration // after a start of the server, in which holders come back
	// Gone is called with the folders of a record that was deleted and of its upload, before they are emptied; Erase when that was done, as far
	// as blob storage did it.
	Gone  func(folder string)
	Erase func()
}

func New(w server.Writer, t *tier.Tier, o Options) *Records {
	return &Records{w.Conn, w, t, o}
}

var (
	createScript   = Scripts.Script("record_create", "record", "queue", "session")
	tokenScript    = Scripts.Script("record_by_token", "record", "session")
	statusScript   = Scripts.Script("record_set_status", "record")
	patchScript    = Scripts.Script("record_patch", "record")
	finishedScript = Scripts.Script("record_finished", "record")
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
	args := []string{r.ID, tier.NewFolder("r", r.ID), deadline, server.Milliseconds(t.Window), hex.EncodeToString(r.TokenHash), strconv.Itoa(len(indexes))}
	args = append(append(args, indexes...), encodeRecord(r)...)
	return t.writer.Persist(ctx, createScript, args...)
}

// Get implements store.Records.
func (t *Records) Get(ctx context.Context, account, id string) (store.Record, error) {
	fields, err := t.fields(ctx, id)
	if err == nil && fields["account"] != account {
		err = store.ErrNotFound
	}
	return t.whole(ctx, "get record", id, fields, err)
}

// fields returns the hash of a record, which is empty where there is none.
func (t *Records) fields(ctx context.Context, id string) (map[string]string, error) {
	if store.CheckID(id) != nil {
		return nil, nil
	}
	return t.server.Hash(ctx, "record:"+id)
}

// ByToken implements store.Records.
func (t *Records) ByToken(ctx context.Context, hash []byte) (store.Record, error) {
	if len(hash) == 0 {
		return store.Record{}, fmt.Errorf("find record by token: %w", store.ErrNotFound)
	}
	m, err := t.server.Look(ctx, tokenScript, hex.EncodeToString(hash), server.Milliseconds(t.Lease))
	var id string
	var fields map[string]string
	if err == nil {
		id, fields, err = server.IDAndFields(m)
	}
	return t.whole(ctx, "find record by token", id, fields, err)
}

// whole makes a record of its hash and of what was archived of it. It takes the error of reading the hash too.
func (t *Records) whole(ctx context.Context, what, id string, fields map[string]string, err error) (store.Record, error) {
	if err == nil && fields["account"] == "" {
		err = store.ErrNotFound
	}
	if err == nil {
		err = t.unarchive(ctx, id, fields)
	}
	var r store.Record
	if err == nil {
		r, err = DecodeRecord(id, fields)
	}
	if err != nil {
		return store.Record{}, fmt.Errorf("%s: %w", what, err)
	}
	return r, nil
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

// changed is what patchScript answers where another has changed the record meanwhile.
const changed = "changed"

// PatchMetadata implements store.Records. Objects are merged here, since Lua's JSON loses the difference of [] and {}; the
// server takes the whole where nothing else has changed the record.
func (t *Records) PatchMetadata(ctx context.Context, account, id string, patch map[string]any) error {
	const tries = 50
	answer, err := changed, error(nil)
	for try := 0; err == nil && answer == changed; try++ {
		if try == tries {
			err = fmt.Errorf("%w: the record is changed all the time", store.ErrAway)
			break
		}
		answer, err = t.patchOnce(ctx, account, id, patch)
	}
	if err != nil {
		return fmt.Errorf("patch metadata: %w", err)
	}
	return nil
}

func (t *Records) patchOnce(ctx context.Context, account, id string, patch map[string]any) (answer string, err error) {
	fields, err := t.fields(ctx, id)
	if err == nil && (fields["account"] == "" || fields["account"] != account) {
		err = store.ErrNotFound
	}
	if err == nil && fields["post"] == "" {
		err = t.unarchive(ctx, id, fields)
	}
	if err != nil {
		return "", err
	}
	merged, err := merge(fields["post"], patch)
	if err != nil {
		return "", err
	}
	m, err := t.writer.Run(ctx, patchScript, account, id, fields["revision"], string(merged))
	if err != nil {
		return "", err
	}
	return m.ToString()
}

// merge sets the keys of patch in an object.
func merge(object string, patch map[string]any) ([]byte, error) {
	merged := map[string]json.RawMessage{}
	err := json.Unmarshal([]byte(object), &merged)
	if err != nil {
		return nil, fmt.Errorf("read what is there: %w", err)
	}
	for k, v := range patch {
		if merged[k], err = json.Marshal(v); err != nil {
			return nil, fmt.Errorf("%w: %w", store.ErrInvalid, err)
		}
	}
	whole, err := json.Marshal(merged)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	if len(whole) > store.MaxMetadata {
		return nil, store.ErrTooLarge
	}
	return whole, nil
}

// FinishedBefore implements store.Records.
func (t *Records) FinishedBefore(ctx context.Context, before time.Time, limit int) ([]store.RecordID, error) {
	var all []store.RecordID
	for skip, more := 0, true; more && len(all) < limit; skip += server.MaxRows {
		n := min(limit-len(all), server.MaxRows)
		m, err := t.server.Look(ctx, finishedScript, t.server.Ahead(before), strconv.Itoa(skip), strconv.Itoa(n))
		if err != nil {
			return nil, fmt.Errorf("list finished records: %w", err)
		}
		pairs, err := m.AsStrSlice()
		if err != nil {
			return nil, fmt.Errorf("list finished records: %w", err)
		}
		for pair := range slices.Chunk(pairs, 2) {
			all = append(all, store.RecordID{Account: pair[0], ID: pair[1]})
		}
		more = len(pairs) == 2*n
	}
	return all, nil
}

// Restore keeps a record anew that the server has forgotten, from its hash. One that is there stays as it is.
func (t *Records) Restore(ctx context.Context, id string, fields map[string]string) error {
	const nameLength = 22 // see indexNames
	lists := fields["lists"]
	args := []string{
		id, fields["folder"], "", server.Milliseconds(t.Window), hex.EncodeToString([]byte(fields["token"])), strconv.Itoa(len(lists) / nameLength),
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
