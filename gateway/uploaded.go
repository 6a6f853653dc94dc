package gateway

import (
	"errors"
	"mime"
	"net/http"

	"github.com/google/uuid"

	"steno/gateway/web"
	"steno/session/store"
)

// uploadTypes are the media types of the formats found in uploads. What is not among them is bytes.
var uploadTypes = map[string]string{
	"wav": "audio/wav", "w64": "audio/wav", "mp3": "audio/mpeg", "flac": "audio/flac", "ogg": "audio/ogg", "opus": "audio/ogg",
	"mp4": "audio/mp4", "m4a": "audio/mp4", "mov": "video/quicktime", "webm": "audio/webm", "matroska": "audio/x-matroska",
	"mkv": "audio/x-matroska", "aac": "audio/aac", "amr": "audio/amr", "aiff": "audio/aiff", "au": "audio/basic", "caf": "audio/x-caf",
}

// getUpload answers with an uploaded file as it came.
func (s *Server) getUpload(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(r.PathValue("id"))
	if err == nil {
		err = s.serveUpload(w, r, id.String())
	} else {
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) {
		return web.Problem(http.StatusNotFound, "file does not exist or was deleted")
	}
	return err
}

// serveUpload serves an upload of the request's account. Its bytes are a stranger's: nothing shall show them as
// anything but what they are said to be.
func (s *Server) serveUpload(w http.ResponseWriter, r *http.Request, id string) error {
	upload, err := s.deps.Store.Upload(r.Context(), web.Account(r), id)
	if err != nil {
		return err
	}
	file, err := s.deps.Store.OpenUpload(r.Context(), web.Account(r), id)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // was only read
	kind, ok := uploadTypes[upload.Extension]
	if !ok {
		kind = "application/octet-stream"
	}
	name := upload.Filename
	if name == "" {
		name = upload.ID + "." + upload.Extension
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("X-Content-Type-Options", "nosniff")
	if disposition := mime.FormatMediaType("attachment", map[string]string{"filename": name}); disposition != "" {
		h.Set("Content-Disposition", disposition)
	}
	return web.ServeContent(w, r, upload.CreatedAt, file)
}
