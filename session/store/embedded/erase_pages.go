package embedded

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Of SQLite's file format (https://sqlite.org/fileformat2.html, "B-tree pages"): a page of a tree
// begins with its kind, on the first page after the file's own header, and has between the list of
// its cells and the cells themselves a gap whose content is undefined. When rows move to another
// page, what they were stays in there. Pages of other sorts begin with the number of another page,
// so with a 0 as long as there are not very many; but not those that are only in databases with
// automatic vacuum, which have a number in their header, and are left alone.
const (
	fileHeader    = 100
	mostPages     = 1 << 25 // numbers from here on begin as trees' pages do
	pagesAtOnce   = 64      // cleaned in one transaction, so that the writer is soon free again
	defaultSize   = 4096
	pageSizeField = 16
	vacuumField   = 52
)

// gap is where page number n has its gap; from 0 to 0 where it is no page of a tree, or none that
// makes sense.
func gap(page []byte, n int64) (from, to int) {
	at, header := 0, 8
	if n == 1 {
		at = fileHeader
	}
	switch page[at] {
	case 0x02, 0x05: // inner pages, which have one more number
		header = 12
	case 0x0a, 0x0d:
	default:
		return 0, 0
	}
	from = at + header + 2*int(binary.BigEndian.Uint16(page[at+3:]))
	to = int(binary.BigEndian.Uint16(page[at+5:]))
	if to == 0 {
		to = 1 << 16
	}
	if from > to || to > len(page) {
		return 0, 0
	}
	return from, to
}

// clean zeroes the gap of a page and tells whether anything was in it.
func clean(page []byte, n int64) bool {
	from, to := gap(page, n)
	if len(bytes.TrimLeft(page[from:to], "\x00")) == 0 {
		return false
	}
	clear(page[from:to])
	return true
}

// dirtyPages lists the pages whose gaps hold something, as the file is. A page that is being
// written may be misread, so the list is no more than where to look.
func (d *database) dirtyPages(ctx context.Context) (dirty []int64, err error) {
	r := bufio.NewReaderSize(io.NewSectionReader(d.file, 0, math.MaxInt64), 1<<18)
	page := make([]byte, pageSize(r))
	if vacuums(r) {
		return nil, nil
	}
	for n := int64(1); n < mostPages && ctx.Err() == nil; n++ {
		_, err := io.ReadFull(r, page)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read database: %w", err)
		}
		if clean(page, n) {
			dirty = append(dirty, n)
		}
	}
	return dirty, ctx.Err()
}

// pageSize reads the page size from the file's header, where 1 stands for 65536.
func pageSize(r *bufio.Reader) int {
	header, err := r.Peek(fileHeader)
	if err != nil {
		return defaultSize
	}
	if size := int(binary.BigEndian.Uint16(header[pageSizeField:])); size > 1 {
		return size
	}
	return 1 << 16
}

// vacuums tells whether the database has pages that look like trees' and are none.
func vacuums(r *bufio.Reader) bool {
	header, err := r.Peek(fileHeader)
	return err == nil && binary.BigEndian.Uint32(header[vacuumField:]) != 0
}

// cleanPages zeroes the gaps of pages, as the writer sees them.
func (d *database) cleanPages(ctx context.Context, pages []int64) error {
	for len(pages) > 0 {
		some := pages[:min(pagesAtOnce, len(pages))]
		pages = pages[len(some):]
		if err := d.inTx(ctx, func(tx *sql.Tx) error { return cleanIn(ctx, tx, some) }); err != nil {
			return fmt.Errorf("clean pages: %w", err)
		}
	}
	return nil
}

func cleanIn(ctx context.Context, tx *sql.Tx, pages []int64) error {
	for _, n := range pages {
		var page []byte
		err := tx.QueryRowContext(ctx, `SELECT data FROM sqlite_dbpage WHERE pgno = ?`, n).Scan(&page)
		if errors.Is(err, sql.ErrNoRows) || err == nil && !clean(page, n) {
			continue
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?`, page, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
