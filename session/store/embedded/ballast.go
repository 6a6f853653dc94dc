package embedded

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ballastBytes is how much of the disk is kept for deletions: these are written to the database's
// log before they free anything.
const ballastBytes = 16 << 20

// ballast is a file that takes room on the disk until a deletion needs that.
type ballast struct{ path string }

// keep makes the file, unless it is there. Where that much is not free, there is none until it is.
func (b ballast) keep() {
	if info, err := os.Stat(b.path); b.path == "" || err == nil && info.Size() == ballastBytes {
		return
	}
	f, err := os.OpenFile(b.path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return
	}
	if err := errors.Join(takeRoom(f, ballastBytes), f.Close()); err != nil {
		_ = os.Remove(b.path) // tried again with the next deletion
	}
}

// drop removes the file, and reports whether it was there.
func (b ballast) drop() bool { return b.path != "" && os.Remove(b.path) == nil }

// deleting runs a transaction that deletes. On a full disk it is run again in the room of the
// ballast.
func (d *database) deleting(ctx context.Context, f func(*sql.Tx) error) error {
	err := d.inTx(ctx, f)
	if isFull(err) && d.ballast.drop() {
		err = d.inTx(ctx, f)
	}
	return err
}

// isFull reports whether something failed for want of room on the disk.
func isFull(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()&0xff == sqlite3.SQLITE_FULL
	}
	return errors.Is(err, syscall.ENOSPC)
}
