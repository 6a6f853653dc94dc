package embedded

import (
	"context"
	"fmt"

	"steno/session"
	"steno/session/store"
)

// AddNote implements store.Live.
func (l *live) AddNote(ctx context.Context, n session.Note) error {
	if err := l.enterCommitted(ctx, "add note"); err != nil {
		return err
	}
	defer l.leave()
	if n.At < 0 || len(n.Body) > session.MaxNote+store.SealRoom {
		return fmt.Errorf("add note at %d: %w", n.At, store.ErrInvalid)
	}
	r, err := l.sessions.write.ExecContext(ctx, `INSERT INTO notes (account, record, number, at, body)
		SELECT account, n, (SELECT coalesce(max(number), 0) + 1 FROM notes WHERE record = n), ?, ?
		FROM records WHERE n = ?`, n.At, append([]byte{}, n.Body...), l.n)
	return changedOne(r, err, "add note", store.ErrNotFound)
}

// Notes implements store.Live.
func (l *live) Notes(ctx context.Context) ([]session.Note, error) {
	if err := l.enter(ctx, "list notes"); err != nil {
		return nil, err
	}
	defer l.leave()
	return l.sessions.notes(ctx, l.n)
}

func (s *sessions) notes(ctx context.Context, n int64) ([]session.Note, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT at, body FROM notes WHERE record = ? ORDER BY number`, n)
	return collect(rows, err, "list notes", func(scan scanner) (n session.Note, err error) {
		err = scan(&n.At, &n.Body)
		return n, err
	})
}
