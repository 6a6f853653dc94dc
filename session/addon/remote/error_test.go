package remote_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"steno/session/addon/remote"
)

func TestNobodyThere(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	c := remote.New(remote.Config{Service: "test server", MinBackoff: time.Millisecond})
	defer c.Close()
	_, err = call(t.Context(), c, "http://"+listener.Addr().String())
	told := remote.Addon(err)
	if told == nil || told.Exception != "TestServerUnreachable" || strings.Contains(fmt.Sprint(told), "127") ||
		!strings.Contains(err.Error(), "refused") {
		t.Errorf("%+v: %v", told, err)
	}
}

// TestAddon checks what clients receive for errors of other packages.
func TestAddon(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
	}{
		{nil, 0},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), 504},
		{context.Canceled, 503},
		{errors.New("the key is secret"), 500},
		{fmt.Errorf("x: %w", remote.NewError(413, "TooLong", "It is too long", errors.New("secret"))), 413},
	} {
		told := remote.Addon(test.err)
		switch {
		case test.status == 0 && told != nil, test.status != 0 && (told == nil || told.StatusCode != test.status):
			t.Errorf("%v: %+v, want %d", test.err, told, test.status)
		case told != nil && (strings.Contains(told.Message, "secret") || told.Exception == "" || told.Message == ""):
			t.Errorf("%v: %+v", test.err, told)
		}
	}
}

func TestBase(t *testing.T) {
	for address, want := range map[string]string{
		"http://localhost:5000/": "http://localhost:5000", "https://x/v1": "https://x/v1",
		"": "", "x": "", "ftp://x": "", "http://": "", "http://me:pass@x/": "", "http://x/?key=1": "",
		"http://x/#a": "",
	} {
		if got, err := remote.Base(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", address, got, err, want)
		}
	}
}
