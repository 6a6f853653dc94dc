package valkey

import (
	"context"
	"fmt"
	"steno/session/store"

	"github.com/valkey-io/valkey-go"
)

// reader reads answers and keeps the first error.
type reader struct{ err error }

func (r *reader) keep(err error) {
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("%w: %w", store.ErrAway, err)
	}
}

// text is the text of a message; empty for nothing.
func (r *reader) text(m valkey.ValkeyMessage) string {
	if m.IsNil() {
		return ""
	}
	text, err := m.ToString()
	r.keep(err)
	return text
}

func (r *reader) texts(m valkey.ValkeyMessage) []string {
	list, err := m.ToArray()
	r.keep(err)
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = r.text(list[i])
	}
	return texts
}

func (r *reader) integer(m valkey.ValkeyMessage) int64 {
	if m.IsInt64() {
		n, err := m.AsInt64()
		r.keep(err)
		return n
	}
	n, err := parseInteger(r.text(m))
	r.keep(err)
	return n
}

func (r *reader) integers(m valkey.ValkeyMessage) []int64 {
	n, err := integers(r.texts(m))
	r.keep(err)
	return n
}

// idAndFields reads an id and a hash from an answer.
func idAndFields(m valkey.ValkeyMessage) (id string, fields map[string]string, err error) {
	parts, err := m.ToArray()
	if err != nil || len(parts) != 2 {
		return "", nil, fmt.Errorf("read hash of %d parts: %w", len(parts), err)
	}
	if id, err = parts[0].ToString(); err == nil {
		fields, err = parts[1].AsStrMap()
	}
	return id, fields, err
}

// hash is a hash as scripts list it.
type hash struct {
	id     string
	fields map[string]string
}

// hashes runs a script that changes nothing and answers a list of ids, each with the names and values of its fields.
func (s *server) hashes(ctx context.Context, script Script, args ...string) ([]hash, error) {
	m, err := s.look(ctx, script, args...)
	if err != nil {
		return nil, err
	}
	rows, err := m.ToArray()
	if err != nil {
		return nil, err
	}
	list := make([]hash, len(rows))
	for i, row := range rows {
		if list[i].id, list[i].fields, err = idAndFields(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}
