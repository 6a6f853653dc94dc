package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"
)

// File is something that is served as it is. It is not changed, so any goroutine may serve it.
type File struct {
	media, etag string
	content     []byte
}

// NewFile returns a file of a media type, which takes content over.
func NewFile(media string, content []byte) *File {
	sum := sha256.Sum256(content)
	return &File{media: media, etag: `"` + hex.EncodeToString(sum[:16]) + `"`, content: content}
}

// Serve answers with the file, or with 304 if the client has it already. Headers that are set
// before stay.
func (f *File) Serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.media)
	h.Set("ETag", f.etag)
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.content))
}
