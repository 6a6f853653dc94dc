package records

import (
	"context"
	"encoding/hex"
	"fmt"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

var tokenScript = Scripts.Script("record_by_token", "record", "session")

// Get implements store.Records.
func (t *Records) Get(ctx context.Context, account, id string) (store.Record, error) {
	fields, err := t.fields(ctx, id)
	if err == nil && fields["account"] != account {
		err = store.ErrNotFound
	}
	return t.whole(ctx, "get record", id, fields, err)
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

// whole makes a record of its hash and of what was archived of it. It takes the error of reading
// the hash too.
func (t *Records) whole(
	ctx context.Context, what, id string, fields map[string]string, err error,
) (store.Record, error) {
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
