package uploads

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strings"
	"syscall"
	"time"
	"unicode"

	"steno/audio/media"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/asr"
	"steno/session/semaphore"
	"steno/session/store"
)

// Probe looks at a file with a decoder for what the file is called: [media.Decoder.Probe], or
// [media.Decoder.Measure] where the duration must be known before the file is transcribed.
type Probe func(d *media.Decoder, ctx context.Context, path string) (media.Info, error)

// Commit commits a file as an upload if it is a recording. kind is the media type by which it came,
// which may be empty. Its duration is stored only where it was measured: headers are not believed.
func (s *Service) Commit(ctx context.Context, writer store.UploadWriter, u store.Upload, kind string,
	probe Probe) (store.Upload, error) {
	info, err := s.probe(ctx, partyOf(&u), s.Media.As(u.Filename, kind), probe, writer.Path())
	if err != nil {
		return store.Upload{}, err
	}
	u.Extension, u.Channels, u.CreatedAt = info.Container, &info.Channels, messages.Stamp(time.Now()).Time
	if info.Exact {
		seconds := Duration(info.Seconds)
		u.Duration = &seconds
	}
	committed, err := writer.Commit(ctx, u)
	if err != nil {
		return store.Upload{}, WriteProblem(err)
	}
	return committed, nil
}

const (
	// shortLook is how long the decoder looks at a file at first. What takes longer decodes to
	// much, however few bytes it has: headers, which state what it decodes to, are not trusted.
	shortLook = 3 * time.Second
	// maxLooks bounds the files that wait to be looked at.
	maxLooks = 4096
)

// partyOf is for whom an upload is looked at: its key, or its account where that is not known.
func partyOf(u *store.Upload) string {
	if len(u.Key) > 0 {
		return string(u.Key)
	}
	return u.Account
}

// probe looks at a party's file as soon as the number of files looked at allows.
func (s *Service) probe(ctx context.Context, party string, d *media.Decoder, probe Probe,
	path string) (info media.Info, err error) {
	err = s.looks.Do(ctx, party, func(ctx context.Context) (err error) {
		info, err = probe(d, ctx, path)
		return err
	})
	switch {
	case err == nil:
		return info, nil
	case ctx.Err() != nil:
		return media.Info{}, ctx.Err()
	case errors.Is(err, semaphore.ErrFull):
		return media.Info{}, web.Refuse(http.StatusServiceUnavailable, "too many files are waiting to be looked at",
			s.Limits.RetryAfter)
	}
	return media.Info{}, RecordingProblem(err)
}

// measured returns an upload with its duration, which one that was fetched for a job does not have.
func (s *Service) measured(ctx context.Context, account, id string) (store.Upload, error) {
	u, err := s.Store.Upload(ctx, account, id)
	if err != nil || u.Duration != nil {
		return u, err
	}
	file, err := s.Store.OpenUpload(ctx, account, id)
	if err != nil {
		return u, err
	}
	defer func() { _ = file.Close() }() // was only read
	info, err := s.probe(ctx, partyOf(&u), s.Media.As(u.Extension), (*media.Decoder).Measure, file.Path())
	seconds := Duration(info.Seconds)
	u.Duration = &seconds
	return u, err
}

// Duration rounds a duration in seconds as results have it: of samples at 16 kHz, to the
// millisecond.
func Duration(seconds float64) float64 {
	return messages.Seconds(int64(math.Round(seconds * asr.Rate)))
}

// RecordingProblem returns the problem for clients of a recording that could not be processed: the
// problem that the error wraps, the status of the decoder's reason, or 507 where the disk is full.
// Any other error is a 500.
func RecordingProblem(err error) *messages.Problem {
	if p, ok := errors.AsType[*messages.Problem](err); ok {
		return p
	}
	if m, ok := errors.AsType[*media.Error](err); ok {
		return &messages.Problem{Status: status(m.Reason), Message: m.Message, Err: err}
	}
	if errors.Is(err, syscall.ENOSPC) {
		return &messages.Problem{Status: http.StatusInsufficientStorage,
			Message: "no space left to keep the recording", Err: err}
	}
	return web.Internal(err)
}

// status returns the HTTP status that tells clients why the decoder refused a recording.
func status(r media.Reason) int {
	switch r {
	case media.TooLong:
		return http.StatusRequestEntityTooLarge
	case media.Unsupported:
		return http.StatusUnsupportedMediaType
	case media.Damaged, media.NoTrack:
		return http.StatusUnprocessableEntity
	case media.TooSlow:
		return http.StatusRequestTimeout
	}
	return http.StatusInternalServerError
}

// WriteProblem returns the problem, 507, of a file that the store has no space for, and any other
// error as it is.
func WriteProblem(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return &messages.Problem{Status: http.StatusInsufficientStorage, Message: "no space left to keep the file",
			Err: err}
	}
	return err
}

// maxName bounds the names of files, in bytes.
const maxName = 255

// cleanName returns a file's name as it may be shown: valid UTF-8 without control characters, not
// too long.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	return name
}
