package dialect

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzBase64: what is decoded as it comes, however it is divided, is what is decoded whole.
func FuzzBase64(f *testing.F) {
	for _, text := range []string{"", "QQ==", "QUJD", "QUI", "Q", "QU\r\nJD=", "QQ=\n=", "Q=Q", "QQ===",
		"\u00e9", "\"", "+/+/"} {
		f.Add(text, 1)
	}
	f.Add(string(bytes.Repeat([]byte("QUJD"), base64Room/4+1)), 1000)
	f.Fuzz(func(t *testing.T, text string, step int) {
		if !utf8.ValidString(text) {
			return
		}
		want, fault := DecodeBase64([]byte(text))
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		d := Base64{Give: func(p []byte) { got = append(got, p...) }}
		rest, ended := append(quoted[1:], "rest"...), false
		for len(rest) > 0 && !ended && err == nil {
			n := min(max(step, 1), len(rest))
			var after []byte
			after, ended, err = d.Decode(rest[:n])
			rest = rest[n-len(after):]
		}
		if (err == nil) != (fault == nil) || err == nil && (!ended || !bytes.Equal(got, want) ||
			string(rest) != "rest") {
			t.Errorf("%q: %q, %v, whole %q, %v; rest %q", text, got, err, want, fault, rest)
		}
	})
}
