package tier

import (
	"bytes"
	"compress/gzip"
	"testing"

	"steno/session/store/valkey/server"
	"steno/session/store/valkeytest"
)

// FuzzAnswers checks that no answer of a server is taken for events or segments that do not fit
// together.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte("*3\r\n$0\r\n\r\n:0\r\n*1\r\n*2\r\n$3\r\n7-0\r\n*6\r\n+kind\r\n+3\r\n+key\r\n+a\r\n+body\r\n+{}\r\n"))
	f.Add([]byte("*3\r\n+object\r\n:9223372036854775807\r\n*0\r\n"))
	f.Add([]byte("*2\r\n+0 5 object\r\n+5 9 other\r\n"))
	f.Add([]byte("-ERR no\r\n"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		m, err := valkeytest.Answer(t, answer)
		if err != nil {
			return
		}
		if events, _, err := readEvents(m); err == nil {
			for i, e := range events {
				if e.Seq < 0 || i > 0 && e.Seq <= events[i-1].Seq {
					t.Errorf("event %d after %+v", e.Seq, events[:i])
				}
			}
		}
		var r server.Reader
		for _, s := range ParseSegments(&r, m) {
			if r.Err == nil && (s.Object == "" || s.Start < 0 || s.End <= s.Start) {
				t.Errorf("segment %+v", s)
			}
		}
	})
}

// FuzzArchive checks that an archive of events comes back as it was, and that nothing else breaks.
func FuzzArchive(f *testing.F) {
	f.Add([]byte("1 3 1 2\na{}2 3 0 4\nnull"))
	f.Add([]byte("1 3 9999999999 1\n"))
	f.Add([]byte("1 3 -1 1\n"))
	f.Fuzz(func(t *testing.T, clear []byte) {
		list, err := readArchive(zip(t, clear))
		if err != nil {
			return
		}
		var again bytes.Buffer
		for i := range list {
			WriteEvent(&again, &list[i])
		}
		same, err := readArchive(zip(t, again.Bytes()))
		if err != nil || len(same) != len(list) {
			t.Fatalf("%d events, written again %d: %v", len(list), len(same), err)
		}
		for i, e := range list {
			if s := same[i]; s.Seq != e.Seq || s.Key != e.Key || !bytes.Equal(s.Body, e.Body) {
				t.Errorf("%+v, written again %+v", e, s)
			}
		}
	})
}

func zip(t *testing.T, clear []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(clear); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
