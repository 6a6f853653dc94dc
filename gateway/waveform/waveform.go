package waveform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"steno/audio"
	"steno/audio/media"
	"steno/gateway/limits"
	"steno/gateway/lru"
	"steno/gateway/records"
	"steno/gateway/uploads"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/semaphore"
	"steno/session/store"
)

const (
	readAtATime  = 2 // recordings, in all
	readWaiting  = 256
	readPatience = 30 * time.Second
	shortRead    = 3 * time.Second // for a recording; those that take longer let others pass

	shortStretch = 120.0 // seconds that are read for themselves
	perSecond    = audio.Rate / audio.TickSamples / audio.PeakTicks
)

// Deps are the parts that a Service works with. None but Media may be nil.
type Deps struct {
	Store      store.Uploads
	Records    *records.Service
	Media      *media.Decoder
	CheckMedia func(context.Context) error // whether Media can be used: nil, or the problem for clients
	Limits     limits.Limits
}

// Service answers requests for peaks. Its methods may be called from any goroutine.
type Service struct {
	Deps
	reading *semaphore.Lanes // recordings being read, by key
	cache   *lru.Cache[reader]
}

// New returns a service.
func New(d Deps) *Service {
	return &Service{Deps: d, reading: semaphore.NewLanes(readAtATime, shortRead, readWaiting),
		cache: lru.New[reader](cacheBytes)}
}

// Peaks are the peaks of a stretch of a recording.
type Peaks struct {
	Version         int                 `json:"version" doc:"Of the form: 2"`
	Channels        int                 `json:"channels" doc:"Of the recording"`
	SampleRate      int                 `json:"sample_rate" doc:"Of the recording, in Hz"`
	SamplesPerPixel int                 `json:"samples_per_pixel" doc:"Samples of a channel that a point stands for"`
	Bits            int                 `json:"bits" doc:"Of a value: 8"`
	Length          int                 `json:"length" doc:"Points of each channel"`
	Data            messages.List[int8] `json:"data" doc:"Of each point, of each channel: lowest, highest"`
	From            float64             `json:"from" doc:"Seconds"`
	Duration        float64             `json:"duration" doc:"Of the recording so far, in seconds"`
}

// Get answers with the peaks of a job of a kind.
func (s *Service) Get(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, fault := messages.ParsePeaksQuery(r.URL.Query())
		if fault != nil {
			return fault
		}
		record, err := s.Records.Find(r, kind)
		if err != nil {
			return err
		}
		answer, err := s.peaks(r.Context(), record, q)
		if err != nil {
			return err
		}
		web.WriteJSON(w, http.StatusOK, answer)
		return nil
	}
}

// peaks returns what a query asks for of a record's audio.
func (s *Service) peaks(ctx context.Context, record store.Record, q messages.PeaksQuery) (Peaks, error) {
	switch {
	case record.Kind == messages.JobLive:
		return s.peaksOfSession(ctx, record, q)
	case record.Upload == "":
		return Peaks{}, web.Problem(http.StatusNotFound, "there is no file of this job")
	}
	return s.cached(ctx, record.Upload, q, func(ctx context.Context, r *reader) error {
		return s.readUpload(ctx, record, r)
	})
}

// peaksOfSession returns what a query asks for of a session's recording so far.
func (s *Service) peaksOfSession(ctx context.Context, record store.Record, q messages.PeaksQuery) (Peaks, error) {
	recording, err := s.Records.OpenRecording(ctx, record)
	if err != nil {
		return Peaks{}, err
	}
	defer func() { _ = recording.Close() }() // was only read
	recording.Whole()
	if from, to := span(q, recording.Seconds()); to-from <= shortStretch {
		return peaksOf(recording, from, to, q.Points)
	}
	return s.cached(ctx, record.ID, q, func(ctx context.Context, r *reader) error {
		return r.readMore(ctx, recording)
	})
}

// cached returns what a query asks for of the peaks that are kept under a name, after read has made
// them complete.
func (s *Service) cached(
	ctx context.Context, name string, q messages.PeaksQuery, read func(context.Context, *reader) error,
) (answer Peaks, err error) {
	ctx, cancel := context.WithTimeout(ctx, readPatience)
	defer cancel()
	p := web.PrincipalIn(ctx)
	err = s.reading.Do(ctx, string(p.Key[:]), func(ctx context.Context) error {
		return s.cache.Use(ctx, name, func(r *reader) (int64, error) {
			if err := read(ctx, r); err != nil {
				return 0, err
			}
			from, to := span(q, float64(r.peaks.Len())/perSecond)
			answer = slice(r.peaks, from, to, 0, q.Points)
			return r.peaks.Size(), nil
		})
	})
	return answer, s.busy(err)
}

// busy returns an error of waiting in the form for clients.
func (s *Service) busy(err error) error {
	if errors.Is(err, semaphore.ErrFull) || errors.Is(err, context.DeadlineExceeded) {
		return web.Refuse(http.StatusServiceUnavailable, "too many recordings are being read", s.Limits.RetryAfter)
	}
	return err
}

// readUpload reads a recorded file, unless it was read before.
func (s *Service) readUpload(ctx context.Context, record store.Record, r *reader) error {
	if r.peaks != nil {
		return nil
	}
	if err := s.CheckMedia(ctx); err != nil {
		return err
	}
	file, err := s.Store.OpenUpload(ctx, record.Account, record.Upload)
	if err != nil {
		return fmt.Errorf("open file: %w", err)
	}
	defer func() { _ = file.Close() }() // was only read
	stream, err := s.open(ctx, record, file.Path())
	if err != nil {
		return problem(err)
	}
	peaks := audio.NewPeaks(stream.Format())
	_, err = io.Copy(peaks, stream)
	if err := errors.Join(err, stream.Close()); err != nil {
		return problem(err)
	}
	r.peaks = peaks
	return nil
}

// open decodes the tracks that the job has transcribed. A redacted copy holds them alone.
func (s *Service) open(ctx context.Context, record store.Record, path string) (*media.Stream, error) {
	var params struct {
		AudioTrack json.RawMessage `json:"audio_track"`
	}
	if err := json.Unmarshal(record.Params, &params); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	track := messages.AudioTrack(strings.Trim(string(params.AudioTrack), `"`))
	upload, err := s.Store.Upload(ctx, record.Account, record.Upload)
	if err != nil {
		return nil, fmt.Errorf("find file: %w", err)
	}
	decoder := s.Media.As(upload.Extension)
	stream, err := decoder.Of(uploads.TrackOf(track)).Open(ctx, path)
	if fault, ok := errors.AsType[*media.Error](err); ok && fault.Reason == media.NoTrack {
		return decoder.Open(ctx, path)
	}
	return stream, err
}

// problem returns the error of a file that cannot be decoded in the form for clients.
func problem(err error) error {
	if fault, ok := errors.AsType[*media.Error](err); ok && fault.Reason != media.Failed {
		return &messages.Problem{Status: http.StatusUnprocessableEntity, Message: fault.Message, Err: err}
	}
	return fmt.Errorf("decode file: %w", err)
}

// Level returns the level of the last part of a session's recording, of its loudest channel,
// between 0 and 1.
func (s *Service) Level(ctx context.Context, record store.Record) (float64, error) {
	p, err := s.peaks(ctx, record, messages.PeaksQuery{From: -0.3, Points: 1})
	if err != nil {
		return 0, err
	}
	loudest := 0
	for _, v := range p.Data {
		loudest = max(loudest, int(v), -int(v))
	}
	return float64(loudest) / 128, nil
}
