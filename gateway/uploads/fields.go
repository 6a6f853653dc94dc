package uploads

import (
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"steno/gateway/metrics"
	"steno/gateway/web"
	"steno/messages"
)

const (
	// maxFields bounds the fields of a form beside its file.
	maxFields = 256
	// maxFieldBytes bounds the values of those fields, together.
	maxFieldBytes = messages.MaxRequestBody
)

// ReadFields receives the file of a form, which is the first part of a name, and returns the other
// fields, in whatever order they come; of those named in unread the values are left out, however
// long they are. The caller commits or discards the file, also after an error.
func (s *Service) ReadFields(w http.ResponseWriter, r *http.Request, file string, to *File,
	unread ...string) (map[string][]string, error) {
	fields, n, room := map[string][]string{}, 0, int64(maxFieldBytes)
	err := s.ReadForm(w, r, func(p *multipart.Part) error {
		name := p.FormName()
		if name == file && !to.Received() {
			return s.Receive(r, p, to)
		}
		if n++; n > maxFields {
			return BadForm(fmt.Sprintf("the form must not have more than %d fields", maxFields))
		}
		if slices.Contains(unread, name) {
			fields[name] = append(fields[name], "")
			return nil
		}
		value, err := io.ReadAll(io.LimitReader(p, room+1))
		if err != nil {
			return s.BadBody(err)
		}
		if room -= int64(len(value)); room < 0 {
			return BadForm("the fields beside " + file + " must not be longer than 1 MiB")
		}
		fields[name] = append(fields[name], string(value))
		return nil
	})
	return fields, err
}

// ReadFile receives a file that read copies from the body of a request, which is at most overhead
// bytes longer. It is called with the body and with what writes the file; its errors are returned
// as they are where neither the body nor the file has failed. The caller commits or discards the
// file, also after an error.
func (s *Service) ReadFile(w http.ResponseWriter, r *http.Request, overhead int64, to *File,
	read func(body io.Reader, file io.Writer) error) error {
	writer, err := s.NewUpload(r.Context(), OwnerOf(r), uuid.NewString())
	if err != nil {
		return err
	}
	to.Writer = writer
	to.Type, _, _ = mime.ParseMediaType(r.Header.Get("Content-Type")) // empty where it cannot be read
	paced := web.NewPacedBody(w, r, s.Limits.Stall, s.Limits.UploadTime,
		func() { s.Metrics.Drop(metrics.DropBodyStalled) })
	in := &source{from: http.MaxBytesReader(w, paced, s.Limits.Upload+overhead)}
	out := &limited{to: writer, left: s.Limits.Upload}
	if err = read(in, out); err == nil {
		finish(in.from)
	}
	to.Size = s.Limits.Upload - max(out.left, 0)
	switch {
	case in.err != nil:
		return s.BadBody(in.err)
	case out.left < 0:
		return tooLarge(s.Limits.Upload)
	case out.err != nil:
		return WriteProblem(out.err)
	}
	return err
}

// limited writes to a file until it is as long as it may be, and keeps the error of writing.
type limited struct {
	to   io.Writer
	left int64 // below 0: there was more
	err  error
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	if l.left -= int64(len(p)); l.left < 0 {
		return 0, io.ErrShortWrite
	}
	n, err := l.to.Write(p)
	if err != nil {
		l.err = err
	}
	return n, err
}
