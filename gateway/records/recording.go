package records

import (
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
	journal, err := s.Store.OpenAudio(r.Context(), record.Account, record.ID)
	if err != nil {
		return err
	}
	defer func() { _ = journal.Close() }() // was only read
	recording, err := openRecording(record, journal)
	if err != nil {
		return err
	}
	var modified time.Time
	if record.CompletedAt != nil {
		modified = *record.CompletedAt
	}
	w.Header().Set("Content-Type", "audio/wav")
	w.Header().Set("Content-Disposition", `attachment; filename="`+record.ID+`.wav"`)
	return web.ServeContent(w, r, modified, recording)
}

// wavReader is a WAV file made of a header and the audio of a journal.
type wavReader struct {
	header  []byte
	journal io.ReadSeeker
	skip    int64 // bytes of the journal before its audio
	size    int64 // of the file
	offset  int64
}

func openRecording(record store.Record, journal store.Audio) (*wavReader, error) {
	request, err := admission.LiveRequest(record)
	if err != nil {
		return nil, err
	}
	format, err := session.Format(request)
	if err != nil {
		return nil, fmt.Errorf("read format: %w", err)
	}
	skip, err := leadingHeader(journal)
	if err != nil {
		return nil, err
	}
	header := audio.WAVHeader(format, journal.Size()-skip)
	return &wavReader{header: header, journal: journal, skip: skip, size: int64(len(header)) + journal.Size() - skip}, nil
}

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

// Read reads from the offset on.
func (f *wavReader) Read(p []byte) (int, error) {
	if f.offset >= f.size {
		return 0, io.EOF
	}
	if f.offset < int64(len(f.header)) {
		n := copy(p, f.header[f.offset:])
		f.offset += int64(n)
		return n, nil
	}
	if _, err := f.journal.Seek(f.offset-int64(len(f.header))+f.skip, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := f.journal.Read(p[:min(int64(len(p)), f.size-f.offset)])
	f.offset += int64(n)
	return n, err
}

// Seek sets the offset.
func (f *wavReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		offset += f.size
	}
	if offset < 0 {
		return 0, errors.New("seek before the beginning")
	}
	f.offset = offset
	return offset, nil
}
