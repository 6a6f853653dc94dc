package uploads

import (
	"errors"
	"io"
	"mime/multipart"
)

const (
	// maxPartHeaders bounds the headers of all parts of a form, in bytes, and what is before the
	// first part.
	maxPartHeaders = 64 << 10
	// partHeader is what a part counts for at least, so that their number is bounded as well.
	partHeader = 64
	// readAhead is what the reader of a form may read beyond a header.
	readAhead = 8 << 10
)

// errPartHeaders means that the headers of a form are too long.
var errPartHeaders = errors.New("headers of parts are too long")

// partHeaders is the body of a form, whose reader would take 10 MiB for the header of each part.
type partHeaders struct {
	io.ReadCloser
	left   int  // bytes that headers may have
	inside bool // a header is being read
	read   int  // bytes of the body meanwhile
}

func newPartHeaders(body io.ReadCloser) *partHeaders {
	return &partHeaders{ReadCloser: body, left: maxPartHeaders}
}

// Read reads from the body, within a header at most what headers may have.
func (h *partHeaders) Read(p []byte) (int, error) {
	if h.inside && h.read > h.left+readAhead {
		return 0, errPartHeaders
	}
	n, err := h.ReadCloser.Read(p)
	h.read += n
	return n, err
}

// next returns the next part of a form, whose part before was read to its end. Errors: io.EOF,
// errPartHeaders, those of the body and of the form.
func (h *partHeaders) next(form *multipart.Reader) (*multipart.Part, error) {
	h.inside, h.read = true, 0
	part, err := form.NextPart()
	h.inside = false
	if err != nil {
		return nil, err
	}
	size := partHeader
	for name, values := range part.Header {
		for _, value := range values {
			size += len(name) + len(value)
		}
	}
	if h.left -= size; h.left < 0 {
		return nil, errPartHeaders
	}
	return part, nil
}
