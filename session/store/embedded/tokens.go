package embedded

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"steno/messages"
	"steno/session/store"
)

// tokens is the tables of tokens and tickets.
type tokens struct{ *database }

// AddToken implements store.Tokens.
func (t tokens) AddToken(ctx context.Context, token store.Token) error {
	if err := store.CheckToken(token); err != nil {
		return fmt.Errorf("add token: %w", err)
	}
	now := t.now().UnixMilli()
	return t.inTx(ctx, func(tx *sql.Tx) error {
		err := t.makeRoom(ctx, tx, room{
			expire: `DELETE FROM tokens WHERE expires_at <= ?`, count: `SELECT count(*) FROM tokens WHERE key = ?`,
			of: token.Key, limit: store.MaxTokens, now: now,
		})
		if err != nil {
			return fmt.Errorf("add token: %w", err)
		}
		var sessions any
		if token.Sessions != nil {
			list, err := json.Marshal(token.Sessions)
			if err != nil {
				return fmt.Errorf("add token: %w", err)
			}
			sessions = string(list)
		}
		r, err := tx.ExecContext(ctx, `INSERT INTO tokens (`+tokenColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, token.ID, token.Hash, token.Account, token.Key, token.Name, int64(token.Scopes),
			int64(token.Kinds), sessions, token.CreatedAt.UnixMilli(), token.ExpiresAt.UnixMilli())
		return changedOne(r, err, "add token", store.ErrExists)
	})
}

// room describes how a table is kept from growing: expired rows are removed, and an owner has at
// most limit rows.
type room struct {
	expire, count string // statements
	of            []byte // the owner
	limit         int64
	now           int64
}

func (t tokens) makeRoom(ctx context.Context, tx *sql.Tx, r room) error {
	gone, err := tx.ExecContext(ctx, r.expire, r.now)
	if err != nil {
		return err
	}
	if n, err := gone.RowsAffected(); err == nil && n > 0 {
		t.deleted()
	}
	var n int64
	if err := tx.QueryRowContext(ctx, r.count, r.of).Scan(&n); err != nil {
		return err
	}
	if n >= r.limit {
		return store.ErrTooLarge
	}
	return nil
}

// tokenColumns are those of a token, in the order scanToken reads them.
const tokenColumns = `id, hash, account, key, name, scopes, kinds, sessions, created_at, expires_at`

func scanToken(scan scanner) (store.Token, error) {
	var t store.Token
	var kinds, created, expires int64
	var sessions sql.NullString
	err := scan(&t.ID, &t.Hash, &t.Account, &t.Key, &t.Name, &t.Scopes, &kinds, &sessions, &created, &expires)
	if err == nil && sessions.Valid {
		err = json.Unmarshal([]byte(sessions.String), &t.Sessions)
	}
	t.Kinds = messages.Filter(kinds)
	t.CreatedAt, t.ExpiresAt = time.UnixMilli(created).UTC(), time.UnixMilli(expires).UTC()
	return t, err
}

// Token implements store.Tokens.
func (t tokens) Token(ctx context.Context, hash []byte) (store.Token, error) {
	token, err := scanToken(t.read.QueryRowContext(ctx, `SELECT `+tokenColumns+` FROM tokens
		WHERE hash = ? AND expires_at > ?`, hash, t.now().UnixMilli()).Scan)
	if err != nil {
		return store.Token{}, fmt.Errorf("look up token: %w", notFound(err))
	}
	return token, nil
}

// ListTokens implements store.Tokens.
func (t tokens) ListTokens(ctx context.Context, account string) ([]store.Token, error) {
	rows, err := t.read.QueryContext(ctx, `SELECT `+tokenColumns+` FROM tokens
		WHERE account = ? AND expires_at > ? ORDER BY created_at, n`, account, t.now().UnixMilli())
	return collect(rows, err, "list tokens", scanToken)
}

// MissingTokens implements store.Tokens.
func (t tokens) MissingTokens(ctx context.Context, hashes [][]byte) ([][]byte, error) {
	list := make([]string, len(hashes))
	for i, hash := range hashes {
		list[i] = hex.EncodeToString(hash)
	}
	asked, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("look for tokens: %w", err)
	}
	rows, err := t.read.QueryContext(ctx, `SELECT unhex(value) FROM json_each(?) WHERE NOT EXISTS
		(SELECT 1 FROM tokens WHERE hash = unhex(value) AND expires_at > ?)`, string(asked), t.now().UnixMilli())
	return collect(rows, err, "look for tokens", func(scan scanner) (hash []byte, err error) {
		err = scan(&hash)
		return hash, err
	})
}

// RemoveToken implements store.Tokens.
func (t tokens) RemoveToken(ctx context.Context, account, id string) error {
	var expires int64
	err := t.deleting(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `DELETE FROM tokens WHERE account = ? AND id = ? RETURNING expires_at`, account,
			id).Scan(&expires)
	})
	if err == nil {
		t.deleted()
		if expires <= t.now().UnixMilli() {
			err = sql.ErrNoRows
		}
	}
	if err != nil {
		return fmt.Errorf("remove token: %w", notFound(err))
	}
	return nil
}

// AddTicket implements store.Tokens.
func (t tokens) AddTicket(ctx context.Context, ticket store.Ticket) error {
	if len(ticket.Hash) != sha256.Size || len(ticket.Credential) != sha256.Size || ticket.ExpiresAt.IsZero() {
		return fmt.Errorf("add ticket: %w", store.ErrInvalid)
	}
	now := t.now().UnixMilli()
	return t.inTx(ctx, func(tx *sql.Tx) error {
		err := t.makeRoom(ctx, tx, room{
			expire: `DELETE FROM tickets WHERE expires_at <= ?`,
			count:  `SELECT count(*) FROM tickets WHERE credential = ?`,
			of:     ticket.Credential, limit: store.MaxTickets, now: now,
		})
		if err != nil {
			return fmt.Errorf("add ticket: %w", err)
		}
		r, err := tx.ExecContext(ctx, `INSERT INTO tickets (hash, credential, expires_at) VALUES (?, ?, ?)
			ON CONFLICT DO NOTHING`, ticket.Hash, ticket.Credential, ticket.ExpiresAt.UnixMilli())
		return changedOne(r, err, "add ticket", store.ErrExists)
	})
}

// UseTicket implements store.Tokens.
func (t tokens) UseTicket(ctx context.Context, hash []byte) (store.Ticket, error) {
	ticket := store.Ticket{Hash: hash}
	var expires int64
	err := t.write.QueryRowContext(ctx,
		`DELETE FROM tickets WHERE hash = ? AND expires_at > ? RETURNING credential, expires_at`,
		hash, t.now().UnixMilli()).Scan(&ticket.Credential, &expires)
	if err != nil {
		return store.Ticket{}, fmt.Errorf("use ticket: %w", notFound(err))
	}
	ticket.ExpiresAt = time.UnixMilli(expires).UTC()
	return ticket, nil
}
