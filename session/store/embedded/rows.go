package embedded

import (
	"database/sql"
	"fmt"
)

// scanner is the Scan of one row.
type scanner func(dest ...any) error

// scanText reads a row of one text.
func scanText(scan scanner) (text string, err error) {
	err = scan(&text)
	return text, err
}

// collect reads all rows of a query, whose error it takes too.
func collect[T any](rows *sql.Rows, err error, what string, read func(scanner) (T, error)) ([]T, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := read(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return all, nil
}

// changedOne turns a statement that should have changed a row, and did not, into the given error.
func changedOne(r sql.Result, err error, what string, otherwise error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	n, err := r.RowsAffected()
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if n == 0 {
		return fmt.Errorf("%s: %w", what, otherwise)
	}
	return nil
}
