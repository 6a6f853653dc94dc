package records

import (
	"encoding/json"
	"testing"

	"steno/session/store"
)

// Readers of one result have one copy of it, those of another result of the same job another, and nothing stays when all have gone.
func TestResultsAreShared(t *testing.T) {
	c := newResults()
	hold := func(job, text string) (*result, *byte) {
		r := store.Record{ID: job, Result: json.RawMessage(text)}
		held := c.hold(&r)
		return held, &r.Result[0]
	}
	first, bytes := hold("a", `{"x":1}`)
	second, same := hold("a", `{"x":1}`)
	newer, other := hold("a", `{"x":2}`)
	if bytes != same || bytes == other || first != second || first == newer {
		t.Error("results are not shared as they are equal")
	}
	for want, r := range map[string]*result{"1": first, "2": newer} {
		if parts, err := r.object(); err != nil || string(parts["x"]) != want {
			t.Errorf("%q, %v", parts, err)
		}
	}
	if _, err := (&result{text: json.RawMessage("{")}).object(); err == nil {
		t.Error("what is no JSON has parts")
	}
	for _, r := range []*result{first, newer, second} {
		r.letGo()
	}
	if len(c.all) != 0 {
		t.Errorf("%d results are left", len(c.all))
	}
}
