package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"steno/audio"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

const (
	botPath   = "/v2/bots/transcribe"
	botFields = 64                     // fields of a bot's form
	botPoll   = 100 * time.Millisecond // between looks at the bot's job
)

// transcribeForBot transcribes what a meeting bot sends and answers when that is done: a bot asks once, and knows
// nothing of jobs. So the job is deleted with the answer. One that takes too long stays, for whoever looks for it.
func (s *Server) transcribeForBot(w http.ResponseWriter, r *http.Request) error {
	if err := s.canTake(); err != nil {
		return err
	}
	if !s.handlers.Enter() {
		return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
	}
	defer s.handlers.Leave()
	record, err := s.botJob(w, r)
	if err != nil {
		return err
	}
	answer, err := s.awaitBotJob(r.Context(), record)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// botJob makes a job of a bot's form.
func (s *Server) botJob(w http.ResponseWriter, r *http.Request) (store.Record, error) {
	var sent incoming
	defer func() { sent.discard() }()
	fields, err := s.readBotForm(w, r, &sent)
	if err != nil {
		return store.Record{}, err
	}
	asked, fault := messages.ParseBotForm(fields)
	if fault != nil {
		return store.Record{}, fault
	}
	if sent.writer == nil {
		return store.Record{}, badForm("audio must be given")
	}
	file, raw, err := s.playable(r.Context(), &sent, asked.SampleRate)
	if err != nil {
		return store.Record{}, err
	}
	defer file.discard()
	kept, err := s.keep(r.Context(), file.writer, store.Upload{Account: web.Account(r), Filename: sent.filename}, s.deps.Media.Probe)
	if err != nil {
		if raw && web.AsProblem(err).Status == http.StatusUnsupportedMediaType {
			err = badForm("sample_rate must be given where audio holds raw samples")
		}
		return store.Record{}, err
	}
	return s.enqueueForBot(w, r, asked, kept)
}

func (s *Server) enqueueForBot(w http.ResponseWriter, r *http.Request, asked *messages.BotRequest, kept store.Upload) (store.Record, error) {
	body, err := json.Marshal(map[string]any{"audio_url": s.addresses.File(r, kept.ID), "language_config": asked.LanguageConfig})
	if err != nil {
		return store.Record{}, fmt.Errorf("encode request: %w", err)
	}
	request, fault := messages.ParsePreRecorded(body)
	if fault != nil {
		return store.Record{}, fault
	}
	record, warnings, err := s.enqueue(r, request, kept.ID)
	if err != nil {
		// Nobody is told of the upload: it need not wait for the sweeper, who gets it otherwise.
		_ = s.deps.Store.DeleteUpload(r.Context(), web.Account(r), kept.ID)
		return record, err
	}
	s.policy.Announce(w, r, record.ID, append(asked.Warnings(), warnings...))
	return record, nil
}

// readBotForm takes in the audio and returns the other fields.
func (s *Server) readBotForm(w http.ResponseWriter, r *http.Request, to *incoming) (map[string][]string, error) {
	fields, room := map[string][]string{}, int64(messages.MaxRequestBody)
	n := 0
	err := s.readForm(w, r, func(p *multipart.Part) error {
		name := p.FormName()
		if name == "audio" && to.writer == nil {
			return s.receive(r.Context(), p, to)
		}
		if n++; n > botFields {
			return badForm(fmt.Sprintf("the form must not have more than %d fields", botFields))
		}
		value, err := io.ReadAll(io.LimitReader(p, room+1))
		if err != nil {
			return badBody(err, s.cfg.Limits.Upload)
		}
		if room -= int64(len(value)); room < 0 {
			return badForm("the fields beside audio must not be longer than 1 MiB")
		}
		fields[name] = append(fields[name], string(value))
		return nil
	})
	return fields, err
}

// playable is what was sent as a file with a header: as it is if it is one, else wrapped. Without a rate to wrap it with it
// is left to the decoder; raw tells that it is hardly a file.
func (s *Server) playable(ctx context.Context, sent *incoming, rate int) (file *incoming, raw bool, err error) {
	samples, err := os.Open(sent.writer.Path())
	if err != nil {
		return nil, false, fmt.Errorf("read audio: %w", err)
	}
	defer func() { _ = samples.Close() }() // was only read
	begin := make([]byte, 12)
	n, err := io.ReadFull(samples, begin)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, false, fmt.Errorf("read audio: %w", err)
	}
	if isFile(sent, begin[:n]) {
		return sent, false, nil
	}
	if rate == 0 {
		return sent, true, nil
	}
	file, err = s.wrap(ctx, samples, sent.size, rate)
	return file, false, err
}

// isFile tells by a name, a type or a beginning whether audio is a file rather than raw samples.
func isFile(f *incoming, begin []byte) bool {
	switch strings.ToLower(path.Ext(f.filename)) {
	case ".wav", ".mp3", ".flac", ".ogg", ".oga", ".opus", ".m4a", ".mp4", ".aac", ".webm", ".mka", ".mkv", ".amr":
		return true
	}
	switch f.media {
	case "audio/wav", "audio/x-wav", "audio/wave", "audio/mpeg", "audio/mp3", "audio/flac", "audio/ogg", "audio/opus",
		"audio/mp4", "audio/aac", "audio/webm", "audio/amr", "video/mp4", "video/webm":
		return true
	}
	for _, magic := range []string{"RIFF", "ID3", "fLaC", "OggS", "\x1a\x45\xdf\xa3", "#!AMR"} {
		if bytes.HasPrefix(begin, []byte(magic)) {
			return true
		}
	}
	return len(begin) >= 8 && string(begin[4:8]) == "ftyp"
}

// wrap copies raw mono samples into a new upload, behind a header.
func (s *Server) wrap(ctx context.Context, raw io.ReadSeeker, size int64, rate int) (*incoming, error) {
	if _, err := raw.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read audio: %w", err)
	}
	size -= size % 2 // half a sample is none
	writer, err := s.deps.Store.NewUpload(ctx, uuid.NewString())
	if err != nil {
		return nil, err
	}
	f := &incoming{writer: writer}
	header := audio.WAVHeader(audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: rate, Channels: 1}, size)
	if _, err = writer.Write(header); err == nil {
		_, err = io.Copy(onlyWriter{writer}, io.LimitReader(raw, size))
	}
	if err != nil {
		f.discard()
		return nil, keepFailed(err)
	}
	return f, nil
}

// awaitBotJob waits for a job's end and shows it as bots read it.
func (s *Server) awaitBotJob(ctx context.Context, record store.Record) (messages.BotAnswer, error) {
	tick := time.NewTicker(botPoll)
	defer tick.Stop()
	late := time.NewTimer(s.cfg.Limits.BotWait)
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			return messages.BotAnswer{}, ctx.Err()
		case <-s.life.Done():
			return messages.BotAnswer{}, web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
		case <-late.C:
			return messages.BotError(strconv.Itoa(http.StatusGatewayTimeout)), nil
		case <-tick.C:
		}
		now, err := s.deps.Store.Get(ctx, record.Account, record.ID)
		if err != nil {
			return messages.BotAnswer{}, err
		}
		if now.Finished() {
			return s.botAnswer(ctx, now)
		}
	}
}

func (s *Server) botAnswer(ctx context.Context, r store.Record) (messages.BotAnswer, error) {
	if err := s.deps.Store.Delete(ctx, r.Account, r.ID); err != nil {
		return messages.BotAnswer{}, err
	}
	if r.Status == messages.StatusError {
		return messages.BotError(strconv.Itoa(*r.ErrorCode)), nil
	}
	var result messages.PreRecordedResult
	if err := json.Unmarshal(r.Result, &result); err != nil {
		return messages.BotAnswer{}, fmt.Errorf("read result: %w", err)
	}
	if result.Transcription == nil {
		return messages.BotAnswer{}, errors.New("result has no transcription")
	}
	return messages.BotDone(*result.Transcription), nil
}
