// Package statements connects to SQLite databases with connections that keep the statements which
// they have prepared: to parse and plan a statement takes longer than to execute most.
package statements

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// mostKept bounds the statements that a connection keeps. What is beyond that number is prepared
// each time.
const mostKept = 300

// Connector returns what connects to the database at an address of SQLite's driver.
func Connector(address string) driver.Connector { return connector{address} }

type connector struct{ address string }

// Connect implements [driver.Connector].
func (c connector) Connect(context.Context) (driver.Conn, error) {
	opened, err := c.Driver().Open(c.address)
	if err != nil {
		return nil, err
	}
	conn, ok := opened.(sqliteConn)
	if !ok {
		return nil, fmt.Errorf("connection of type %T", opened)
	}
	return &connection{sqliteConn: conn, kept: map[string]*statement{}}, nil
}

// Driver implements [driver.Connector].
func (connector) Driver() driver.Driver { return &sqlite.Driver{} }

// sqliteConn is what SQLite's connections implement of what package sql uses, but for statements
// that are executed without having been prepared.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// sqliteStmt is what SQLite's statements implement.
type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// connection is a connection that keeps statements. As every connection of package sql, it is used
// by one goroutine at a time.
type connection struct {
	sqliteConn
	kept map[string]*statement // by text
}

// statement is a statement of a connection.
type statement struct {
	sqliteStmt
	text string
	busy bool // its rows are being read
}

// ExecContext implements [driver.ExecerContext].
func (c *connection) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(ctx, args)
	if closed := c.release(s, err); err == nil {
		err = closed
	}
	return result, err
}

// QueryContext implements [driver.QueryerContext].
func (c *connection) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	found, err := s.QueryContext(ctx, args)
	if err != nil {
		_ = c.release(s, err) // err is the cause
		return nil, err
	}
	return &statementRows{found, c, s}, nil
}

// Close implements [driver.Conn].
func (c *connection) Close() error {
	for _, s := range c.kept {
		_ = s.Close() // what goes wrong is what the connection's own Close returns
	}
	return c.sqliteConn.Close()
}

// statement returns the statement of a text, which is used until it is released.
func (c *connection) statement(ctx context.Context, text string) (*statement, error) {
	s := c.kept[text]
	if s != nil && !s.busy {
		s.busy = true
		return s, nil
	}
	prepared, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	stmt, ok := prepared.(sqliteStmt)
	if !ok {
		return nil, fmt.Errorf("statement of type %T", prepared)
	}
	made := &statement{sqliteStmt: stmt, text: text, busy: true}
	if s == nil && len(c.kept) < mostKept && isKept(text) {
		c.kept[text] = made
	}
	return made, nil
}

// release ends the use of a statement. After a failure it is not used again.
func (c *connection) release(s *statement, failure error) error {
	s.busy = false
	if c.kept[s.text] == s {
		if failure == nil {
			return nil
		}
		delete(c.kept, s.text)
	}
	return s.Close()
}

// isKept reports whether a statement may be kept. Others do some of what they do when they are
// prepared, as PRAGMA, or are seldom executed.
func isKept(text string) bool {
	verb, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch verb {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "WITH":
		return true
	}
	return false
}

// statementRows are the rows that a statement has found.
type statementRows struct {
	driver.Rows
	conn *connection
	of   *statement
}

// Close implements [driver.Rows].
func (r *statementRows) Close() error {
	err := r.Rows.Close()
	if closed := r.conn.release(r.of, err); err == nil {
		err = closed
	}
	return err
}
