package server

import (
	"context"
	"crypto/rand"
	"strconv"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
)

var erasureKeyScript = Scripts.Script("erasure_key")

// EraseMark returns what scripts keep of the erasure of parts of what has an id, all of it where
// parts is 0; nothing where the server has no memory for its key.
func (s *Conn) EraseMark(ctx context.Context, id string, parts store.Parts) (string, error) {
	key, err := s.erasureKey(ctx)
	if err != nil || key == "" {
		return "", err
	}
	return string(append(store.ErasureMark([]byte(key), id), byte(parts))), nil
}

func (s *Conn) erasureKey(ctx context.Context) (string, error) {
	fresh := make([]byte, store.ErasureKeySize)
	_, _ = rand.Read(fresh) // never fails
	m, err := s.Run(ctx, erasureKeyScript, string(fresh))
	if err != nil {
		return "", err
	}
	return m.ToString()
}

// erasuresAtOnce is how many marks are read by one command.
const erasuresAtOnce = 5000

// Erasures returns what was erased.
func (s *Conn) Erasures(ctx context.Context) (*store.ErasureList, error) {
	key, err := s.erasureKey(ctx)
	l := &store.ErasureList{Key: []byte(key), Erased: []store.Erasure{}}
	for more := err == nil; more; {
		first := int64(len(l.Erased))
		m, err := s.Ask(ctx, func(b valkey.Builder) valkey.Completed {
			return b.Zrange().Key(s.Prefix + "erasures").Min(strconv.FormatInt(first, 10)).
				Max(strconv.FormatInt(first+erasuresAtOnce-1, 10)).Withscores().Build()
		})
		if err != nil {
			return nil, err
		}
		page, err := m.AsZScores()
		if err != nil {
			return nil, err
		}
		for _, one := range page {
			last := len(one.Member) - 1
			l.Erased = append(l.Erased, store.Erasure{Mark: []byte(one.Member[:last]),
				Parts: store.Parts(one.Member[last]), At: int64(one.Score)})
		}
		more = len(page) == erasuresAtOnce
	}
	return l, err
}
