package embedded

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/metadata"
)

// columns are those of a record, in the order scanRecord reads them.
const columns = `id, account, kind, status, version, created_at, completed_at, stopped, socket, callback, token_hash,
	error_code, seconds, channels, custom_metadata, post_session_metadata, params, result, upload, error_message, key_hash,
	languages, warnings, losses, result_sum, transient, stripped, grace, callback_auth`

// records implements store.Records, except for deletions, which take files away as well.
type records struct {
	*database
	queued       *wake         // rung when a job enters the queue
	resumeWindow time.Duration // after which a session without a deadline is due
}

// Create implements store.Records.
func (t *records) Create(ctx context.Context, r store.Record) error {
	if r.Deadline.IsZero() {
		r.Deadline = t.now().Add(t.resumeWindow)
	}
	err := t.inTx(ctx, func(tx *sql.Tx) error { return createIn(ctx, tx, &r) })
	if err != nil {
		return fmt.Errorf("create record: %w", err)
	}
	if r.Kind == messages.JobPreRecorded {
		t.queued.ring()
	}
	return nil
}

func createIn(ctx context.Context, tx *sql.Tx, r *store.Record) error {
	if err := store.CheckRecord(r); err != nil {
		return err
	}
	values, err := metadata.Values(r.CustomMetadata)
	if err != nil {
		return err
	}
	if err := checkUpload(ctx, tx, r.Account, r.Upload); err != nil {
		return err
	}
	if err := checkSessions(ctx, tx, r.Account, r.MaxSessions); err != nil {
		return err
	}
	n, err := insertRecord(ctx, tx, r)
	if err != nil {
		return err
	}
	if r.Kind == messages.JobPreRecorded && !r.Finished() {
		if err := queueIn(ctx, tx, r, n); err != nil {
			return err
		}
	}
	for _, m := range values {
		_, err := tx.ExecContext(ctx, `INSERT INTO metadata (account, path, value, created_at, record)
			VALUES (?, ?, ?, ?, ?)`, r.Account, m.Path, m.Form, r.CreatedAt.UnixMilli(), n)
		if err != nil {
			return fmt.Errorf("keep metadata: %w", err)
		}
	}
	return nil
}

func insertRecord(ctx context.Context, tx *sql.Tx, r *store.Record) (n int64, err error) {
	var completed *int64
	if r.CompletedAt != nil {
		at := r.CompletedAt.UnixMilli()
		completed = &at
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO records (`+columns+`, deadline)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''), ?, ?, ?, NULL, ?, ?, 0, ?, ?, ?)
		ON CONFLICT DO NOTHING RETURNING n`,
		r.ID, r.Account, r.Kind, r.Status, r.Version, r.CreatedAt.UnixMilli(), completed, r.Stopped,
		int64(r.Socket), int64(r.Callback), r.TokenHash, r.ErrorCode, r.Seconds, r.Channels,
		text(r.CustomMetadata), text(r.PostSessionMetadata), text(r.Params), text(r.Result), r.Upload, r.ErrorMessage,
		r.Key,
		text(r.Languages), text(r.Warnings), resultSum(r.Result), r.Transient, r.Grace.Milliseconds(), r.CallbackAuth,
		r.Deadline.UnixMilli()).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrExists
	}
	return n, err
}

// text is JSON as SQLite's text, null where there is none.
func text(j json.RawMessage) any {
	if j == nil {
		return nil
	}
	return string(j)
}

// resultSum is the checksum of a result, null where there is none.
func resultSum(result json.RawMessage) any {
	if result == nil {
		return nil
	}
	return sumOf(result)
}

func scanRecord(scan scanner) (store.Record, error) {
	var r store.Record
	var created, socket, callback, grace int64
	var completed sql.NullInt64
	var custom, result, upload, message, languages, warnings, losses sql.NullString
	var sum sql.NullInt64
	var post, params string
	err := scan(&r.ID, &r.Account, &r.Kind, &r.Status, &r.Version, &created, &completed, &r.Stopped, &socket, &callback,
		&r.TokenHash, &r.ErrorCode, &r.Seconds, &r.Channels, &custom, &post, &params, &result, &upload, &message,
		&r.Key,
		&languages, &warnings, &losses, &sum, &r.Transient, &r.Stripped, &grace, &r.CallbackAuth)
	if err != nil {
		return store.Record{}, err
	}
	r.Grace = time.Duration(grace) * time.Millisecond
	if r.Losses, err = readLosses(losses); err != nil {
		return store.Record{}, err
	}
	if result.Valid && !fits(sum, []byte(result.String)) {
		r.Damaged, result.Valid = true, false
	}
	r.CreatedAt = time.UnixMilli(created).UTC()
	if completed.Valid {
		at := time.UnixMilli(completed.Int64).UTC()
		r.CompletedAt = &at
	}
	r.Upload, r.ErrorMessage = upload.String, message.String
	r.Socket, r.Callback = messages.Filter(socket), messages.Filter(callback)
	r.PostSessionMetadata, r.Params = json.RawMessage(post), json.RawMessage(params)
	for _, optional := range []struct {
		from sql.NullString
		into *json.RawMessage
	}{{custom, &r.CustomMetadata}, {result, &r.Result}, {languages, &r.Languages}, {warnings, &r.Warnings}} {
		if optional.from.Valid {
			*optional.into = json.RawMessage(optional.from.String)
		}
	}
	return r, nil
}

// Get implements store.Records.
func (t *records) Get(ctx context.Context, account, id string) (store.Record, error) {
	return t.one(ctx, "get record", `account = ? AND id = ?`, account, id)
}

// ByToken implements store.Records.
func (t *records) ByToken(ctx context.Context, hash []byte) (store.Record, error) {
	return t.one(ctx, "find record by token", `token_hash = ?`, hash)
}

func (t *records) one(ctx context.Context, what, where string, args ...any) (store.Record, error) {
	row := t.read.QueryRowContext(ctx, `SELECT `+columns+` FROM records WHERE `+where, args...)
	r, err := scanRecord(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.Record{}, fmt.Errorf("%s: %w", what, err)
	}
	if r.Damaged {
		t.damage.note(r.ID, "the result is damaged", false)
	}
	return r, nil
}

// SetStatus implements store.Records.
func (t *records) SetStatus(ctx context.Context, account, id string, status messages.Status) error {
	if status != messages.StatusQueued && status != messages.StatusProcessing {
		return fmt.Errorf("set status: %w", store.ErrInvalid)
	}
	return t.inTx(ctx, func(tx *sql.Tx) error {
		n, finished, err := lookUp(ctx, tx, account, id)
		if err == nil && finished {
			err = store.ErrFinished
		}
		if err == nil {
			r, err := tx.ExecContext(ctx, `UPDATE records SET status = ? WHERE n = ? AND kind = 'live'`, status, n)
			return changedOne(r, err, "set status", store.ErrInvalid)
		}
		if err != nil {
			return fmt.Errorf("set status: %w", err)
		}
		return nil
	})
}

// lookUp finds the account's record in a transaction.
func lookUp(ctx context.Context, tx *sql.Tx, account, id string) (n int64, finished bool, err error) {
	err = tx.QueryRowContext(ctx, `SELECT n, status IN ('done', 'error') FROM records WHERE account = ? AND id = ?`,
		account, id).Scan(&n, &finished)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	return n, finished, err
}

// ChangeMetadata implements store.Records. The change is made outside of a transaction: it may ask
// the store for keys.
func (t *records) ChangeMetadata(ctx context.Context, account, id string, change store.MetadataChange) error {
	for {
		changed, err := t.changeOnce(ctx, account, id, change)
		if err != nil {
			return fmt.Errorf("change metadata: %w", err)
		}
		if changed {
			return nil
		}
	}
}

// changeOnce returns false where another has changed the metadata meanwhile.
func (t *records) changeOnce(ctx context.Context, account, id string, change store.MetadataChange) (bool, error) {
	var old string
	err := t.read.QueryRowContext(ctx, `SELECT post_session_metadata FROM records WHERE account = ? AND id = ?`,
		account, id).Scan(&old)
	if errors.Is(err, sql.ErrNoRows) {
		return false, store.ErrNotFound
	}
	if err != nil {
		return false, err
	}
	object, err := change(json.RawMessage(old))
	if err == nil {
		err = store.CheckMetadata(object)
	}
	if err != nil {
		return false, err
	}
	r, err := t.write.ExecContext(ctx, `UPDATE records SET post_session_metadata = ?
		WHERE account = ? AND id = ? AND post_session_metadata = ?`, string(object), account, id, old)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}

// finishIn keeps an outcome, the first for its record. Seconds may be nil: not known.
func (d *database) finishIn(ctx context.Context, tx *sql.Tx, n int64, o store.Outcome, seconds *float64) error {
	status, code := messages.StatusDone, sql.NullInt64{}
	if o.ErrorCode != 0 {
		status, code = messages.StatusError, sql.NullInt64{Int64: int64(o.ErrorCode), Valid: true}
	}
	r, err := tx.ExecContext(ctx, `UPDATE records SET status = ?, completed_at = ?, error_code = ?,
		error_message = nullif(?, ''), result = ?, result_sum = ?, seconds = ?, channels = coalesce(nullif(?, 0), channels)
		WHERE n = ? AND status NOT IN ('done', 'error')`,
		status, d.now().UnixMilli(), code, o.Message, text(o.Result), resultSum(o.Result), seconds, o.Channels, n)
	if err := changedOne(r, err, "keep outcome", store.ErrFinished); err != nil {
		return err
	}
	// no process continues the session, and checkpoints may hold what its finals hide
	if _, err := tx.ExecContext(ctx, `DELETE FROM checkpoints WHERE record = ?`, n); err != nil {
		return fmt.Errorf("remove checkpoints: %w", err)
	}
	return d.useIn(ctx, tx, n, o.Use)
}
