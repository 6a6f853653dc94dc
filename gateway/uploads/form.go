package uploads

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"

	"github.com/google/uuid"

	"steno/audio/media"
	"steno/gateway/metrics"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// formOverhead is how many bytes a form may have beside its file.
const formOverhead = 1 << 20

// fromForm stores the file in a form's field audio.
func (s *Service) fromForm(w http.ResponseWriter, r *http.Request) (store.Upload, error) {
	var file File
	defer file.Discard()
	err := s.ReadForm(w, r, func(p *multipart.Part) error {
		if p.FormName() != "audio" || file.Received() {
			return nil
		}
		return s.Receive(r, p, &file)
	})
	if err != nil {
		return store.Upload{}, err
	}
	if !file.Received() {
		return store.Upload{}, BadForm("audio must be given")
	}
	return s.Commit(r.Context(), file.Writer, OwnerOf(r).Upload(file.Name), file.Type, (*media.Decoder).Measure)
}

// BadForm returns a problem that names what is wrong with a form.
func BadForm(faults ...string) *messages.Problem {
	return &messages.Problem{Status: http.StatusBadRequest, Message: "the form is not valid", ValidationErrors: faults}
}

// File is a file that has been received and not committed. The zero value is one that was not
// received.
type File struct {
	Writer store.UploadWriter // holds its bytes
	Name   string
	Type   string // media type that its sender gave it; may be empty
	Size   int64
}

// Received reports whether the file was received, at least in part.
func (f *File) Received() bool { return f.Writer != nil }

// Discard removes the bytes of a file that was not committed.
func (f *File) Discard() {
	if f.Writer != nil {
		_ = f.Writer.Discard() // the store removes them at its next start at the latest
	}
}

// Receive writes a part of a form to a new upload. The caller commits or discards the file, also
// after an error.
func (s *Service) Receive(r *http.Request, p *multipart.Part, to *File) error {
	writer, err := s.NewUpload(r.Context(), OwnerOf(r), uuid.NewString())
	if err != nil {
		return err
	}
	to.Writer, to.Name = writer, cleanName(p.FileName())
	to.Type, _, _ = mime.ParseMediaType(p.Header.Get("Content-Type")) // empty where it cannot be read
	limit := s.Limits.Upload
	in := &source{from: io.LimitReader(p, limit+1)}
	to.Size, err = io.CopyBuffer(onlyWriter{writer}, in, make([]byte, 256<<10))
	switch {
	case in.err != nil:
		return s.BadBody(in.err)
	case err != nil:
		return WriteProblem(err)
	case to.Size > limit:
		return tooLarge(limit)
	}
	return nil
}

// source keeps the error of reading, to tell it from one of writing.
type source struct {
	from io.Reader
	err  error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// onlyWriter hides all other methods of a writer, so that io.CopyBuffer uses the buffer given.
type onlyWriter struct{ io.Writer }

// ReadForm calls take for each part of a multipart form. Take need not read the part.
func (s *Service) ReadForm(w http.ResponseWriter, r *http.Request, take func(*multipart.Part) error) error {
	body := web.NewPacedBody(w, r, s.Limits.Stall, s.Limits.UploadTime,
		func() { s.Metrics.Drop(metrics.DropBodyStalled) })
	headers := newPartHeaders(http.MaxBytesReader(w, body, s.Limits.Upload+formOverhead))
	r.Body = headers
	form, err := r.MultipartReader()
	if err != nil {
		return BadForm("the body must be a multipart form with a boundary")
	}
	for {
		part, err := headers.next(form)
		if errors.Is(err, io.EOF) {
			finish(headers.ReadCloser)
			return nil
		}
		if err != nil {
			return s.BadBody(err)
		}
		if err := take(part); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, part); err != nil { // what take has left, which is no header
			return s.BadBody(err)
		}
	}
}

// maxEpilogue is what may follow a form, or JSON, in its body.
const maxEpilogue = 64 << 10

// finish reads what is left of a body whose contents are known. Only then does the server see that
// a client leaves which waits for its answer.
func finish(body io.Reader) { _, _ = io.CopyN(io.Discard, body, maxEpilogue) } // whatever comes is not needed

// BadBody returns the problem of a form that could not be read to its end.
func (s *Service) BadBody(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(s.Limits.Upload)
	}
	if errors.Is(err, errPartHeaders) {
		return BadForm("the headers of the form's parts must not be longer than 64 KiB in all")
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return web.BodyTooSlow(err)
	}
	p := BadForm("the body must be a whole multipart form")
	p.Err = err
	return p
}

func tooLarge(limit int64) error {
	return web.Problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("the file is larger than %d bytes", limit))
}
