package dialect

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzPlain holds the quick reader against encoding/json: what it takes is JSON with the same
// strings.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{
		`{"event":"media","media":{"track":"inbound","payload":"QUJD"},"streamSid":"x"}`, ` { "a" : "b" } `, `{}`,
		`{"a":{"b":{"c":"d"}}}`, "{\"a\":\"\x1f\"}", "{\"a\":\"12345678\x0112345678\"}", `{"a":"b",}`, `{"a":"b"}}`,
		`{"a":"\n"}`, `{"a":1}`, `{"a":"é"}`, `{"a":{}}`, `{"a":{"b":"c"},"a":{"d":"e"}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := map[[2]string]string{}
		taken := Plain(text, func(object, name, value []byte) bool {
			got[[2]string{string(object), string(name)}] = string(value)
			return true
		})
		if !taken || !utf8.Valid(text) {
			return
		}
		var want map[string]any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%q was taken: %v", text, err)
		}
		for name, value := range want {
			object, nested := value.(map[string]any)
			if !nested && got[[2]string{"", name}] != value {
				t.Errorf("%q: %s is %q", text, name, got[[2]string{"", name}])
			}
			for inner, value := range object {
				if got[[2]string{name, inner}] != value {
					t.Errorf("%q: %s in %s is %q", text, inner, name, got[[2]string{name, inner}])
				}
			}
		}
	})
}

// Base64 of every length around the blocks that are decoded at a time comes back as it was, with
// padding, without, and in lines.
func TestDecodeBase64(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 3071, 3072, 3073, 6145, 100_000} {
		audio := bytes.Repeat([]byte("steno\x00\xff"), n/7+1)[:n]
		text := base64.StdEncoding.EncodeToString(audio)
		for _, given := range []string{text, base64.RawStdEncoding.EncodeToString(audio), text + "\n",
			text[:len(text)/2] + "\r\n" + text[len(text)/2:]} {
			if got, err := DecodeBase64([]byte(given)); err != nil || !bytes.Equal(got, audio) {
				t.Errorf("%d bytes: %d came back, %v", n, len(got), err)
			}
		}
	}
	for _, text := range []string{"é", "Q", "Q=Q=", "====", "QUJD=QUJD"} {
		if _, err := DecodeBase64([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
