package gladia

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"steno/messages"
)

func TestRefusedOffsetIsNamed(t *testing.T) {
	for _, offset := range []string{"-1", "half", "1.5", "99999999999999999999"} {
		_, err := offsetOf(httptest.NewRequest("GET", "/v2/live?token=x&offset="+offset, nil))
		p, ok := errors.AsType[*messages.Problem](err)
		if want := []string{"offset must be a number of bytes"}; !ok || p.Status != http.StatusBadRequest ||
			!slices.Equal(p.ValidationErrors, want) {
			t.Errorf("%s: %v, %+v", offset, err, p)
		}
	}
}
