package uploads

import (
	"errors"
	"io"
	"mime/multipart"
	"strings"
	"testing"
)

// endless counts what is read of a text that is repeated for ever.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[(e.at+i)%len(e.text)]
	}
	e.at += len(p)
	return len(p), nil
}

// However a form begins that never comes to its file, little of it is read.
func TestPartHeadersAreBounded(t *testing.T) {
	const part = "--x\r\nContent-Disposition: form-data; name=a\r\n"
	for what, c := range map[string]struct{ before, again string }{
		"one long line":       {part + "X-Long: ", "x"},
		"many lines":          {part, "X-Line: xxxxxxxx\r\n"},
		"many parts":          {"", part + "\r\n\r\n"},
		"parts without lines": {"", "--x\r\n\r\n\r\n"},
		"parts with bodies": {"", part + "X-Line: " + strings.Repeat("x", 2000) + "\r\n\r\n" + strings.Repeat("body",
			1000) + "\r\n"},
		"no part": {"before the first\r\n", "text\r\n"},
	} {
		body := &endless{text: c.again}
		h := newPartHeaders(io.NopCloser(io.MultiReader(strings.NewReader(c.before), body)))
		form := multipart.NewReader(h, "x")
		var err error
		for err == nil {
			var p *multipart.Part
			if p, err = h.next(form); err == nil {
				_, err = io.Copy(io.Discard, p)
			}
		}
		if !errors.Is(err, errPartHeaders) {
			t.Errorf("%s: %v", what, err)
		}
		if most := 4 * maxPartHeaders; body.at > most {
			t.Errorf("%s: %d bytes were read", what, body.at)
		}
	}
}

// A form of a file that is larger than all headers may be, between ordinary fields, is read to its
// end.
func TestLargePartsHaveShortHeaders(t *testing.T) {
	var sent strings.Builder
	w := multipart.NewWriter(&sent)
	for range 100 {
		if err := w.WriteField("field", strings.Repeat("v", 10)); err != nil {
			t.Fatal(err)
		}
	}
	file, err := w.CreateFormFile("audio", "a.wav")
	if err == nil {
		_, err = file.Write(make([]byte, 1<<20))
	}
	if err = errors.Join(err, w.WriteField("last", "x"), w.Close()); err != nil {
		t.Fatal(err)
	}
	h := newPartHeaders(io.NopCloser(strings.NewReader(sent.String())))
	form, parts, size := multipart.NewReader(h, w.Boundary()), 0, int64(0)
	for {
		p, err := h.next(form)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, p)
		if err != nil {
			t.Fatal(err)
		}
		parts, size = parts+1, size+n
	}
	if parts != 102 || size != 1<<20+1001 {
		t.Errorf("%d parts of %d bytes", parts, size)
	}
}
