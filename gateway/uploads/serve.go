package uploads

import (
	"errors"
	"mime"
	"net/http"

	"github.com/google/uuid"

	"steno/gateway/web"
	"steno/session/store"
)

// mediaTypes are the media types of the formats that uploads have. Any other format is served as
// bytes.
var mediaTypes = map[string]string{
	"wav": "audio/wav", "w64": "audio/wav", "mp3": "audio/mpeg", "flac": "audio/flac", "ogg": "audio/ogg",
	"opus": "audio/ogg",
	"mp4":  "audio/mp4", "m4a": "audio/mp4", "mov": "video/quicktime", "webm": "audio/webm",
	"matroska": "audio/x-matroska",
	"mkv":      "audio/x-matroska", "aac": "audio/aac", "amr": "audio/amr", "aiff": "audio/aiff", "au": "audio/basic",
	"caf": "audio/x-caf",
}

// Get answers with an uploaded file as it came.
func (s *Service) Get(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(r.PathValue("id"))
	if err == nil {
		err = s.Serve(w, r, id.String())
	} else {
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) {
		return web.Problem(http.StatusNotFound, "file does not exist or was deleted")
	}
	return err
}

// Serve answers with an upload of the request's account. Its bytes are not to be trusted: browsers
// must not show them as anything but the media type given.
func (s *Service) Serve(w http.ResponseWriter, r *http.Request, id string) error {
	upload, err := s.Store.Upload(r.Context(), web.Account(r), id)
	if err != nil {
		return err
	}
	file, err := s.Store.OpenUpload(r.Context(), web.Account(r), id)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // was only read
	kind, ok := mediaTypes[upload.Extension]
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
