package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"steno/audio"
	"steno/gateway/admission"
	"steno/gateway/web"
	"steno/session"
	"steno/session/store"
)

// serveRecording answers with the recording of a live session so far: a WAV file of the declared format with exactly the
// audio bytes that the client has sent.
func (s *Service) serveRecording(w http.ResponseWriter, r *http.Request, record store.Record) error {
	recording, err := OpenRecording(r.Context(), s.Store, record)
	if err != nil {
		return err
	}
	defer func() { _ = recording.Close() }() // was only read
	var modified time.Time
	if record.CompletedAt != nil {
		modified = *record.CompletedAt
	}
	w.Header().Set("Content-Type", "audio/wav")
	w.Header().Set("Content-Disposition", `attachment; filename="`+record.ID+`.wav"`)
	return web.ServeContent(w, r, modified, newWAVReader(recording))
}

// Recording is the audio bytes of a live session so far, without the RIFF header that the client may have sent before them. It is
// read by one goroutine at a time, which closes it.
type Recording struct {
	journal store.Audio
	format  audio.Format
	skip    int64 // bytes of the journal before its audio
	offset  int64
}

// OpenRecording opens the recording of a live session.
func OpenRecording(ctx context.Context, sessions store.Sessions, record store.Record) (*Recording, error) {
	request, err := admission.LiveRequest(record)
	if err != nil {
		return nil, err
	}
	format, err := session.Format(request)
	if err != nil {
		return nil, fmt.Errorf("read format: %w", err)
	}
	journal, err := sessions.OpenAudio(ctx, record.Account, record.ID)
	if err != nil {
		return nil, err
	}
	skip, err := leadingHeader(journal)
	if err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	return &Recording{journal: journal, format: format, skip: skip}, nil
}

// Format returns the format of the bytes.
func (r *Recording) Format() audio.Format { return r.format }

// Size returns how many bytes there are.
func (r *Recording) Size() int64 { return r.journal.Size() - r.skip }

// Seconds returns how long the recording is.
func (r *Recording) Seconds() float64 { return r.format.Seconds(r.Size()) }

// Read reads from the offset on.
func (r *Recording) Read(p []byte) (int, error) {
	if _, err := r.journal.Seek(r.skip+r.offset, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := r.journal.Read(p)
	r.offset += int64(n)
	return n, err
}

// Seek sets the offset.
func (r *Recording) Seek(offset int64, whence int) (int64, error) {
	return seek(&r.offset, r.Size(), offset, whence)
}

// seek sets the offset in something of a size.
func seek(at *int64, size, offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += *at
	case io.SeekEnd:
		offset += size
	}
	if offset < 0 {
		return 0, errors.New("seek before the beginning")
	}
	*at = offset
	return offset, nil
}

// Close gives the journal back.
func (r *Recording) Close() error { return r.journal.Close() }

// leadingHeader returns the length of the RIFF header that the client sent before its audio; 0 without one.
func leadingHeader(journal io.Reader) (int64, error) {
	prefix := make([]byte, 64<<10)
	n, err := io.ReadFull(journal, prefix)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, fmt.Errorf("read journal: %w", err)
	}
	length, _, need, err := audio.ParseHeader(prefix[:n])
	if err != nil || need {
		return 0, nil // damaged, so the session ended there, or incomplete: the bytes are served as they are
	}
	return int64(length), nil
}

// wavReader is a WAV file made of a header and a recording.
type wavReader struct {
	header    []byte
	recording *Recording
	offset    int64
}

func newWAVReader(r *Recording) *wavReader {
	return &wavReader{header: audio.WAVHeader(r.format, r.Size()), recording: r}
}

func (f *wavReader) size() int64 { return int64(len(f.header)) + f.recording.Size() }

// Read reads from the offset on.
func (f *wavReader) Read(p []byte) (int, error) {
	if f.offset >= f.size() {
		return 0, io.EOF
	}
	if f.offset < int64(len(f.header)) {
		n := copy(p, f.header[f.offset:])
		f.offset += int64(n)
		return n, nil
	}
	if _, err := f.recording.Seek(f.offset-int64(len(f.header)), io.SeekStart); err != nil {
		return 0, err
	}
	n, err := f.recording.Read(p[:min(int64(len(p)), f.size()-f.offset)])
	f.offset += int64(n)
	return n, err
}

// Seek sets the offset.
func (f *wavReader) Seek(offset int64, whence int) (int64, error) {
	return seek(&f.offset, f.size(), offset, whence)
}
