package embedded

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"steno/session"
	"steno/session/store"
)

// maxDamages bounds what is remembered of damage. What is found beyond is as a rule the same
// disk's.
const maxDamages = 1000

// damages are what was found not to be as it was written. The methods may be called from any
// goroutine.
type damages struct {
	mu    sync.Mutex
	known map[store.Damage]bool
	list  []store.Damage
}

// note remembers a damage, once.
func (d *damages) note(session, what string, fatal bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	one := store.Damage{Session: session, What: what, Fatal: fatal}
	if d.known[one] || len(d.list) >= maxDamages && !fatal {
		return
	}
	if d.known == nil {
		d.known = map[store.Damage]bool{}
	}
	d.known[one] = true
	d.list = append(d.list, one)
}

// all lists what was found.
func (d *damages) all() []store.Damage {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.list[:len(d.list):len(d.list)]
}

// sumOf is the checksum that is kept beside texts.
func sumOf(texts ...[]byte) (sum uint32) {
	for _, t := range texts {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), t)
	}
	return sum
}

// fits reports whether texts have a checksum; without one they are taken as they are.
func fits(sum sql.NullInt64, texts ...[]byte) bool {
	return !sum.Valid || uint32(sum.Int64) == sumOf(texts...)
}

// asDamage wraps an error of SQLite in ErrDamaged if it means that a file is not a whole database.
func asDamage(err error) error {
	var failed *sqlite.Error
	if errors.As(err, &failed) && (failed.Code()&0xFF == sqlite3.SQLITE_CORRUPT || failed.Code()&0xFF ==
		sqlite3.SQLITE_NOTADB) {
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return err
}

// loss is session.Loss as it is kept.
type loss struct {
	From int64 `json:"from"`
}

// readLosses reads what is kept of losses. They are numbered by their order.
func readLosses(text sql.NullString) (list []session.Loss, err error) {
	if !text.Valid {
		return nil, nil
	}
	var kept []loss
	if err := json.Unmarshal([]byte(text.String), &kept); err != nil {
		return nil, fmt.Errorf("read losses: %w", err)
	}
	for i, l := range kept {
		list = append(list, session.Loss{Number: int64(i + 1), From: l.From})
	}
	return list, nil
}

// addLoss remembers that a session's journal has lost what followed a place, unless that is known,
// and returns its losses.
func (d *database) addLoss(ctx context.Context, id string, from int64) (list []session.Loss, err error) {
	err = d.inTx(ctx, func(tx *sql.Tx) error {
		var text sql.NullString
		if err := tx.QueryRowContext(ctx, `SELECT losses FROM records WHERE id = ?`, id).Scan(&text); err != nil {
			return err
		}
		if list, err = readLosses(text); err != nil {
			return err
		}
		kept := make([]loss, 0, len(list)+1)
		for _, l := range list {
			if l.From == from {
				return nil
			}
			kept = append(kept, loss{l.From})
		}
		list = append(list, session.Loss{Number: int64(len(list) + 1), From: from})
		whole, err := json.Marshal(append(kept, loss{from}))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE records SET losses = ? WHERE id = ?`, string(whole), id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("remember a loss: %w", err)
	}
	return list, nil
}
