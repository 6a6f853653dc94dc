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

// eventLog logs the events of all sessions, on one goroutine: those that come while it logs others are logged together, and only
// its stack has to grow as deep as the database needs. It has no goroutine before begin and after end.
type eventLog struct {
	database *database
	queue    chan *entry
	ended    chan struct{}
	unused   sync.Pool // of *entry

	insertEvent, knownEvent, setCheckpoint *sql.Stmt
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

// prepare prepares the statements of the live path.
func (l *eventLog) prepare(ctx context.Context) (err error) {
	for _, p := range []struct {
		at  **sql.Stmt
		sql string
	}{
		{&l.insertEvent, `INSERT INTO events (number, account, record, seq, kind, key, body)
			SELECT 1 + max(events_end.number, (SELECT coalesce(max(number), 0) FROM events)), account, records.n,
				(SELECT coalesce(max(seq), 0) + 1 FROM events WHERE record = records.n), ?, ?, ?
			FROM records, events_end WHERE records.n = ?
			ON CONFLICT (record, key) DO NOTHING RETURNING seq`},
		{&l.knownEvent, `SELECT seq FROM events WHERE record = ? AND key = ?`},
		{&l.setCheckpoint, `INSERT INTO checkpoints (account, record, lane, body)
			SELECT account, n, ?, ? FROM records WHERE n = ?
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
	for _, one := range []*sql.Stmt{l.insertEvent, l.knownEvent, l.setCheckpoint} {
		if one != nil {
			errs = append(errs, one.Close())
		}
	}
	return errors.Join(errs...)
}

// append logs an event of a record, and the checkpoint of a lane with it where lane >= 0. It returns when they are committed.
func (l *eventLog) append(record int64, event messages.Event, lane int, checkpoint []byte) (seq int64, fresh bool, err error) {
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

// log logs all of a batch in one transaction, or where that fails each on its own, so that each has its own error.
func (l *eventLog) log(ctx context.Context, batch []*entry) {
	if len(batch) > 1 && l.together(ctx, batch) == nil {
		return
	}
	for _, e := range batch {
		if e.lane < 0 {
			e.err = l.insert(ctx, nil, e)
		} else if err := l.together(ctx, []*entry{e}); err != nil {
			e.err = err
		}
	}
}

// together logs events in one transaction. An event whose record is gone has an error of its own; any other undoes them all.
func (l *eventLog) together(ctx context.Context, batch []*entry) error {
	return l.database.inTx(ctx, func(tx *sql.Tx) error {
		for _, e := range batch {
			if e.err = l.insert(ctx, tx, e); errors.Is(e.err, store.ErrNotFound) {
				continue
			}
			if e.err == nil && e.lane >= 0 {
				_, e.err = tx.StmtContext(ctx, l.setCheckpoint).ExecContext(ctx, e.lane, notNull(e.checkpoint), e.record)
			}
			if e.err != nil {
				return e.err
			}
		}
		return nil
	})
}

// insert logs an event, or finds the one of the same key. Its statements are of tx; nil: each is a transaction of its own.
func (l *eventLog) insert(ctx context.Context, tx *sql.Tx, e *entry) (err error) {
	key := e.event.Key.String()
	e.seq, err = number(in(ctx, tx, l.insertEvent).QueryContext(ctx, int64(e.event.Kind), key, notNull(e.event.Body), e.record))
	if e.fresh = err == nil; !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	e.seq, err = number(in(ctx, tx, l.knownEvent).QueryContext(ctx, e.record, key))
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound // neither new nor known: the record is gone
	}
	return err
}

// in returns a statement in a transaction, where there is one.
func in(ctx context.Context, tx *sql.Tx, statement *sql.Stmt) *sql.Stmt {
	if tx == nil {
		return statement
	}
	return tx.StmtContext(ctx, statement)
}

// notNull is an empty text for none.
func notNull(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// number is the one number of a statement's one row, or sql.ErrNoRows. It reads to the end, where a statement without a
// transaction is committed: before, an error of that is not known.
func number(rows *sql.Rows, err error) (int64, error) {
	all, err := collect(rows, err, "log event", func(scan scanner) (n int64, err error) {
		err = scan(&n)
		return n, err
	})
	if err == nil && len(all) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return 0, err
	}
	return all[0], nil
}
