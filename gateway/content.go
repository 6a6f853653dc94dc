package gateway

import (
	"io"
	"net/http"
	"time"
)

// serveContent is http.ServeContent, but that a range which is not there is refused as everything else is.
func serveContent(w http.ResponseWriter, r *http.Request, modified time.Time, content io.ReadSeeker) error {
	c := &contentWriter{ResponseWriter: w}
	http.ServeContent(c, r, "", modified, content)
	if !c.refused {
		return nil
	}
	h := w.Header()
	h.Del("Content-Disposition")
	h.Del("Content-Encoding")
	return problem(http.StatusRequestedRangeNotSatisfiable, "the range asked for is not in the file")
}

// contentWriter passes everything on but the text of a refusal.
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

// Unwrap is for http.ResponseController.
func (c *contentWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// ReadFrom lets files go to the network without being copied.
func (c *contentWriter) ReadFrom(from io.Reader) (int64, error) {
	return io.Copy(c.ResponseWriter, from)
}
