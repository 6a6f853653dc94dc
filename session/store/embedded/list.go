package embedded

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/metadata"
)

// List implements store.Records.
func (t *records) List(ctx context.Context, account string, q messages.ListQuery) ([]store.Listed, bool, error) {
	page, err := t.list(ctx, account, &q)
	if err != nil {
		return nil, false, fmt.Errorf("list records: %w", err)
	}
	if len(page) > q.Limit {
		return page[:q.Limit], true, nil
	}
	return page, false, nil
}

// list returns one record more than the page holds, if there is one.
func (t *records) list(ctx context.Context, account string, q *messages.ListQuery) ([]store.Listed, error) {
	if q.Limit == 0 {
		q.Limit = messages.DefaultLimit
	}
	if q.Offset < 0 || q.Limit < 1 || q.Limit > messages.MaxLimit {
		return nil, fmt.Errorf("%w: offset %d, limit %d", store.ErrInvalid, q.Offset, q.Limit)
	}
	wanted, err := metadata.Wanted(q.CustomMetadata)
	if err != nil {
		return nil, err
	}
	if err := t.rarestFirst(ctx, account, wanted); err != nil {
		return nil, err
	}
	query, args := listQuery(account, *q, wanted)
	rows, err := t.read.QueryContext(ctx, query, args...)
	return collect(rows, err, "read page", func(scan scanner) (l store.Listed, err error) {
		err = scan(&l.ID, &l.Bytes)
		return l, err
	})
}

// conditions gathers what is read, by which columns it is ordered, and the parts of the WHERE
// clause with their arguments, in the same order.
type conditions struct {
	from, age, number string

	parts []string
	args  []any
}

func (c *conditions) add(part string, args ...any) {
	c.parts = append(c.parts, part)
	c.args = append(c.args, args...)
}

// oneOf asks that a column have one of the values; none asks for nothing.
func oneOf[S ~string](c *conditions, column string, values []S) {
	values = slices.Compact(slices.Sorted(slices.Values(values)))
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = string(v)
	}
	c.add(column+` IN (?`+strings.Repeat(`, ?`, len(values)-1)+`)`, args...)
}

// size is how large a record is. Lengths are in the rows' heads: what they are of is not read.
const size = `octet_length(params) + octet_length(post_session_metadata) + coalesce(octet_length(custom_metadata), 0) +
	coalesce(octet_length(result), 0) + CASE WHEN kind = 'live' AND result IS NOT NULL
	THEN (SELECT coalesce(sum(octet_length(body)), 0) FROM events WHERE record = n) ELSE 0 END`

// listQuery picks one record more than the page holds, newest first: first their numbers, from
// indexes alone, then what is listed of the rows. With custom metadata asked for, it is the index
// of the first value that is walked; that is ordered by age too.
func listQuery(account string, q messages.ListQuery, wanted []metadata.Value) (string, []any) {
	const walked = `records r INDEXED BY records_by_age`
	c := conditions{from: walked, age: `r.created_at`, number: `r.n`}
	if len(wanted) == 0 {
		c.add(`r.account = ?`, account)
	} else {
		c.from, c.age, c.number = `metadata m`, `m.created_at`, `m.record`
		c.add(`m.account = ? AND m.path = ? AND m.value = ?`, account, wanted[0].Path, wanted[0].Form)
		for _, w := range wanted[1:] {
			c.add(`EXISTS (SELECT 1 FROM metadata o WHERE o.record = m.record AND o.path = ? AND o.value = ?)`, w.Path,
				w.Form)
		}
		if len(q.Statuses)+len(q.Kinds) > 0 {
			c.from += ` CROSS JOIN ` + walked +
				` ON r.account = m.account AND r.created_at = m.created_at AND r.n = m.record`
		}
	}
	oneOf(&c, `r.kind`, q.Kinds)
	oneOf(&c, `r.status`, q.Statuses)
	c.dates(q)
	c.args = append(c.args, q.Limit+1, q.Offset)
	return `SELECT id, ` + size + ` FROM (SELECT ` + c.number + ` AS number FROM ` + c.from +
		` WHERE ` + strings.Join(c.parts, ` AND `) +
		` ORDER BY ` + c.age + ` DESC, ` + c.number + ` DESC LIMIT ? OFFSET ?) CROSS JOIN records ON n = number
		ORDER BY created_at DESC, n DESC`, c.args
}

func (c *conditions) dates(q messages.ListQuery) {
	if !q.Date.IsZero() {
		day := q.Date.UTC().Truncate(24 * time.Hour)
		c.add(c.age+` >= ? AND `+c.age+` < ?`, day.UnixMilli(), day.AddDate(0, 0, 1).UnixMilli())
	}
	if !q.Before.IsZero() {
		c.add(c.age+` < ?`, q.Before.UnixMilli())
	}
	if !q.After.IsZero() {
		c.add(c.age+` > ?`, q.After.UnixMilli())
	}
}

// rarestFirst puts the value that the fewest records have in front. It does not distinguish between
// values that very many have.
func (t *records) rarestFirst(ctx context.Context, account string, values []metadata.Value) error {
	if len(values) < 2 {
		return nil
	}
	const many = 2000
	fewest := many + 1
	for i, m := range values {
		var n int
		err := t.read.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM metadata
			WHERE account = ? AND path = ? AND value = ? LIMIT ?)`, account, m.Path, m.Form, many).Scan(&n)
		if err != nil {
			return fmt.Errorf("count metadata: %w", err)
		}
		if n < fewest {
			fewest = n
			values[0], values[i] = values[i], values[0]
		}
	}
	return nil
}
