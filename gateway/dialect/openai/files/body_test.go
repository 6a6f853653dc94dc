package files

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"
)

// bodyOf is a body with a file, as clients send it.
func bodyOf(t *testing.T, file []byte) string {
	t.Helper()
	var b jsonBody
	b.Model, b.Language = "whisper-1", "en"
	b.InputAudio.Data, b.InputAudio.Format = base64.StdEncoding.EncodeToString(file), "wav"
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A file within JSON is written as it was, however long it is and however the body arrives.
func TestReadJSON(t *testing.T) {
	for _, n := range []int{1, 2, 3, 100, maxHeld, maxHeld * 3 / 4, 3 * maxHeld, 3*maxHeld + 1} {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(i * i)
		}
		body := bodyOf(t, want)
		for name, text := range map[string]string{"as it is": body,
			"slashes escaped": strings.ReplaceAll(body, "/", `\/`),
			"without padding": strings.ReplaceAll(body, "=", "")} {
			for _, one := range []bool{false, true} {
				var got bytes.Buffer
				from := iotest.DataErrReader(strings.NewReader(text))
				if one {
					from = iotest.OneByteReader(from)
				}
				b, err := readJSON(from, &got)
				if err != nil || !bytes.Equal(got.Bytes(), want) || b.Model != "whisper-1" || b.Language != "en" ||
					b.InputAudio.Format != "wav" {
					t.Errorf("%d bytes, %s, byte by byte %v: %v, %d bytes, %+v", n, name, one, err, got.Len(), b)
				}
			}
		}
	}
}

func TestReadJSONRefuses(t *testing.T) {
	long := strings.Repeat("QUJD", maxHeld)
	for name, text := range map[string]string{
		"no JSON":            "no",
		"not whole":          `{"input_audio":{"data":"QUJ`,
		"no base64":          `{"input_audio":{"data":"a b c"}}`,
		"long, no base64":    `{"input_audio":{"data":"` + long + `!!!!"}}`,
		"after its end":      `{"input_audio":{"data":"` + long + `QQ==` + long + `"}}`,
		"another long one":   `{"model":"` + long + `"}`,
		"two long ones":      `{"model":"` + long + `","input_audio":{"data":"` + long + `"}}`,
		"much of everything": `{"x":[` + strings.Repeat("1,", maxText) + `1]}`,
	} {
		if _, err := readJSON(strings.NewReader(text), new(bytes.Buffer)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// Whatever is sent, nothing panics, and what is read of valid JSON is what package json reads.
func FuzzReadJSON(f *testing.F) {
	f.Add(`{"model":"m","input_audio":{"data":"QUJD","format":"wav"}}`, 3)
	f.Add(`{"input_audio":{"data":"`+strings.Repeat("QUJD", maxHeld/4+1)+`"}}`, 1000)
	f.Add(`{"a\"\\":"\\\"","input_audio":{"data":"\/\/\/\/"}}`, 1)
	f.Fuzz(func(t *testing.T, text string, piece int) {
		var want jsonBody
		valid := json.Unmarshal([]byte(text), &want) == nil
		var got bytes.Buffer
		b, err := readJSON(&pieces{strings.NewReader(text), max(1, piece%4096)}, &got)
		if err != nil || !valid || len(want.InputAudio.Data) > maxHeld {
			return
		}
		if b.Model != want.Model || b.Language != want.Language {
			t.Errorf("read %+v, want %+v", b, want)
		}
		if sound, err := base64.StdEncoding.DecodeString(want.InputAudio.Data); err == nil &&
			!bytes.Equal(sound, got.Bytes()) {
			t.Errorf("wrote %q, want %q", got.Bytes(), sound)
		}
	})
}

// pieces reads few bytes at a time.
type pieces struct {
	from *strings.Reader
	most int
}

func (p *pieces) Read(b []byte) (int, error) { return p.from.Read(b[:min(len(b), p.most)]) }
