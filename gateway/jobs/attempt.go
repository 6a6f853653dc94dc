package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/google/uuid"

	"steno/audio/media"
	"steno/gateway/admission"
	"steno/gateway/tracing"
	"steno/gateway/uploads"
	"steno/messages"
	"steno/session"
	"steno/session/addon/redact"
	"steno/session/store"
	"steno/session/transcribe"
)

// attempt is one run of a job, or of fetching its audio, under its lease. It is used by one
// goroutine at a time: the worker's, then perhaps that of the job's post-processing. The stages
// pass their results on as values; an attempt keeps what its end needs, at whatever stage it fails.
type attempt struct {
	service *Service
	lease   store.Lease
	began   time.Time
	span    *tracing.Span

	request *messages.PreRecordedRequest // nil: not read, or invalid
	stored  bool                         // the audio is an upload; fetched audio has the job's own id
	outcome store.Outcome                // so far
}

// errExhausted reports that the job has had all its attempts and is only to be finished.
var errExhausted = errors.New("no attempt is left")

func (s *Service) newAttempt(lease store.Lease) *attempt {
	return &attempt{
		service: s, lease: lease, began: time.Now(), span: s.Tracer.Job(lease.Record.ID, lease.Attempt),
	}
}

// readRequest reads the job's request.
func (a *attempt) readRequest() error {
	request, fault := messages.ParsePreRecorded(a.lease.Record.Params, a.service.Addons.Declarations()...)
	if fault != nil {
		return errors.New("stored request: " + fault.Error()) // not wrapped: it is not the client's fault
	}
	var err error
	if request.Dialect, err = messages.DialectOf(a.lease.Record.Params); err != nil {
		return fmt.Errorf("stored request: %w", err)
	}
	if request.LanguageConfig.Languages, err = admission.Languages(a.lease.Record, request.LanguageConfig); err != nil {
		return err
	}
	a.request = request
	if a.lease.Exhausted() {
		return errExhausted
	}
	return nil
}

// job returns the job for package transcribe.
func (a *attempt) job(ctx context.Context) transcribe.Job {
	s := a.service
	engine := s.Policy.Engine(ctx, a.request.Model, a.request.LanguageConfig.Languages).Engine
	return transcribe.Job{
		ID: a.lease.Record.ID, Request: a.request, Party: a.lease.Record.Account, Diarizer: s.Diarizer,
		Recognizer: s.Admission.Recognizer(s.Engines.For(a.request.Model), engine),
		Addons:     s.Addons, EngineGrace: s.Limits.EngineGrace, MaxAudio: s.Limits.Recorded,
		Unheard: s.Metrics.Unheard, Noise: s.Metrics.Noise,
	}
}

// track returns the tracks that the job wants.
func (a *attempt) track() media.Track { return uploads.TrackOf(a.request.AudioTrack) }

// source decodes the job's file. The decoder depends on the upload's extension.
func (a *attempt) source(ctx context.Context, file store.UploadFile) (transcribe.Source, error) {
	u, err := a.service.Store.Upload(ctx, a.lease.Record.Account, a.upload())
	return transcribe.File(a.service.Media.Of(a.track()).As(u.Extension), file.Path()), err
}

// transcribe decodes and transcribes the job's file, with speakers if the job asks for them.
func (a *attempt) transcribe(ctx context.Context) (transcribe.Transcript, error) {
	var none transcribe.Transcript
	if err := a.readRequest(); err != nil {
		return none, err
	}
	file, err := a.service.Store.OpenUpload(ctx, a.lease.Record.Account, a.lease.Record.Upload)
	if err != nil {
		return none, err
	}
	a.stored = true
	defer func() { _ = file.Close() }() // was only read
	source, err := a.source(ctx, file)
	if err != nil {
		return none, err
	}
	recording, err := transcribe.Decode(ctx, source)
	if recording != nil {
		a.outcome.Channels = recording.Format.Channels
	}
	if err != nil {
		return none, err
	}
	defer func() { _ = recording.Close() }() // all was read, or there is another error
	job := a.job(ctx)
	var end func()
	job.Heard, end = a.service.progress.begin(job.ID)
	defer end()
	job.Final = a.service.waiters.of(job.ID).begin()
	transcript, err := job.Transcribe(ctx, recording)
	if err != nil {
		return none, err
	}
	a.outcome.Seconds = transcript.Metadata.AudioDuration
	return job.Diarize(ctx, transcript)
}

// postProcess makes the job's result from its transcript, and stores a redacted copy of the
// recording if the result hides something.
func (a *attempt) postProcess(ctx context.Context, t transcribe.Transcript) (*messages.PreRecordedResult, error) {
	result, err := a.job(ctx).Enrich(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(result.Silences) > 0 {
		if err := a.redact(ctx, t, result.Silences); err != nil {
			return nil, fmt.Errorf("silence what is hidden: %w", err)
		}
	}
	return &result.PreRecordedResult, nil
}

// redact stores a copy of the recording that is silent in the spans. The end of the job replaces
// the original with it.
func (a *attempt) redact(ctx context.Context, t transcribe.Transcript, spans []redact.Span) error {
	s, account := a.service, a.lease.Record.Account
	if err := s.postProcessing.encoding.Acquire(ctx, account, 1); err != nil {
		return err
	}
	defer s.postProcessing.encoding.Release(account, 1)
	file, err := s.Store.OpenUpload(ctx, account, a.upload())
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // was only read
	id := uuid.NewString()
	writer, err := s.Store.NewUpload(ctx, id)
	if err != nil {
		return err
	}
	defer func() { _ = writer.Discard() }() // does nothing after Commit
	source, err := a.source(ctx, file)
	if err != nil {
		return err
	}
	if err := t.Redact(ctx, source, s.Media, spans, writer); err != nil {
		return errors.Join(ctx.Err(), uploads.WriteProblem(err))
	}
	if err := a.commitRedacted(ctx, writer); err != nil {
		return err
	}
	a.outcome.Upload = id
	return nil
}

// commitRedacted commits the redacted copy with the properties of the original.
func (a *attempt) commitRedacted(ctx context.Context, redacted store.UploadWriter) error {
	account := a.lease.Record.Account
	original, err := a.service.Store.Upload(ctx, account, a.upload())
	if err != nil {
		return err
	}
	seconds, channels := a.outcome.Seconds, a.outcome.Channels
	if _, err := redacted.Commit(ctx, store.Upload{
		Account: account, Key: original.Key, Filename: flacName(original.Filename), Extension: "flac",
		Source: original.Source, Duration: &seconds,
		Channels: &channels, CreatedAt: messages.Stamp(time.Now()).Time,
	}); err != nil {
		return uploads.WriteProblem(err)
	}
	return nil
}

// flacName returns the name of a file once it is converted to FLAC.
func flacName(name string) string {
	if name == "" {
		return ""
	}
	return strings.TrimSuffix(name, path.Ext(name)) + ".flac"
}

// upload returns the id of the upload that holds the job's audio.
func (a *attempt) upload() string {
	if a.lease.Record.Upload != "" {
		return a.lease.Record.Upload
	}
	return a.lease.Record.ID // it was fetched
}

// fetch stores the job's audio as an upload and returns the job to the queue. The upload has the
// job's own id, so that another attempt finds it.
func (a *attempt) fetch(ctx context.Context) error {
	if err := a.readRequest(); err != nil {
		return err
	}
	s, r := a.service, a.lease.Record
	_, err := s.Store.Upload(ctx, r.Account, r.ID)
	if errors.Is(err, store.ErrNotFound) {
		_, err = s.Uploads.Fetch(ctx, uploads.OwnerOfRecord(r), r.ID, a.request.AudioURL,
			func(d *media.Decoder, ctx context.Context, path string) (media.Info, error) {
				return d.Of(a.track()).Probe(ctx, path)
			})
	}
	if err != nil {
		return err
	}
	a.stored = true
	if err := s.Store.FetchedJob(ctx, a.lease, r.ID); err != nil {
		return fmt.Errorf("keep what was fetched: %w", err)
	}
	return nil
}

// failure returns the problem of a failed job, with the text for the client.
func failure(err error) *messages.Problem {
	if f, ok := errors.AsType[*session.Failure](err); ok {
		return &messages.Problem{Status: f.Reason.Status(), Message: f.Message, Err: err}
	}
	if errors.Is(err, session.ErrFull) {
		return &messages.Problem{Status: http.StatusRequestEntityTooLarge, Message: "the recording is too long",
			Err: err}
	}
	return uploads.RecordingProblem(err)
}
