package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/google/uuid"

	"steno/audio/media"
	"steno/gateway/metrics"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/asr"
	"steno/session/slots"
	"steno/session/store"
)

const (
	formOverhead = 1 << 20 // bytes of a form beside its file
	maxFilename  = 255     // bytes

	maxUploadsWaiting = 256 // for a file to be fetched
)

// upload keeps a file that was sent, or fetches it first.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	if err := s.canTake(); err != nil {
		return err
	}
	if !s.handlers.Enter() {
		return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
	}
	defer s.handlers.Leave()
	take := s.fetchUpload
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && strings.HasPrefix(kind, "multipart/") {
		take = s.receiveUpload
	}
	kept, err := take(w, r)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, messages.Upload{AudioURL: s.addresses.File(r, kept.ID), AudioMetadata: metadataOf(kept)})
	return nil
}

func metadataOf(u store.Upload) messages.AudioMetadata {
	m := messages.AudioMetadata{ID: u.ID, Filename: u.Filename, Source: u.Source, Extension: u.Extension, Size: u.Size}
	if u.Duration != nil {
		m.AudioDuration = duration(*u.Duration)
	}
	if u.Channels != nil {
		m.NumberOfChannels = *u.Channels
	}
	return m
}

// fetchUpload keeps what is at an address. One of this server's own uploads is what it was.
func (s *Server) fetchUpload(w http.ResponseWriter, r *http.Request) (store.Upload, error) {
	body, err := web.ReadBody(w, r, s.cfg.Limits.Body)
	if err != nil {
		return store.Upload{}, err
	}
	request, fault := messages.ParseUpload(body)
	if fault != nil {
		return store.Upload{}, fault
	}
	id, err := s.audioOf(r, &messages.PreRecordedRequest{AudioURL: request.AudioURL})
	if err != nil {
		return store.Upload{}, err
	}
	if id != "" {
		return s.measured(r.Context(), web.Account(r), id)
	}
	if err := s.awaitFetch(r.Context(), web.Account(r)); err != nil {
		return store.Upload{}, err
	}
	defer s.uploads.Give(web.Account(r))
	return s.fetch(r.Context(), web.Account(r), uuid.NewString(), request.AudioURL, s.deps.Media.Measure)
}

// awaitFetch waits until the account may have a file fetched for an upload, no longer than fetching it may take.
func (s *Server) awaitFetch(ctx context.Context, account string) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limits.Fetch)
	defer cancel()
	err := s.uploads.Take(ctx, account)
	if errors.Is(err, slots.ErrFull) || errors.Is(err, context.DeadlineExceeded) {
		return web.Refuse(http.StatusServiceUnavailable, "too many files are being fetched", s.cfg.Limits.RetryAfter)
	}
	return err
}

// receiveUpload keeps the file in a form's field audio.
func (s *Server) receiveUpload(w http.ResponseWriter, r *http.Request) (store.Upload, error) {
	var kept incoming
	defer kept.discard()
	err := s.readForm(w, r, func(p *multipart.Part) error {
		if p.FormName() != "audio" || kept.writer != nil {
			return nil
		}
		return s.receive(r.Context(), p, &kept)
	})
	if err != nil {
		return store.Upload{}, err
	}
	if kept.writer == nil {
		return store.Upload{}, badForm("audio must be given")
	}
	return s.keep(r.Context(), kept.writer, store.Upload{Account: web.Account(r), Filename: kept.filename}, s.deps.Media.Measure)
}

// badForm names what is wrong with a form.
func badForm(faults ...string) *messages.Problem {
	return &messages.Problem{Status: http.StatusBadRequest, Message: "the form is not valid", ValidationErrors: faults}
}

// incoming is a file on its way into the store. The zero value is one that did not come.
type incoming struct {
	writer   store.UploadWriter
	filename string
	media    string // type that its sender gave it, may be empty
	size     int64
}

// discard lets go of what was not kept.
func (f *incoming) discard() {
	if f.writer != nil {
		_ = f.writer.Discard() // the store removes it at its next start at the latest
	}
}

// receive writes a part of a form to a new upload, which is the caller's to keep or discard.
func (s *Server) receive(ctx context.Context, p *multipart.Part, to *incoming) error {
	writer, err := s.deps.Store.NewUpload(ctx, uuid.NewString())
	if err != nil {
		return err
	}
	to.writer, to.filename = writer, cleanName(p.FileName())
	to.media, _, _ = mime.ParseMediaType(p.Header.Get("Content-Type")) // what cannot be read is not told
	most := s.cfg.Limits.Upload
	in := &source{from: io.LimitReader(p, most+1)}
	to.size, err = io.CopyBuffer(onlyWriter{writer}, in, make([]byte, 256<<10))
	switch {
	case in.err != nil:
		return badBody(in.err, most)
	case err != nil:
		return keepFailed(err)
	case to.size > most:
		return tooLarge(most)
	}
	return nil
}

// source remembers what reading failed with, to tell it from what writing failed with.
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

// onlyWriter hides everything else, so that the copying is done with the buffer given.
type onlyWriter struct{ io.Writer }

// readForm gives each part of a multipart form to take, which need not read it.
func (s *Server) readForm(w http.ResponseWriter, r *http.Request, take func(*multipart.Part) error) error {
	most := s.cfg.Limits.Upload
	onStall := func() { s.metrics.Drop(metrics.DropBodyStalled) }
	r.Body = http.MaxBytesReader(w, web.NewPacedBody(w, r, s.cfg.Limits.Stall, s.cfg.Limits.UploadTime, onStall), most+formOverhead)
	form, err := r.MultipartReader()
	if err != nil {
		return badForm("the body must be a multipart form with a boundary")
	}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = take(part)
		} else {
			err = badBody(err, most)
		}
		if err != nil {
			return err
		}
	}
}

// badBody is why a form could not be read to its end.
func badBody(err error, most int64) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(most)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return web.BodyTooSlow(err)
	}
	p := badForm("the body must be a whole multipart form")
	p.Err = err
	return p
}

func tooLarge(most int64) error {
	return web.Problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("the file is larger than %d bytes", most))
}

// keepFailed is why the store did not take a file.
func keepFailed(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return &messages.Problem{Status: http.StatusInsufficientStorage, Message: "no space left to keep the file", Err: err}
	}
	return err
}

// keep commits a file if it is a recording. Its duration is kept where it is the true one, as of what was measured: headers
// are not believed.
func (s *Server) keep(ctx context.Context, writer store.UploadWriter, u store.Upload, look looker) (store.Upload, error) {
	info, err := s.look(ctx, look, writer.Path())
	if err != nil {
		return store.Upload{}, err
	}
	u.Extension, u.Channels, u.CreatedAt = info.Container, &info.Channels, messages.Stamp(time.Now()).Time
	if info.Exact {
		seconds := duration(info.Seconds)
		u.Duration = &seconds
	}
	kept, err := writer.Commit(ctx, u)
	if err != nil {
		return store.Upload{}, keepFailed(err)
	}
	return kept, nil
}

// looker looks at a file: [media.Decoder.Probe], or [media.Decoder.Measure] for who wants to know its duration before it is
// transcribed.
type looker func(ctx context.Context, path string) (media.Info, error)

// look looks at a file when it is its turn.
func (s *Server) look(ctx context.Context, look looker, path string) (media.Info, error) {
	select {
	case s.looks <- struct{}{}:
		defer func() { <-s.looks }()
	case <-ctx.Done():
		return media.Info{}, ctx.Err()
	}
	info, err := look(ctx, path)
	if ctx.Err() != nil {
		return media.Info{}, ctx.Err()
	}
	if err != nil {
		return media.Info{}, failure(err)
	}
	return info, nil
}

// duration is a recording's as its result tells it: of samples at 16 kHz, to the millisecond.
func duration(seconds float64) float64 {
	return messages.Seconds(int64(math.Round(seconds * asr.Rate)))
}

// measured is an upload with its duration. One that was fetched for a job has none.
func (s *Server) measured(ctx context.Context, account, id string) (store.Upload, error) {
	u, err := s.deps.Store.Upload(ctx, account, id)
	if err != nil || u.Duration != nil {
		return u, err
	}
	file, err := s.deps.Store.OpenUpload(ctx, account, id)
	if err != nil {
		return u, err
	}
	defer func() { _ = file.Close() }() // was only read
	info, err := s.look(ctx, s.deps.Media.Measure, file.Path())
	seconds := duration(info.Seconds)
	u.Duration = &seconds
	return u, err
}

// cleanName is a file's name as it may be shown: valid, without signs that control something, not too long.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if len(name) > maxFilename {
		name = strings.ToValidUTF8(name[:maxFilename], "")
	}
	return name
}
