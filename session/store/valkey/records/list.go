package records

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/metadata"
	"steno/session/store/valkey/server"
)

var listScript = Scripts.Script("record_list", "record")

// List implements store.Records. Each script looks at a bounded number of rows, however many the
// list takes.
func (t *Records) List(ctx context.Context, account string, q messages.ListQuery) ([]store.Listed, bool, error) {
	page, err := t.list(ctx, account, q)
	if err != nil {
		return nil, false, fmt.Errorf("list records: %w", err)
	}
	if limit := pageLimit(q); len(page) > limit {
		return page[:limit], true, nil
	}
	return page, false, nil
}

func pageLimit(q messages.ListQuery) int {
	if q.Limit == 0 {
		return messages.DefaultLimit
	}
	return q.Limit
}

// list returns one record more than the page holds, if there is one.
func (t *Records) list(ctx context.Context, account string, q messages.ListQuery) ([]store.Listed, error) {
	limit := pageLimit(q)
	if q.Offset < 0 || limit < 1 || limit > messages.MaxLimit {
		return nil, fmt.Errorf("%w: offset %d, limit %d", store.ErrInvalid, q.Offset, q.Limit)
	}
	wanted, err := metadata.Wanted(q.CustomMetadata)
	if err != nil {
		return nil, err
	}
	first, last, ok := span(q)
	if !ok {
		return nil, nil
	}
	conditions := listConditions(account, q, wanted)
	var page []store.Listed
	for skip, more := q.Offset, true; more && len(page) <= limit; {
		args := []string{first, last, strconv.Itoa(skip), strconv.Itoa(limit + 1 - len(page))}
		m, err := t.server.Look(ctx, listScript, append(args, conditions...)...)
		if err != nil {
			return nil, err
		}
		part, err := decodePart(m)
		if err != nil {
			return nil, err
		}
		page = append(page, part.rows...)
		skip -= part.skipped
		last, more = part.next, part.next != ""
	}
	return page, nil
}

// listConditions are the lists that a record must be in: of each group, one of them. A group is its
// size and the names.
func listConditions(account string, q messages.ListQuery, wanted []metadata.Value) []string {
	kinds, statuses := q.Kinds, q.Statuses
	if len(kinds) == 0 {
		kinds = []messages.JobKind{messages.JobLive, messages.JobPreRecorded}
	}
	if len(statuses) == 0 {
		statuses = []messages.Status{messages.StatusQueued, messages.StatusProcessing, messages.StatusDone,
			messages.StatusError}
	}
	var lists []string
	for _, kind := range kinds {
		for _, status := range statuses {
			lists = append(lists, "list:"+string(kind)+":"+string(status)+":"+account)
		}
	}
	slices.Sort(lists)
	lists = slices.Compact(lists)
	var groups []string
	for _, name := range indexNames(account, wanted) {
		groups = append(groups, "1", "metadata:"+name)
	}
	if len(groups) == 0 || len(q.Kinds)+len(q.Statuses) > 0 {
		groups = append(append(groups, strconv.Itoa(len(lists))), lists...)
	}
	return groups
}

// span returns the first and the last member, as ZRANGEBYLEX names them, that lists may have by the
// dates asked for. ok is false where there can be none.
func span(q messages.ListQuery) (first, last string, ok bool) {
	from, to := int64(0), int64(1e15-1) // milliseconds, both included
	if !q.Date.IsZero() {
		day := q.Date.UTC().Truncate(24 * time.Hour)
		from, to = day.UnixMilli(), day.AddDate(0, 0, 1).UnixMilli()-1
	}
	if !q.Before.IsZero() {
		// A record is cut to milliseconds, and so is the time it is compared with.
		to = min(to, q.Before.UnixMilli()-1)
	}
	if !q.After.IsZero() {
		from = max(from, q.After.UnixMilli()+1)
	}
	return fmt.Sprintf("[%015d:", from), fmt.Sprintf("(%015d;", to), from <= to // ";" follows ":"
}

// listPart is what one script answers.
type listPart struct {
	next    string // where to continue; empty at the end
	skipped int
	rows    []store.Listed
}

func decodePart(m valkey.ValkeyMessage) (p listPart, err error) {
	parts, err := m.ToArray()
	if err != nil || len(parts) < 2 || len(parts)%2 != 0 {
		return p, fmt.Errorf("read page of %d parts: %w", len(parts), err)
	}
	var r server.Reader
	p.next, p.skipped = r.Text(parts[0]), int(r.Integer(parts[1]))
	for pair := range slices.Chunk(parts[2:], 2) {
		p.rows = append(p.rows, store.Listed{ID: r.Text(pair[0]), Bytes: r.Integer(pair[1])})
	}
	return p, r.Err
}
