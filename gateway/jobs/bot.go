package jobs

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
	"steno/gateway/uploads"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

const (
	botFields = 64                     // fields of a bot's form
	botPoll   = 100 * time.Millisecond // between looks at the bot's job
)

// TranscribeForBot transcribes what a meeting bot sends and answers when that is done: a bot asks once, and knows
// nothing of jobs. So the job is deleted with the answer. One that takes too long stays, for whoever looks for it.
func (s *Service) TranscribeForBot(w http.ResponseWriter, r *http.Request) error {
	if err := s.Uploads.Check(); err != nil {
		return err
	}
	if !s.InFlight.Enter() {
		return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.Limits.RetryAfter)
	}
	defer s.InFlight.Leave()
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
func (s *Service) botJob(w http.ResponseWriter, r *http.Request) (store.Record, error) {
	var sent uploads.File
	defer func() { sent.Discard() }()
	fields, err := s.readBotForm(w, r, &sent)
	if err != nil {
		return store.Record{}, err
	}
	asked, fault := messages.ParseBotForm(fields)
	if fault != nil {
		return store.Record{}, fault
	}
	if !sent.Received() {
		return store.Record{}, uploads.BadForm("audio must be given")
	}
	file, raw, err := s.playable(r.Context(), &sent, asked.SampleRate)
	if err != nil {
		return store.Record{}, err
	}
	defer file.Discard()
	kept, err := s.Uploads.Commit(r.Context(), file.Writer, store.Upload{Account: web.Account(r), Filename: sent.Name}, s.Media.Probe)
	if err != nil {
		if raw && web.AsProblem(err).Status == http.StatusUnsupportedMediaType {
			err = uploads.BadForm("sample_rate must be given where audio holds raw samples")
		}
		return store.Record{}, err
	}
	return s.enqueueForBot(w, r, asked, kept)
}

func (s *Service) enqueueForBot(w http.ResponseWriter, r *http.Request, asked *messages.BotRequest, kept store.Upload) (store.Record, error) {
	body, err := json.Marshal(map[string]any{"audio_url": s.Addresses.File(r, kept.ID), "language_config": asked.LanguageConfig})
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
		_ = s.Store.DeleteUpload(r.Context(), web.Account(r), kept.ID)
		return record, err
	}
	s.Policy.Announce(w, r, record.ID, append(asked.Warnings(), warnings...))
	return record, nil
}

// readBotForm takes in the audio and returns the other fields.
func (s *Service) readBotForm(w http.ResponseWriter, r *http.Request, to *uploads.File) (map[string][]string, error) {
	fields, room := map[string][]string{}, int64(messages.MaxRequestBody)
	n := 0
	err := s.Uploads.ReadForm(w, r, func(p *multipart.Part) error {
		name := p.FormName()
		if name == "audio" && !to.Received() {
			return s.Uploads.Receive(r.Context(), p, to)
		}
		if n++; n > botFields {
			return uploads.BadForm(fmt.Sprintf("the form must not have more than %d fields", botFields))
		}
		value, err := io.ReadAll(io.LimitReader(p, room+1))
		if err != nil {
			return s.Uploads.BadBody(err)
		}
		if room -= int64(len(value)); room < 0 {
			return uploads.BadForm("the fields beside audio must not be longer than 1 MiB")
		}
		fields[name] = append(fields[name], string(value))
		return nil
	})
	return fields, err
}

// playable is what was sent as a file with a header: as it is if it is one, else wrapped. Without a rate to wrap it with it
// is left to the decoder; raw tells that it is hardly a file.
func (s *Service) playable(ctx context.Context, sent *uploads.File, rate int) (file *uploads.File, raw bool, err error) {
	samples, err := os.Open(sent.Writer.Path())
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
	file, err = s.wrap(ctx, samples, sent.Size, rate)
	return file, false, err
}

// isFile tells by a name, a type or a beginning whether audio is a file rather than raw samples.
func isFile(f *uploads.File, begin []byte) bool {
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
		if bytes.HasPrefix(begin, []byte(magic)) {
			return true
		}
	}
	return len(begin) >= 8 && string(begin[4:8]) == "ftyp"
}

// wrap copies raw mono samples into a new upload, behind a header.
func (s *Service) wrap(ctx context.Context, raw io.ReadSeeker, size int64, rate int) (*uploads.File, error) {
	if _, err := raw.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read audio: %w", err)
	}
	size -= size % 2 // half a sample is none
	writer, err := s.Store.NewUpload(ctx, uuid.NewString())
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

// awaitBotJob waits for a job's end and shows it as bots read it.
func (s *Service) awaitBotJob(ctx context.Context, record store.Record) (messages.BotAnswer, error) {
	tick := time.NewTicker(botPoll)
	defer tick.Stop()
	late := time.NewTimer(s.Limits.BotWait)
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			return messages.BotAnswer{}, ctx.Err()
		case <-s.life.Done():
			return messages.BotAnswer{}, web.Refuse(http.StatusServiceUnavailable, "shutting down", s.Limits.RetryAfter)
		case <-late.C:
			return messages.BotError(strconv.Itoa(http.StatusGatewayTimeout)), nil
		case <-tick.C:
		}
		now, err := s.Store.Get(ctx, record.Account, record.ID)
		if err != nil {
			return messages.BotAnswer{}, err
		}
		if now.Finished() {
			return s.botAnswer(ctx, now)
		}
	}
}

func (s *Service) botAnswer(ctx context.Context, r store.Record) (messages.BotAnswer, error) {
	if err := s.Store.Delete(ctx, r.Account, r.ID); err != nil {
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
