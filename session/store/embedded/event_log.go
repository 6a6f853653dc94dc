package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"steno/messages"
	"steno/session/store"
)

// mostTogether is how many events are logged in one transaction at most.
const mostTogether = 64

// eventLog logs the events of all sessions, on one goroutine: those that come while it logs others
// are logged together, and only its stack has to grow as deep as the database needs. It has no
// goroutine before begin and after end.
type eventLog struct {
	database *database
	queue    chan *entry
	ended    chan struct{}
	unused   sync.Pool // of *entry
	eventStatements
}

// eventStatements are the statements of the live path.
type eventStatements struct {
	findPlace, insertEvent, setCheckpoint *sql.Stmt
}

// entry is an event on its way into the log, and what became of it.
type entry struct {
	record     int64
	event      messages.Event
	lane       int // negative: without a checkpoint
	checkpoint []byte

	seq    int64
	fresh  bool
	err    error
	logged chan struct{} // holds a token when it is
}

// newEntry is what unused makes more of.
func newEntry() any { return &entry{logged: make(chan struct{}, 1)} }

// begin starts the goroutine that end ends.
func (l *eventLog) begin(ctx context.Context, db *database) error {
	l.database = db
	if err := l.prepare(ctx); err != nil {
		return err
	}
	l.queue, l.ended, l.unused.New = make(chan *entry, mostTogether), make(chan struct{}), newEntry
	go l.run()
	return nil
}

// prepare prepares the statements of the live path. None of them writes more than one row or has
// RETURNING: SQLite would keep a journal or a table of its own for the time of each such statement,
// which takes longer than the rest.
func (l *eventLog) prepare(ctx context.Context) (err error) {
	for _, p := range []struct {
		at  **sql.Stmt
		sql string
	}{
		{&l.findPlace, `SELECT account,
				1 + max(events_end.number, (SELECT coalesce(max(number), 0) FROM events)),
				(SELECT coalesce(max(seq), 0) + 1 FROM events WHERE record = records.n),
				(SELECT seq FROM events WHERE record = records.n AND key = ?)
			FROM records, events_end WHERE records.n = ?`},
		{&l.insertEvent, `INSERT INTO events (account, number, seq, record, kind, key, body, sum) VALUES (?, ?, ?, ` +
			`?, ?, ?, ?, ?)`},
		{&l.setCheckpoint, `INSERT INTO checkpoints (account, record, lane, body) VALUES (?, ?, ?, ?)
			ON CONFLICT (record, lane) DO UPDATE SET body = excluded.body`},
	} {
		if *p.at, err = l.database.write.PrepareContext(ctx, p.sql); err != nil {
			return fmt.Errorf("prepare statement: %w", err)
		}
	}
	return nil
}

// end waits until all is logged. Nothing is appended during or after it.
func (l *eventLog) end() error {
	if l.queue != nil {
		close(l.queue)
		<-l.ended
	}
	var errs []error
	for _, one := range []*sql.Stmt{l.findPlace, l.insertEvent, l.setCheckpoint} {
		if one != nil {
			errs = append(errs, one.Close())
		}
	}
	return errors.Join(errs...)
}

// append logs an event of a record, and the checkpoint of a lane with it where lane >= 0. It
// returns when they are committed.
func (l *eventLog) append(record int64, event messages.Event, lane int, checkpoint []byte) (seq int64, fresh bool,
	err error) {
	e := l.unused.Get().(*entry)
	e.record, e.event, e.lane, e.checkpoint = record, event, lane, checkpoint
	l.queue <- e
	<-e.logged
	seq, fresh, err = e.seq, e.fresh, e.err
	*e = entry{logged: e.logged}
	l.unused.Put(e)
	return seq, fresh, err
}

func (l *eventLog) run() {
	defer close(l.ended)
	ctx := context.Background() // what waits for an event waits until it is logged
	for batch := make([]*entry, 0, mostTogether); ; {
		first, more := <-l.queue
		if !more {
			return
		}
		batch = l.takeMore(append(batch[:0], first))
		l.log(ctx, batch)
		for i, e := range batch {
			batch[i] = nil
			e.logged <- struct{}{}
		}
	}
}

// takeMore adds to the batch what waits.
func (l *eventLog) takeMore(batch []*entry) []*entry {
	for len(batch) < cap(batch) {
		select {
		case e, more := <-l.queue:
			if !more {
				return batch
			}
			batch = append(batch, e)
		default:
			return batch
		}
	}
	return batch
}

// log logs all of a batch in one transaction, or where that fails each in one of its own, so that
// each has its own error.
func (l *eventLog) log(ctx context.Context, batch []*entry) {
	if len(batch) > 1 && l.together(ctx, batch) == nil {
		return
	}
	for _, e := range batch {
		if err := l.together(ctx, []*entry{e}); err != nil {
			e.err = err
		}
	}
}

// together logs events in one transaction. An event whose record is gone has an error of its own;
// any other undoes them all.
func (l *eventLog) together(ctx context.Context, batch []*entry) error {
	return l.database.inTx(ctx, func(tx *sql.Tx) error {
		statements := l.in(ctx, tx)
		for _, e := range batch {
			if e.err = statements.add(ctx, e); e.err != nil && !errors.Is(e.err, store.ErrNotFound) {
				return e.err
			}
		}
		return nil
	})
}

// in returns the statements in a transaction.
func (s eventStatements) in(ctx context.Context, tx *sql.Tx) eventStatements {
	return eventStatements{tx.StmtContext(ctx, s.findPlace), tx.StmtContext(ctx, s.insertEvent),
		tx.StmtContext(ctx, s.setCheckpoint)}
}

// add logs an event, with its checkpoint where it has one.
func (s eventStatements) add(ctx context.Context, e *entry) error {
	account, err := s.insert(ctx, e)
	if err == nil && e.lane >= 0 {
		_, err = s.setCheckpoint.ExecContext(ctx, account, e.record, e.lane, notNull(e.checkpoint))
	}
	return err
}

// insert logs an event, unless the log has one of the same key. It returns the account that the
// record is of.
func (s eventStatements) insert(ctx context.Context, e *entry) (account string, err error) {
	key := e.event.Key.String()
	var number int64
	var known sql.NullInt64
	err = s.findPlace.QueryRowContext(ctx, key, e.record).Scan(&account, &number, &e.seq, &known)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", store.ErrNotFound
	case err != nil:
		return "", fmt.Errorf("find an event's place: %w", err)
	}
	if e.fresh = !known.Valid; known.Valid {
		e.seq = known.Int64
		return account, nil
	}
	sum := sumOf([]byte(key), e.event.Body)
	_, err = s.insertEvent.ExecContext(ctx, account, number, e.seq, e.record, int64(e.event.Kind), key,
		notNull(e.event.Body), sum)
	if err != nil {
		err = fmt.Errorf("insert event: %w", err)
	}
	return account, err
}

// notNull is an empty text for none.
func notNull(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}
