package seal

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/metadata"
)

// Custom metadata that are sealed are an object of their text, sealed, and of a mark of each value,
// by which lists find them: a hash under a key of the account, so equal values have equal marks.
const (
	sealedName = "sealed"
	markSize   = 12
)

// indexKey is the key of marks, of the account's first data key that was not forgotten.
func indexKey(key []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("steno custom metadata"))
	return h.Sum(nil)
}

// marks returns an object of the marks of values, without other values.
func marks(index []byte, values []metadata.Value) messages.Object {
	o := messages.Object{}
	for _, v := range values {
		h := hmac.New(sha256.New, index)
		h.Write([]byte(v.Path + "\x00" + v.Form))
		o[base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:markSize])] = ""
	}
	return o
}

// index returns the key of an account's marks; nil where the account has no data key.
func (r *Ring) index(ctx context.Context, account string) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, err := r.of(ctx, account, false)
	if err != nil {
		return nil, err
	}
	return a.index, nil
}

func metadataAbout(id string) string { return "metadata\x00" + id }

func postAbout(id string) string { return "post-session metadata\x00" + id }

// sealMetadata seals custom metadata. What is no object stays, and is refused by the store.
func (r *Ring) sealMetadata(ctx context.Context, account, id string, custom json.RawMessage) (json.RawMessage, error) {
	values, err := metadata.Values(custom)
	if err != nil || custom == nil {
		return custom, nil
	}
	text, err := r.sealText(ctx, account, metadataAbout(id), string(custom)) // which makes a data key
	if err != nil {
		return nil, err
	}
	index, err := r.index(ctx, account)
	if err != nil {
		return nil, err
	}
	o := marks(index, values)
	o[sealedName] = text
	return json.Marshal(o)
}

// openObject opens an object that holds its sealed text. One whose key was forgotten, or that was
// changed, is none.
func (r *Ring) openObject(ctx context.Context, account, about string, object, none json.RawMessage) (json.RawMessage,
	error) {
	var o struct {
		Text string `json:"sealed"`
	}
	if len(object) == 0 || json.Unmarshal(object, &o) != nil || o.Text == "" {
		return object, nil
	}
	clear, err := r.openText(ctx, account, about, o.Text)
	switch {
	case errors.Is(err, store.ErrErased), errors.Is(err, store.ErrDamaged):
		return none, nil
	case err != nil:
		return nil, err
	case clear == o.Text: // it was never sealed
		return object, nil
	}
	return json.RawMessage(clear), nil
}

// openMetadata opens a record's custom metadata, and what was added to them.
func (r *Ring) openMetadata(ctx context.Context, rec *store.Record) (err error) {
	rec.CustomMetadata, err = r.openObject(ctx, rec.Account, metadataAbout(rec.ID), rec.CustomMetadata, nil)
	if err == nil {
		rec.PostSessionMetadata, err = r.openPost(ctx, rec.Account, rec.ID, rec.PostSessionMetadata)
	}
	return err
}

func (r *Ring) openPost(ctx context.Context, account, id string, object json.RawMessage) (json.RawMessage, error) {
	return r.openObject(ctx, account, postAbout(id), object, json.RawMessage("{}"))
}

// ChangeMetadata implements store.Records.
func (s *Store) ChangeMetadata(ctx context.Context, account, id string, change store.MetadataChange) error {
	return s.Inner.ChangeMetadata(ctx, account, id, func(kept json.RawMessage) (json.RawMessage, error) {
		clear, err := s.ring.openPost(ctx, account, id, kept)
		if err == nil {
			clear, err = change(clear)
		}
		if err == nil {
			err = store.CheckMetadata(clear)
		}
		if err != nil {
			return nil, err
		}
		text, err := s.ring.sealText(ctx, account, postAbout(id), string(clear))
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]string{sealedName: text})
	})
}

// List implements store.Records. Records of before there was a key are in the clear, and older: by
// metadata they are listed after those that are sealed.
func (s *Store) List(ctx context.Context, account string, q messages.ListQuery) ([]store.Listed, bool, error) {
	if len(q.CustomMetadata) == 0 {
		return s.Inner.List(ctx, account, q)
	}
	values, err := metadata.Wanted(q.CustomMetadata)
	if err != nil {
		return nil, false, err
	}
	index, err := s.ring.index(ctx, account)
	if err != nil || index == nil {
		list, more, failed := s.Inner.List(ctx, account, q)
		return list, more, errors.Join(err, failed)
	}
	sealed := q
	sealed.CustomMetadata, sealed.Limit = marks(index, values), cmp.Or(q.Limit, messages.DefaultLimit)
	list, more, err := s.Inner.List(ctx, account, sealed)
	if err != nil || more {
		return list, more, err
	}
	before := q.Offset
	if len(list) == 0 && q.Offset > 0 {
		if before, err = countTo(ctx, s.Inner, account, sealed); err != nil {
			return nil, false, err
		}
	}
	older := q
	older.Offset, older.Limit = q.Offset-before, max(1, sealed.Limit-len(list))
	rest, more, err := s.Inner.List(ctx, account, older)
	if len(list) == sealed.Limit {
		return list, len(rest) > 0, err
	}
	return append(list, rest...), more, err
}

// countTo counts the sealed records of a list before its offset, which is after its end.
func countTo(ctx context.Context, s store.Records, account string, q messages.ListQuery) (n int, err error) {
	for more := true; more && err == nil; {
		var page []store.Listed
		q.Offset, q.Limit = n, messages.MaxLimit
		page, more, err = s.List(ctx, account, q)
		n += len(page)
	}
	return n, err
}
