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
	"steno/session/addon/redact"
	"steno/session/store"
)

// serveRecording answers with the recording of a live session so far: a WAV file of the declared
// format with exactly the audio bytes that the client has sent, but for what redaction hides.
func (s *Service) serveRecording(w http.ResponseWriter, r *http.Request, record store.Record) error {
	recording, err := s.OpenRecording(r.Context(), record)
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

// Recording is the audio bytes of a live session so far, without the WAV headers and chunks that
// the client may have sent among them. It is read by one goroutine at a time, which closes it.
type Recording struct {
	journal store.Audio
	format  audio.Format
	gaps    audio.Gaps // what of the journal is no audio
	size    int64
	offset  int64
	silent  []redact.Span // silence is read in their place
}

// OpenRecording opens the recording of a live session, as it may be heard: silent where redaction
// hides something.
func (s *Service) OpenRecording(ctx context.Context, record store.Record) (*Recording, error) {
	request, err := admission.LiveRequest(record)
	if err != nil {
		return nil, err
	}
	format, err := session.Format(request)
	if err != nil {
		return nil, fmt.Errorf("read format: %w", err)
	}
	journal, err := s.Store.OpenAudio(ctx, record.Account, record.ID)
	if err != nil {
		return nil, err
	}
	r := &Recording{journal: journal, format: format}
	if err := s.layouts.Use(ctx, record.ID, func(l *layout) (int64, error) { return l.find(ctx, r) }); err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	if request.RealtimeProcessing.PIIRedaction {
		if r.silent, err = silences(ctx, s.Store, record, r.format.Channels); err != nil {
			return nil, errors.Join(err, journal.Close())
		}
	}
	return r, nil
}

// Whole makes the recording what was received, which nobody may hear.
func (r *Recording) Whole() { r.silent = nil }

// Format returns the format of the bytes.
func (r *Recording) Format() audio.Format { return r.format }

// Size returns how many bytes there are.
func (r *Recording) Size() int64 { return r.size }

// Seconds returns how long the recording is.
func (r *Recording) Seconds() float64 { return r.format.Seconds(r.Size()) }

// Read reads from the offset on.
func (r *Recording) Read(p []byte) (int, error) {
	n := r.gaps.Run(r.offset, min(int64(len(p)), r.size-r.offset))
	if n <= 0 {
		return 0, io.EOF
	}
	if _, err := r.journal.Seek(r.gaps.Stream(r.offset), io.SeekStart); err != nil {
		return 0, err
	}
	got, err := r.journal.Read(p[:n])
	redact.Silence(p[:got], r.offset, r.silent, r.format)
	r.offset += int64(got)
	return got, err
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

// Close closes the journal.
func (r *Recording) Close() error { return r.journal.Close() }

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
