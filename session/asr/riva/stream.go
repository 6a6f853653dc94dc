package riva

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/metadata"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

const (
	// chunkSamples bounds one message of audio to a second of it.
	chunkSamples = asr.Rate
	// stepSamples is the audio between messages: 100 ms. Engines decode in steps of this length or
	// of several, counted from the utterance's beginning, so that nothing is lost by sending at
	// their ends alone.
	stepSamples = asr.Rate / 10
)

var (
	errEnded  = errors.New("utterance has already ended")
	errBroken = errors.New("write audio: call broken, Recv tells why")
)

type stream struct {
	ctx          context.Context // given to Open
	callCtx      context.Context // of the call, within ctx
	cancel       context.CancelCauseFunc
	call         rivapb.RivaSpeechRecognition_StreamingRecognizeClient
	params       asr.Params
	engine       string
	finalTimeout time.Duration
	pauses       bool // the server knows the meaning of a message without samples
	cuts         bool // the server knows the messages of asr.Cutter
	follows      bool // the server knows that of asr.Follower

	// Of the goroutine that writes.
	held    []int16     // written and not sent: less than a step
	sending *time.Timer // runs while a request is being sent; nil before the first

	mu      sync.Mutex
	samples int // written
	ended   bool
	timer   *time.Timer // for the final; nil before End

	// Of Recv's goroutine.
	language string
	words    []asr.Word // of the final results so far
	untimed  bool       // one of them had no times
	err      error      // what Recv returns from now on
}

// Write sends what completes a step, together with what was written before.
func (s *stream) Write(samples []int16) error {
	total, err := s.admit(len(samples))
	if err != nil {
		return err
	}
	if held := len(s.held) + len(samples); (total-held)/stepSamples < total/stepSamples {
		return s.flush(samples)
	}
	if s.held == nil {
		s.held = make([]int16, 0, stepSamples)
	}
	s.held = append(s.held, samples...)
	return nil
}

// chunkBuffers are the bytes of messages that are being sent: gRPC has encoded a message when Send
// returns, and does not keep it.
var chunkBuffers = sync.Pool{New: func() any { return new([2 * chunkSamples]byte) }}

// flush sends what is held, then the samples.
func (s *stream) flush(samples []int16) error {
	buf := chunkBuffers.Get().(*[2 * chunkSamples]byte)
	defer chunkBuffers.Put(buf)
	message := audio.AppendPCM(buf[:0], s.held)
	for s.held = s.held[:0]; len(samples) > 0 || len(message) > 0; message = buf[:0] {
		n := min(len(samples), (len(buf)-len(message))/2)
		message = audio.AppendPCM(message, samples[:n])
		samples = samples[n:]
		err := s.transmit(&rivapb.StreamingRecognizeRequest{
			StreamingRequest: &rivapb.StreamingRecognizeRequest_AudioContent{AudioContent: message},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// transmit sends a request. It cancels the call if the server accepts none for as long as a final
// may take: otherwise a server that seems healthy could block the utterance for ever.
func (s *stream) transmit(request *rivapb.StreamingRecognizeRequest) error {
	if s.sending == nil {
		s.sending = time.AfterFunc(s.finalTimeout, func() { s.cancel(errStalled) })
	} else {
		s.sending.Reset(s.finalTimeout)
	}
	defer s.sending.Stop()
	if s.call.Send(request) != nil {
		return failure(s.ctx, s.callCtx, errBroken)
	}
	return nil
}

// Pause sends an engine program a message without samples, which means that an end is likely.
// Another server might take it for the end.
func (s *stream) Pause() error {
	if !s.pauses {
		return s.send(nil)
	}
	return s.send(&rivapb.StreamingRecognizeRequest{
		StreamingRequest: &rivapb.StreamingRecognizeRequest_AudioContent{},
	})
}

// Tentative implements [asr.Cutter].
func (s *stream) Tentative(n int) error {
	if !s.cuts {
		return nil
	}
	return s.send(wire.Tentative(n))
}

// Cut implements [asr.Cutter]. What was written stays counted: it only bounds what is sent.
func (s *stream) Cut(n int) error {
	if !s.cuts {
		return fmt.Errorf("cut utterance: %w", errors.ErrUnsupported)
	}
	return s.send(wire.Cut(n))
}

// Follow implements [asr.Follower].
func (s *stream) Follow(samples []int16) error {
	if !s.follows {
		return nil
	}
	return s.send(wire.Follow(samples))
}

// send sends what is held and then the request, if it is not nil.
func (s *stream) send(request *rivapb.StreamingRecognizeRequest) error {
	if _, err := s.admit(0); err != nil {
		return err
	}
	if err := s.flush(nil); err != nil {
		return err
	}
	if request != nil {
		return s.transmit(request)
	}
	return nil
}

// admit counts samples that are about to be written, and returns how many there are with them.
func (s *stream) admit(n int) (total int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return 0, errEnded
	}
	if s.samples+n > asr.MaxSamples {
		s.cancel(asr.ErrTooLong)
		return 0, failure(s.ctx, s.callCtx, asr.ErrTooLong)
	}
	s.samples += n
	return s.samples, nil
}

func (s *stream) End() error {
	if err := s.markEnded(); err != nil {
		return err
	}
	if err := s.flush(nil); err != nil {
		return err
	}
	if err := s.call.CloseSend(); err != nil {
		return failure(s.ctx, s.callCtx, errBroken)
	}
	return nil
}

// markEnded starts the timer of the final.
func (s *stream) markEnded() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return errEnded
	}
	if s.callCtx.Err() != nil {
		return failure(s.ctx, s.callCtx, nil)
	}
	s.ended = true
	s.timer = time.AfterFunc(s.finalTimeout, func() { s.cancel(errFinalTimeout) })
	return nil
}

func (s *stream) Recv() (asr.Result, error) {
	for s.err == nil {
		response, err := s.call.Recv()
		if err != nil {
			return s.finish(err)
		}
		partial, err := s.take(response)
		if err != nil {
			return s.fail(err)
		}
		if partial != nil && s.params.Partials {
			return *partial, nil
		}
	}
	return asr.Result{}, s.err
}

// take adds the final results of a response to the utterance's. It returns what is known of the
// utterance as a partial, or nil if the response was empty.
func (s *stream) take(response *rivapb.StreamingRecognizeResponse) (*asr.Result, error) {
	samples, _ := s.progress()
	var tail []asr.Word
	untimed, from := false, lastStart(s.words)
	for _, result := range response.Results {
		if len(result.GetAlternatives()) == 0 {
			continue
		}
		best := result.Alternatives[0]
		words, timed := wire.Words(best, from, samples)
		from = max(from, lastStart(words))
		s.learnLanguage(best)
		if len(s.words)+len(tail)+len(words) > wire.MaxWords {
			return nil, fmt.Errorf("%w: more than %d words", asr.ErrUnavailable, wire.MaxWords)
		}
		if result.IsFinal {
			s.words = append(s.words, words...)
			s.untimed = s.untimed || len(words) > 0 && !timed
		} else {
			tail = append(tail, words...)
			untimed = untimed || len(words) > 0 && !timed
		}
	}
	if len(s.words)+len(tail) == 0 {
		return nil, nil
	}
	return s.result(append(slices.Clip(slices.Clone(s.words)), tail...), !s.untimed && !untimed, false), nil
}

// lastStart returns where the last word begins.
func lastStart(words []asr.Word) int {
	if len(words) == 0 {
		return 0
	}
	return words[len(words)-1].Start
}

// learnLanguage keeps the language that a server detected, if none was asked for and the utterance
// may be in it.
func (s *stream) learnLanguage(a *rivapb.SpeechRecognitionAlternative) {
	tags, among := a.GetLanguageCode(), s.params.Languages
	if len(tags) == 0 || s.params.Language != "" {
		return
	}
	if code := wire.Code(tags[0]); code != "" && (len(among) == 0 || slices.Contains(among, code)) {
		s.language = code
	}
}

func (s *stream) result(words []asr.Word, timed, final bool) *asr.Result {
	if !timed {
		wire.Untime(words)
	}
	return &asr.Result{
		Final: final, Words: words, Timed: timed && len(words) > 0, Language: s.language, Engine: s.engine,
	}
}

// finish returns the final if the call ended as asked for, else the error.
func (s *stream) finish(err error) (asr.Result, error) {
	if !errors.Is(err, io.EOF) {
		return s.fail(wire.Cause(err))
	}
	if _, ended := s.progress(); !ended {
		return s.fail(fmt.Errorf("%w: server ended the call early", asr.ErrUnavailable))
	}
	result := s.result(s.words, !s.untimed, true)
	result.Queued, result.Dropped = queued(s.call.Trailer()), dropped(s.call.Trailer())
	s.words = nil
	s.close(io.EOF)
	return *result, nil
}

// queued returns how long the final waited, as reported by an engine program; 0 if it is not
// reported.
func queued(trailer metadata.MD) time.Duration {
	for _, text := range trailer.Get(wire.QueuedKey) {
		if d, err := time.ParseDuration(text); err == nil {
			return max(d, 0)
		}
	}
	return 0
}

// dropped returns why words were left out, as reported by an engine program; empty if it is not
// reported.
func dropped(trailer metadata.MD) string {
	for _, text := range trailer.Get(wire.DroppedKey) {
		return text[:min(len(text), wire.MaxDropped)]
	}
	return ""
}

func (s *stream) fail(err error) (asr.Result, error) {
	err = failure(s.ctx, s.callCtx, err)
	s.close(err)
	return asr.Result{}, err
}

func (s *stream) close(err error) {
	s.err = err
	s.mu.Lock()
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	s.cancel(err)
}

func (s *stream) progress() (samples int, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.samples, s.ended
}
