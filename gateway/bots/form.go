package bots

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/google/uuid"

	"steno/audio"
	"steno/gateway/uploads"
)

// playable returns what was sent as a file that a decoder can read. Raw samples get a header with
// the rate; without a rate they stay as they are, and raw is true, because they are hardly a file.
func (s *Service) playable(ctx context.Context, owner uploads.Owner, sent *uploads.File, rate int) (file *uploads.File,
	raw bool, err error) {
	samples, err := os.Open(sent.Writer.Path())
	if err != nil {
		return nil, false, fmt.Errorf("read audio: %w", err)
	}
	defer func() { _ = samples.Close() }() // was only read
	head := make([]byte, 12)
	n, err := io.ReadFull(samples, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, false, fmt.Errorf("read audio: %w", err)
	}
	if isFile(sent, head[:n]) {
		return sent, false, nil
	}
	if rate == 0 {
		return sent, true, nil
	}
	file, err = s.wrap(ctx, owner, samples, sent.Size, rate)
	return file, false, err
}

// isFile reports whether audio is a file rather than raw samples, by its name, its media type or
// its first bytes.
func isFile(f *uploads.File, head []byte) bool {
	switch strings.ToLower(path.Ext(f.Name)) {
	case ".wav", ".mp3", ".flac", ".ogg", ".oga", ".opus", ".m4a", ".mp4", ".aac", ".webm", ".mka", ".mkv", ".amr":
		return true
	}
	switch f.Type {
	case "audio/wav", "audio/x-wav", "audio/wave", "audio/mpeg", "audio/mp3", "audio/flac", "audio/ogg", "audio/opus",
		"audio/mp4", "audio/aac", "audio/webm", "audio/amr", "video/mp4", "video/webm":
		return true
	}
	for _, magic := range []string{"RIFF", "ID3", "fLaC", "OggS", "\x1a\x45\xdf\xa3", "#!AMR"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return len(head) >= 8 && string(head[4:8]) == "ftyp"
}

// wrap copies raw mono samples of 16 bits into a new upload, after a WAV header.
func (s *Service) wrap(ctx context.Context, owner uploads.Owner, raw io.ReadSeeker, size int64,
	rate int) (*uploads.File, error) {
	if _, err := raw.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read audio: %w", err)
	}
	size -= size % 2 // an incomplete sample is dropped
	writer, err := s.Uploads.NewUpload(ctx, owner, uuid.NewString())
	if err != nil {
		return nil, err
	}
	f := &uploads.File{Writer: writer}
	header := audio.WAVHeader(audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: rate, Channels: 1}, size)
	if _, err = writer.Write(header); err == nil {
		_, err = io.Copy(struct{ io.Writer }{writer}, io.LimitReader(raw, size))
	}
	if err != nil {
		f.Discard()
		return nil, uploads.WriteProblem(err)
	}
	return f, nil
}
