package valkey

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/metadata"
)

// records implements store.Records.
type records struct {
	*server
	writer   writer // for what the caller is told is kept
	blobs    *blob.Bucket
	upkeep   *upkeep
	copies   *copies
	sessions *sessions
	window   time.Duration // after which a session without a deadline is due
	lease    time.Duration // after a start of the server, in which holders come back
}

var (
	createScript   = newDurableScript("record_create", "record", "queue", "session")
	tokenScript    = script("record_by_token", "record", "session")
	statusScript   = script("record_set_status", "record")
	patchScript    = newDurableScript("record_patch", "record")
	finishedScript = script("record_finished", "record")
)

// maxTries is how often an idempotent script is run where the server gives no answer.
const maxTries = 3

// persist runs an idempotent script, again where the server gave no answer: connections may have to be made anew.
func (w writer) persist(ctx context.Context, script durableScript, args ...string) error {
	return retried(ctx, maxTries, 100*time.Millisecond, isAway, func() error {
		_, err := w.run(ctx, script, args...)
		return err
	})
}

// newFolder returns the folder of a record's or an upload's blobs, which no other has had. It is short, because a hash
// takes less memory where none of its values is beyond 64 bytes.
func newFolder(kind, id string) string { return kind + "/" + id + "/" + rand.Text()[:12] + "/" }

// Create implements store.Records.
func (t *records) Create(ctx context.Context, r store.Record) error {
	if err := t.create(ctx, r); err != nil {
		return fmt.Errorf("create record: %w", err)
	}
	return nil
}

func (t *records) create(ctx context.Context, r store.Record) error {
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
		deadline = t.ahead(r.Deadline)
	}
	args := []string{r.ID, newFolder("r", r.ID), deadline, duration(t.window), hex.EncodeToString(r.TokenHash), strconv.Itoa(len(indexes))}
	args = append(append(args, indexes...), encodeRecord(r)...)
	return t.writer.persist(ctx, createScript, args...)
}

// Get implements store.Records.
func (t *records) Get(ctx context.Context, account, id string) (store.Record, error) {
	fields, err := t.fields(ctx, id)
	if err == nil && fields["account"] != account {
		err = store.ErrNotFound
	}
	return t.whole(ctx, "get record", id, fields, err)
}

// fields returns the hash of a record, which is empty where there is none.
func (t *records) fields(ctx context.Context, id string) (map[string]string, error) {
	if store.CheckID(id) != nil {
		return nil, nil
	}
	return t.hash(ctx, "record:"+id)
}

// ByToken implements store.Records.
func (t *records) ByToken(ctx context.Context, hash []byte) (store.Record, error) {
	if len(hash) == 0 {
		return store.Record{}, fmt.Errorf("find record by token: %w", store.ErrNotFound)
	}
	m, err := t.look(ctx, tokenScript, hex.EncodeToString(hash), ms(t.lease))
	var id string
	var fields map[string]string
	if err == nil {
		id, fields, err = idAndFields(m)
	}
	return t.whole(ctx, "find record by token", id, fields, err)
}

// idAndFields reads an id and a hash from an answer.
func idAndFields(m valkey.ValkeyMessage) (id string, fields map[string]string, err error) {
	parts, err := m.ToArray()
	if err != nil || len(parts) != 2 {
		return "", nil, fmt.Errorf("read hash of %d parts: %w", len(parts), err)
	}
	if id, err = parts[0].ToString(); err == nil {
		fields, err = parts[1].AsStrMap()
	}
	return id, fields, err
}

// hash is a hash as scripts list it.
type hash struct {
	id     string
	fields map[string]string
}

// hashes runs a script that changes nothing and answers a list of ids, each with the names and values of its fields.
func (s *server) hashes(ctx context.Context, script luaScript, args ...string) ([]hash, error) {
	m, err := s.look(ctx, script, args...)
	if err != nil {
		return nil, err
	}
	rows, err := m.ToArray()
	if err != nil {
		return nil, err
	}
	list := make([]hash, len(rows))
	for i, row := range rows {
		if list[i].id, list[i].fields, err = idAndFields(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// whole makes a record of its hash and of what was archived of it. It takes the error of reading the hash too.
func (t *records) whole(ctx context.Context, what, id string, fields map[string]string, err error) (store.Record, error) {
	if err == nil && fields["account"] == "" {
		err = store.ErrNotFound
	}
	if err == nil {
		err = t.unarchive(ctx, id, fields)
	}
	var r store.Record
	if err == nil {
		r, err = decodeRecord(id, fields)
	}
	if err != nil {
		return store.Record{}, fmt.Errorf("%s: %w", what, err)
	}
	return r, nil
}

// SetStatus implements store.Records.
func (t *records) SetStatus(ctx context.Context, account, id string, status messages.Status) error {
	err := store.ErrInvalid
	if status == messages.StatusQueued || status == messages.StatusProcessing {
		_, err = t.run(ctx, statusScript, account, id, string(status))
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
func (t *records) PatchMetadata(ctx context.Context, account, id string, patch map[string]any) error {
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

func (t *records) patchOnce(ctx context.Context, account, id string, patch map[string]any) (answer string, err error) {
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
	m, err := t.writer.run(ctx, patchScript, account, id, fields["revision"], string(merged))
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

// rowsAtOnce bounds the rows that one script reads.
const rowsAtOnce = 200

// FinishedBefore implements store.Records.
func (t *records) FinishedBefore(ctx context.Context, before time.Time, limit int) ([]store.RecordID, error) {
	var all []store.RecordID
	for skip, more := 0, true; more && len(all) < limit; skip += rowsAtOnce {
		n := min(limit-len(all), rowsAtOnce)
		m, err := t.look(ctx, finishedScript, t.ahead(before), strconv.Itoa(skip), strconv.Itoa(n))
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

// restoreRecord keeps a record anew that the server has forgotten, from its hash. One that is there stays as it is.
func (s *sessions) restoreRecord(ctx context.Context, id string, fields map[string]string) error {
	const nameLength = 22 // see indexNames
	lists := fields["lists"]
	args := []string{
		id, fields["folder"], "", duration(s.window), hex.EncodeToString([]byte(fields["token"])), strconv.Itoa(len(lists) / nameLength),
	}
	for ; len(lists) >= nameLength; lists = lists[nameLength:] {
		args = append(args, lists[:nameLength])
	}
	for name, value := range fields {
		if name != "folder" && name != "lists" {
			args = append(args, name, value)
		}
	}
	if err := s.writer.persist(ctx, createScript, args...); err != nil && !errors.Is(err, store.ErrExists) {
		return fmt.Errorf("restore record: %w", err)
	}
	return nil
}
