package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"syscall"
	"time"

	"steno/audio"
	"steno/audio/media"
	"steno/gateway/admission"
	"steno/gateway/web"
	"steno/messages"
	"steno/session"
	"steno/session/addon"
	"steno/session/asr"
	"steno/session/store"
)

// attempt is one try at a job, or at fetching its audio. It belongs to one goroutine at a time: the worker's, then perhaps
// that of its add-ons.
type attempt struct {
	server *Server
	lease  store.Lease
	began  time.Time

	request  *messages.PreRecordedRequest // nil until read
	seconds  float64                      // length of the audio, 0 until all was heard
	channels int                          // of the file; 0 until known
	distinct []int                        // those that are transcribed, ascending
	bytes    int64                        // of decoded audio
	voices   *voices                      // it once more, for those who need it; nil: nobody does
	heard    *messages.LiveResult         // nil until all was; with speakers, where they are told apart
	apart    *notApart                    // why they are not; nil: they are, or nobody asked
	result   *messages.PreRecordedResult  // nil until all is done
	kept     bool                         // the audio is an upload, be it a fetched one
	silenced string                       // upload that takes the place of the job's own; empty: none does
}

// listen takes the job from its file to its transcript. Errors are what [failure] knows, or of ctx.
func (a *attempt) listen(ctx context.Context) error {
	if err := a.read(); err != nil || a.lease.Exhausted() {
		return err
	}
	file, err := a.server.deps.Store.OpenUpload(ctx, a.lease.Record.Account, a.lease.Record.Upload)
	if err != nil {
		return err
	}
	a.kept = true
	defer func() { _ = file.Close() }() // was only read
	stream, err := a.server.deps.Media.Open(ctx, file.Path())
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }() // all was read, or an error told
	if err := a.tellDistinct(ctx, file.Path(), stream.Format()); err != nil {
		return err
	}
	heard, err := a.transcribe(ctx, stream)
	if err != nil {
		return err
	}
	a.heard, a.seconds = &heard, heard.Metadata.AudioDuration
	err = a.tellApart(ctx, file.Path())
	a.renumber(heard.Transcription.Utterances)
	return err
}

// read reads the job's request.
func (a *attempt) read() error {
	request, fault := messages.ParsePreRecorded(a.lease.Record.Params)
	if fault != nil {
		return errors.New("stored request: " + fault.Error()) // not wrapped: it is no fault of the client's
	}
	var err error
	if request.LanguageConfig.Languages, err = admission.Languages(a.lease.Record, request.LanguageConfig); err != nil {
		return err
	}
	a.request = request
	return nil
}

// transcribe runs the stream through a session as a live one is run, but for its pace.
func (a *attempt) transcribe(ctx context.Context, stream *media.Stream) (messages.LiveResult, error) {
	var none messages.LiveResult
	counted := &counter{from: stream}
	picked, format := a.picked(counted, stream)
	request, err := liveRequest(a.request, format)
	if err != nil {
		return none, err
	}
	decoded, err := a.gathered(picked, format)
	if err != nil {
		return none, err
	}
	heard, err := session.Replay(ctx, session.Config{
		ID: a.lease.Record.ID, Request: request, Recognizer: a.server.deps.Engines.For(a.request.Model),
		Priority: asr.Replay, Pending: pending(), EngineGrace: a.server.cfg.Limits.EngineGrace,
		MaxAudio: a.server.cfg.Limits.Recorded, Addons: addon.NewLive(request, addon.Ways{}), // vocabulary and spelling
	}, decoded)
	a.bytes = counted.n
	return heard, err
}

// gathered is what is decoded, of which what speakers are told apart by is kept aside where that is wanted.
func (a *attempt) gathered(decoded io.Reader, f audio.Format) (io.Reader, error) {
	if !a.request.Diarization {
		return decoded, nil
	}
	var err error
	if a.voices, err = newVoices(f, maxHeld); err != nil {
		return nil, err
	}
	return io.TeeReader(decoded, a.voices), nil
}

// counter counts what is read.
type counter struct {
	from io.Reader
	n    int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// pending is how many utterances of a channel may be under recognition: enough for every slot of the engine to have
// another one waiting, however different their lengths are.
func pending() int { return max(16, 4*runtime.NumCPU()) }

// liveRequest asks of a live session what the job asks for. Where utterances begin and end is left to the defaults of
// live sessions, so that a recording has the same ones either way.
func liveRequest(q *messages.PreRecordedRequest, f audio.Format) (*messages.LiveRequest, error) {
	body, err := json.Marshal(map[string]any{
		"encoding": f.Encoding.String(), "bit_depth": f.BitDepth, "sample_rate": f.SampleRate, "channels": f.Channels,
		"language_config": q.LanguageConfig,
		"realtime_processing": map[string]any{ // what is done to words before anything else
			"custom_vocabulary": q.CustomVocabulary, "custom_vocabulary_config": q.CustomVocabularyConfig,
			"custom_spelling": q.CustomSpelling, "custom_spelling_config": q.CustomSpellingConfig,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("encode session's request: %w", err)
	}
	request, fault := messages.ParseLive(body)
	if fault != nil {
		return nil, errors.New("session's request: " + fault.Error())
	}
	return request, nil
}

// failure tells what the client is told of a failed job.
func failure(err error) *messages.Problem {
	if p, ok := errors.AsType[*messages.Problem](err); ok {
		return p
	}
	if m, ok := errors.AsType[*media.Error](err); ok {
		return &messages.Problem{Status: m.Code, Message: m.Message, Err: err}
	}
	if f, ok := errors.AsType[*session.Failure](err); ok {
		return &messages.Problem{Status: f.Code, Message: f.Message, Err: err}
	}
	switch {
	case errors.Is(err, session.ErrFull):
		return &messages.Problem{Status: http.StatusRequestEntityTooLarge, Message: "the recording is too long", Err: err}
	case errors.Is(err, syscall.ENOSPC):
		return &messages.Problem{Status: http.StatusInsufficientStorage, Message: "no space left to keep the recording", Err: err}
	}
	return web.Internal(err)
}
