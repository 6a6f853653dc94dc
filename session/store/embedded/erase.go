package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"steno/session/retry"
)

const (
	eraseBusy = 100         // milliseconds that the writer waits for readers to leave the log
	eraseRest = time.Second // between two rounds at least; and so many times as long as the round before it took:
	eraseIdle = 20
)

// eraser removes what was deleted from the database's files as well. SQLite itself zeroes the place
// of a row that goes (secure_delete); left are the write-ahead log, which holds the row as it was,
// and copies in pages that rows have moved away from. Deletions that follow each other closely are
// one round's work.
type eraser struct {
	asked atomic.Int64 // deletions so far
	done  atomic.Int64 // of those, the ones that no file has traces of
	wake  *wake        // rung by both
	stop  context.CancelFunc
	ended chan struct{}
}

// startErasing begins with what a process left that was killed. Until stopErasing.
func (d *database) startErasing(ctx context.Context, killed bool) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.eraser = &eraser{wake: newWake(rareRecheck), stop: stop, ended: make(chan struct{})}
	if killed {
		d.eraser.asked.Store(1)
	}
	go d.eraseAll(ctx, d.eraser)
}

// stopErasing does what is left. Where another process is reading, the last one to close the
// database empties the log, and the next to open it does the rest.
func (d *database) stopErasing() error {
	e := d.eraser
	if e == nil {
		return nil
	}
	e.stop()
	<-e.ended
	if e.done.Load() >= e.asked.Load() {
		return nil
	}
	if err := d.erase(context.Background()); !errors.Is(err, errReaders) {
		return err
	}
	return nil
}

// deleted reports that there is something to be erased. A database beside another process's does
// not erase.
func (d *database) deleted() {
	if d.eraser == nil {
		return
	}
	d.eraser.asked.Add(1)
	d.eraser.wake.ring()
}

// eraseAll goes to work whenever something was deleted. A round that failed, where readers were in
// the way or the disk is full, is done again.
func (d *database) eraseAll(ctx context.Context, e *eraser) {
	defer close(e.ended)
	for ctx.Err() == nil {
		rung := e.wake.watch()
		asked := e.asked.Load()
		if e.done.Load() >= asked {
			select {
			case <-ctx.Done():
			case <-rung:
			}
			continue
		}
		began := time.Now()
		if d.erase(ctx) == nil {
			d.ballast.keep()
			e.done.Store(asked)
			e.wake.ring()
		}
		_ = retry.Sleep(ctx, max(eraseRest, eraseIdle*time.Since(began)))
	}
}

// erase is one round.
func (d *database) erase(ctx context.Context) error {
	if err := d.emptyLog(ctx); err != nil {
		return err
	}
	pages, err := d.dirtyPages(ctx)
	if err != nil || len(pages) == 0 {
		return err
	}
	if err := d.cleanPages(ctx, pages); err != nil {
		return err
	}
	return d.emptyLog(ctx)
}

// errReaders means that the write-ahead log could not be emptied now.
var errReaders = errors.New("write-ahead log is being read")

// emptyLog brings all that is in the write-ahead log into the database, and cuts the log to
// nothing. Most of the work is done beside the writer, which is stopped for the rest.
func (d *database) emptyLog(ctx context.Context) error {
	if _, err := d.read.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`); err != nil {
		return fmt.Errorf("empty write-ahead log: %w", err)
	}
	conn, err := d.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("empty write-ahead log: %w", err)
	}
	defer conn.Close()
	if _, err = conn.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, eraseBusy)); err != nil {
		return fmt.Errorf("empty write-ahead log: %w", err)
	}
	var busy, frames, moved int
	err = conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved)
	if err == nil && busy != 0 {
		err = errReaders
	}
	_, back := conn.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf(`PRAGMA busy_timeout = %d`, busyTimeout))
	if err := errors.Join(err, back); err != nil {
		return fmt.Errorf("empty write-ahead log: %w", err)
	}
	return nil
}

// wasKilled tells whether the process that had the database before did not close it.
func wasKilled(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}
