package web

import (
	"io"
	"net/http"
	"time"
)

// ServeContent is http.ServeContent, except that a range which is not in the content is returned as
// a problem, so that it is answered as every other refusal.
func ServeContent(w http.ResponseWriter, r *http.Request, modified time.Time, content io.ReadSeeker) error {
	c := &contentWriter{ResponseWriter: w}
	http.ServeContent(c, r, "", modified, content)
	if !c.refused {
		return nil
	}
	h := w.Header()
	h.Del("Content-Disposition")
	h.Del("Content-Encoding")
	return Problem(http.StatusRequestedRangeNotSatisfiable, "the range asked for is not in the file")
}

// contentWriter passes everything on except the text of a refused range.
type contentWriter struct {
	http.ResponseWriter
	refused bool
}

func (c *contentWriter) WriteHeader(status int) {
	if c.refused = status == http.StatusRequestedRangeNotSatisfiable; !c.refused {
		c.ResponseWriter.WriteHeader(status)
	}
}

func (c *contentWriter) Write(p []byte) (int, error) {
	if c.refused {
		return len(p), nil
	}
	return c.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find the writer below.
func (c *contentWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// ReadFrom lets the kernel copy files to the network.
func (c *contentWriter) ReadFrom(from io.Reader) (int64, error) {
	return io.Copy(c.ResponseWriter, from)
}
