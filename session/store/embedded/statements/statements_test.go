package statements

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"path/filepath"
	"testing"
)

// open returns a connection to a new database with numbers from 1 to 3.
func open(t *testing.T) *connection {
	t.Helper()
	conn, err := Connector("file:" + filepath.Join(t.TempDir(), "db")).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := conn.(*connection)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	c.exec(t, "CREATE TABLE numbers (n INTEGER PRIMARY KEY) STRICT")
	for n := range int64(3) {
		c.exec(t, "INSERT INTO numbers (n) VALUES (?)", n+1)
	}
	return c
}

func (c *connection) exec(t *testing.T, text string, args ...driver.Value) {
	t.Helper()
	if _, err := c.ExecContext(t.Context(), text, named(args)); err != nil {
		t.Fatal(err)
	}
}

func named(args []driver.Value) (all []driver.NamedValue) {
	for i, arg := range args {
		all = append(all, driver.NamedValue{Ordinal: i + 1, Value: arg})
	}
	return all
}

const above = "SELECT n FROM numbers WHERE n > ? ORDER BY n"

// above begins to read the numbers above one.
func (c *connection) above(t *testing.T, n int64) driver.Rows {
	t.Helper()
	found, err := c.QueryContext(t.Context(), above, named([]driver.Value{n}))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// next returns the next number.
func next(t *testing.T, r driver.Rows) int64 {
	t.Helper()
	row := make([]driver.Value, 1)
	if err := r.Next(row); err != nil {
		t.Fatal(err)
	}
	return row[0].(int64)
}

// A statement is prepared once, and each use has arguments of its own.
func TestKept(t *testing.T) {
	c := open(t)
	prepared := map[*statement]bool{}
	for n := range int64(3) {
		r := c.above(t, n)
		if got := next(t, r); got != n+1 {
			t.Errorf("above %d is %d", n, got)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		prepared[c.kept[above]] = true
	}
	if len(prepared) != 1 || len(c.kept) != 2 {
		t.Errorf("prepared %d times; %d are kept", len(prepared), len(c.kept))
	}
}

// A statement whose rows are being read is not used for others.
func TestNested(t *testing.T) {
	c := open(t)
	outer := c.above(t, 0)
	first, inner := next(t, outer), c.above(t, 2)
	if got := next(t, inner); first != 1 || got != 3 {
		t.Errorf("%d outside, %d inside", first, got)
	}
	if err := inner.Close(); err != nil {
		t.Fatal(err)
	}
	if got := next(t, outer); got != 2 {
		t.Errorf("%d follows outside", got)
	}
	if err := outer.Close(); err != nil {
		t.Fatal(err)
	}
}

// After a failure a statement works as before.
func TestFailure(t *testing.T) {
	c := open(t)
	const insert = "INSERT INTO numbers (n) VALUES (?)"
	if _, err := c.ExecContext(t.Context(), insert, named([]driver.Value{int64(1)})); err == nil {
		t.Fatal("two rows have the same key")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := c.QueryContext(ended, above, named([]driver.Value{int64(0)})); err == nil {
		t.Fatal("a query whose context has ended finds something")
	}
	c.exec(t, insert, int64(4))
	r := c.above(t, 3)
	if got := next(t, r); got != 4 {
		t.Errorf("found %d", got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// What SQLite does as it prepares a statement is done each time.
func TestPragma(t *testing.T) {
	db := sql.OpenDB(Connector("file:" + filepath.Join(t.TempDir(), "db")))
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, ms := range []string{"10", "20", "10"} {
		if _, err := db.ExecContext(t.Context(), "PRAGMA busy_timeout = "+ms); err != nil {
			t.Fatal(err)
		}
	}
	var got int
	if err := db.QueryRowContext(t.Context(), "PRAGMA busy_timeout").Scan(&got); err != nil || got != 10 {
		t.Errorf("busy_timeout is %d, %v", got, err)
	}
}

// A table that is altered is seen as it is now.
func TestAltered(t *testing.T) {
	c := open(t)
	must := func(r driver.Rows) {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	must(c.above(t, 0))
	c.exec(t, "ALTER TABLE numbers ADD COLUMN name TEXT")
	c.exec(t, "DROP TABLE numbers")
	c.exec(t, "CREATE TABLE numbers (name TEXT, n INTEGER PRIMARY KEY) STRICT")
	c.exec(t, "INSERT INTO numbers (name, n) VALUES ('nine', ?)", int64(9))
	r := c.above(t, 0)
	if got := next(t, r); got != 9 {
		t.Errorf("found %d", got)
	}
	must(r)
}
