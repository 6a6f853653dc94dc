package web

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rs/zerolog"
)

func TestFileID(t *testing.T) {
	plain := NewAddresses("", nil, NewProxies(nil, zerolog.Nop()), zerolog.Nop())
	public := NewAddresses("https://stt.example.com/api", nil, NewProxies(nil, zerolog.Nop()), zerolog.Nop())
	const id = "00000000-0000-4000-8000-000000000000"
	for _, tc := range []struct {
		server  *Addresses
		address string
		id      string
		ours    bool
	}{
		{plain, "http://gateway:8080/file/" + id, id, true},
		{plain, "https://gateway:8080/file/" + id, id, true},
		{plain, "http://GATEWAY:8080/file/" + id, id, true},
		{plain, "http://127.0.0.1:8080/file/" + id, id, true},
		{plain, "http://localhost:8080/file/" + id, id, true},
		{plain, "http://[::1]:8080/file/" + id, id, true},
		{plain, "http://10.1.2.3:8080/file/" + id, id, true},
		{plain, "http://gateway:8080/file/nonsense", "", true},
		{plain, "http://localhost:9090/file/" + id, id, false},
		{plain, "http://gateway/file/" + id, id, false},
		{plain, "http://other.example/file/" + id, id, false},
		{plain, "http://other.example/file/talk.mp3", "", false},
		{plain, "http://gateway:8080/talk.mp3", "", false},
		{plain, "http://gateway:8080/x/file/" + id, "", false},
		{plain, "://", "", false},
		{public, "https://stt.example.com/api/file/" + id, id, true},
		{public, "http://stt.example.com:80/api/file/" + id, id, false},
		{public, "https://stt.example.com:443/api/file/" + id, id, true},
		{public, "https://stt.example.com/api/file/nonsense", "", true},
		{public, "https://elsewhere.example/api/file/" + id, id, false},
		{public, "http://localhost:8080/file/" + id, id, true},
	} {
		r := httptest.NewRequest("POST", "http://gateway:8080/v2/pre-recorded", nil)
		local := &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 8080}
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(local)))
		if id, ours := tc.server.FileID(r, tc.address); id != tc.id || ours != tc.ours {
			t.Errorf("%s: %q, %v; want %q, %v", tc.address, id, ours, tc.id, tc.ours)
		}
	}
}
