package web

import (
	"net/http/httptest"
	"testing"
)

// A request ends when its handler returns, unless that has taken the end over.
func TestOutlast(t *testing.T) {
	for _, outlasts := range []bool{false, true} {
		ended := 0
		r, returned := WithLeave(httptest.NewRequest("GET", "/", nil), func() { ended++ })
		leave := func() {}
		if outlasts {
			leave = Outlast(r)
		}
		returned()
		if outlasts == (ended == 1) {
			t.Errorf("outlasts %v: ended %d times when the handler has returned", outlasts, ended)
		}
		leave()
		if ended != 1 {
			t.Errorf("outlasts %v: ended %d times", outlasts, ended)
		}
	}
	Outlast(httptest.NewRequest("GET", "/", nil))()
}
