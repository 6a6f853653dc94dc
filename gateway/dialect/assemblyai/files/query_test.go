package files

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"steno/gateway/dialect"
	"steno/messages"
)

// FuzzQuery: whatever an address asks for is within its bounds, and what is sought is found where
// it was said.
func FuzzQuery(f *testing.F) {
	for _, q := range []string{
		"", "words=a,b+c&limit=5&status=completed", "words=,%00,&limit=0", "words=a+b+c+d+e+f", "limit=1e9&before_id=x",
		"words=%C3%84%2C%C3%A4&after_id=y",
	} {
		f.Add(q)
	}
	s := service{dialect.Services{Job: func(_ *http.Request, id string) (*dialect.Record, error) {
		return &dialect.Record{ID: id, At: time.Unix(1, 0)}, nil
	}}}
	f.Fuzz(func(t *testing.T, query string) {
		r := &http.Request{URL: &url.URL{RawQuery: query}}
		if q, err := s.listQuery(r); err == nil && (q.Limit < 1 || q.Limit > messages.MaxLimit || len(q.Statuses) > 1) {
			t.Errorf("%q: %+v", query, q)
		}
		sought, err := soughtBy(r)
		if err != nil {
			return
		}
		for _, phrase := range sought {
			words := strings.Fields("x " + phrase + " x")
			if n := len(words) - 2; n == 0 || n > maxPhrase {
				t.Errorf("%q: %q has %d words", query, phrase, n)
			}
			if m := find(phrase, words, make([]messages.Word, len(words))); m.Count == 0 {
				t.Errorf("%q: %q is not found in %q", query, phrase, words)
			}
		}
	})
}
