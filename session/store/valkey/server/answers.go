package server

import (
	"context"
	"fmt"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
)

// Reader reads answers and keeps the first error.
type Reader struct{ Err error }

func (r *Reader) Keep(err error) {
	if r.Err == nil && err != nil {
		r.Err = fmt.Errorf("%w: %w", store.ErrAway, err)
	}
}

// Text returns the text of a message; empty for nothing.
func (r *Reader) Text(m valkey.ValkeyMessage) string {
	if m.IsNil() {
		return ""
	}
	text, err := m.ToString()
	r.Keep(err)
	return text
}

func (r *Reader) Texts(m valkey.ValkeyMessage) []string {
	list, err := m.ToArray()
	r.Keep(err)
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = r.Text(list[i])
	}
	return texts
}

func (r *Reader) Integer(m valkey.ValkeyMessage) int64 {
	if m.IsInt64() {
		n, err := m.AsInt64()
		r.Keep(err)
		return n
	}
	n, err := ParseInteger(r.Text(m))
	r.Keep(err)
	return n
}

func (r *Reader) Integers(m valkey.ValkeyMessage) []int64 {
	n, err := Integers(r.Texts(m))
	r.Keep(err)
	return n
}

// IDAndFields reads an id and a hash from an answer.
func IDAndFields(m valkey.ValkeyMessage) (id string, fields map[string]string, err error) {
	parts, err := m.ToArray()
	if err != nil || len(parts) != 2 {
		return "", nil, fmt.Errorf("read hash of %d parts: %w", len(parts), err)
	}
	if id, err = parts[0].ToString(); err == nil {
		fields, err = parts[1].AsStrMap()
	}
	return id, fields, err
}

// Hash is a hash as scripts list it.
type Row struct {
	ID     string
	Fields map[string]string
}

// Hashes runs a script that changes nothing and answers a list of ids, each with the names and
// values of its fields.
func (s *Conn) Hashes(ctx context.Context, script Script, args ...string) ([]Row, error) {
	m, err := s.Look(ctx, script, args...)
	if err != nil {
		return nil, err
	}
	rows, err := m.ToArray()
	if err != nil {
		return nil, err
	}
	list := make([]Row, len(rows))
	for i, row := range rows {
		if list[i].ID, list[i].Fields, err = IDAndFields(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}
