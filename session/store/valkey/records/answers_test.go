package records

import (
	"reflect"
	"strings"
	"testing"

	"steno/session/store/valkeytest"
)

// FuzzAnswers checks that no answer of a server breaks the reading of lists and records, and that a
// record that can be read can be written again as it is.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte("*4\r\n+next\r\n:2\r\n+id\r\n:512\r\n"))
	f.Add([]byte("%3\r\n+account\r\n+acme\r\n+created\r\n:-1\r\n+seconds\r\n+1.5\r\n"))
	f.Add([]byte("%2\r\n+seconds\r\n+NaN\r\n+losses\r\n+1 2 3 4\r\n"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		m, err := valkeytest.Answer(t, answer)
		if err != nil {
			return
		}
		if p, err := decodePart(m); err == nil && len(p.rows)*4 > len(answer) {
			t.Errorf("%d rows in %d bytes", len(p.rows), len(answer))
		}
		fields, err := m.AsStrMap()
		if err != nil {
			return
		}
		delete(fields, "losses") // written by scripts
		delete(fields, "stripped")
		r, err := DecodeRecord("id", fields)
		if err != nil {
			return
		}
		written, list := map[string]string{}, encodeRecord(r)
		for i := 0; i < len(list); i += 2 {
			written[list[i]] = list[i+1]
		}
		again, err := DecodeRecord("id", written)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%s\n%+v, written again\n%+v: %v", strings.Join(list, " "), r, again, err)
		}
	})
}
