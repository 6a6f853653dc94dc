package embedded

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"steno/messages"
	"steno/session/store"
)

// maxFilters bounds the values of custom metadata asked for at once.
const maxFilters = 64

// List implements store.Records.
func (s *Store) List(ctx context.Context, account string, q messages.ListQuery) ([]store.Record, bool, error) {
	if q.Limit == 0 {
		q.Limit = messages.DefaultLimit
	}
	query, args, err := listQuery(account, q)
	if err != nil {
		return nil, false, fmt.Errorf("list records: %w", err)
	}
	rows, err := s.read.QueryContext(ctx, query, args...)
	page, err := collect(rows, err, "list records", scanRecord)
	if err != nil {
		return nil, false, err
	}
	if len(page) > q.Limit {
		return page[:q.Limit], true, nil
	}
	return page, false, nil
}

// conditions gathers the parts of a WHERE clause and their arguments, in the same order.
type conditions struct {
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

// listQuery picks one record more than the page holds, newest first: first their numbers, from an index alone, then
// the rows. With custom metadata asked for, the index is that of the first value, which is ordered by age too.
func listQuery(account string, q messages.ListQuery) (string, []any, error) {
	if q.Offset < 0 || q.Limit < 1 || q.Limit > messages.MaxLimit {
		return "", nil, fmt.Errorf("%w: offset %d, limit %d", store.ErrInvalid, q.Offset, q.Limit)
	}
	wanted, err := wantedMarks(q.CustomMetadata)
	if err != nil {
		return "", nil, err
	}
	var c conditions
	from, age, number := `records r INDEXED BY records_by_age`, `r.created_at`, `r.n`
	if len(wanted) > 0 {
		from, age, number = `metadata m CROSS JOIN records r ON r.n = m.record`, `m.created_at`, `m.record`
		c.add(`m.account = ? AND m.path = ? AND m.value = ?`, account, wanted[0].path, wanted[0].value)
		for _, w := range wanted[1:] {
			c.add(`EXISTS (SELECT 1 FROM metadata o WHERE o.record = m.record AND o.path = ? AND o.value = ?)`, w.path, w.value)
		}
	} else {
		c.add(`r.account = ?`, account)
	}
	oneOf(&c, `r.kind`, q.Kinds)
	oneOf(&c, `r.status`, q.Statuses)
	c.dates(age, q)
	c.args = append(c.args, q.Limit+1, q.Offset)
	return `SELECT ` + columns + ` FROM (SELECT ` + number + ` AS number FROM ` + from + ` WHERE ` + strings.Join(c.parts, ` AND `) +
		` ORDER BY ` + age + ` DESC, ` + number + ` DESC LIMIT ? OFFSET ?) CROSS JOIN records ON n = number
		ORDER BY created_at DESC, n DESC`, c.args, nil
}

func (c *conditions) dates(age string, q messages.ListQuery) {
	if !q.Date.IsZero() {
		day := q.Date.UTC().Truncate(24 * time.Hour)
		c.add(age+` >= ? AND `+age+` < ?`, day.UnixMilli(), day.AddDate(0, 0, 1).UnixMilli())
	}
	if !q.Before.IsZero() {
		c.add(age+` < ?`, q.Before.UnixMilli())
	}
	if !q.After.IsZero() {
		c.add(age+` > ?`, q.After.UnixMilli())
	}
}

// wantedMarks are the marks that a record's metadata must have. Values come first: they are rarer than objects.
func wantedMarks(filter map[string]any) ([]mark, error) {
	if len(filter) == 0 {
		return nil, nil
	}
	object, err := json.Marshal(filter)
	if err != nil {
		return nil, fmt.Errorf("metadata filter: %w: %w", store.ErrInvalid, err)
	}
	marks, err := flatten(object)
	if err != nil {
		return nil, err
	}
	if len(marks) > maxFilters {
		return nil, fmt.Errorf("metadata filter: %w: more than %d values", store.ErrTooLarge, maxFilters)
	}
	slices.SortFunc(marks, func(a, b mark) int {
		if objects := strings.Compare(kindOf(a), kindOf(b)); objects != 0 {
			return objects
		}
		return strings.Compare(a.path, b.path)
	})
	return marks, nil
}

// kindOf sorts values before objects.
func kindOf(m mark) string {
	if strings.HasSuffix(m.path, "{}") {
		return "object"
	}
	return ""
}
