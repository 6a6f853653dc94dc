package embedded

import (
	"context"
	"fmt"

	"steno/session/store"
)

// MarkSilence implements store.Live.
func (l *live) MarkSilence(ctx context.Context, at int64) error {
	if err := l.enterCommitted(ctx, "mark silence"); err != nil {
		return err
	}
	defer l.leave()
	if at < 0 {
		return fmt.Errorf("mark silence at %d: %w", at, store.ErrInvalid)
	}
	// A known place is written again, so that one row has changed if the record exists.
	r, err := l.sessions.write.ExecContext(ctx, `INSERT INTO silences (account, record, at)
		SELECT account, n, ? FROM records WHERE n = ?
		ON CONFLICT (record, at) DO UPDATE SET at = excluded.at`, at, l.n)
	return changedOne(r, err, "mark silence", store.ErrNotFound)
}

// Silences implements store.Live.
func (l *live) Silences(ctx context.Context) ([]int64, error) {
	if err := l.enter(ctx, "list silences"); err != nil {
		return nil, err
	}
	defer l.leave()
	rows, err := l.sessions.read.QueryContext(ctx, `SELECT at FROM silences WHERE record = ? ORDER BY at`, l.n)
	return collect(rows, err, "list silences", func(scan scanner) (at int64, err error) {
		err = scan(&at)
		return at, err
	})
}
