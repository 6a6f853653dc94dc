package certificates

import (
	"bytes"
	"os"
	"testing"
)

// The certificate that is made is kept, and made again for other names alone.
func TestSelfSigned(t *testing.T) {
	data := t.TempDir()
	cert, key, err := selfSigned(data, []string{"localhost", "127.0.0.1", "::1", "*.stt.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	read := func() []byte {
		t.Helper()
		text, err := os.ReadFile(cert)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	first := read()
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("key %v, %v", info.Mode(), err)
	}
	for _, again := range []struct {
		names []string
		same  bool
	}{{[]string{"localhost"}, true}, {[]string{"any.stt.example.org"}, true}, {[]string{"other"}, false}} {
		if _, _, err := selfSigned(data, again.names); err != nil || bytes.Equal(read(), first) != again.same {
			t.Errorf("for %v: the same %v: %v", again.names, !again.same, err)
		}
	}
}
