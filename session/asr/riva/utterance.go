package riva

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// chunkSamples bounds one message of audio to a second of it.
const chunkSamples = asr.Rate

var (
	errEnded  = errors.New("utterance has already ended")
	errBroken = errors.New("write audio: call broken, Recv tells why")
)

type utterance struct {
	ctx          context.Context // given to Open
	callCtx      context.Context // of the call, within ctx
	cancel       context.CancelCauseFunc
	stream       rivapb.RivaSpeechRecognition_StreamingRecognizeClient
	params       asr.Params
	engine       string
	finalTimeout time.Duration
	pauses       bool // the server knows what a message without samples means

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

func (u *utterance) Write(samples []int16) error {
	if err := u.admit(len(samples)); err != nil {
		return err
	}
	for chunk := range slices.Chunk(samples, chunkSamples) {
		err := u.stream.Send(&rivapb.StreamingRecognizeRequest{
			StreamingRequest: &rivapb.StreamingRecognizeRequest_AudioContent{AudioContent: wire.Bytes(chunk)},
		})
		if err != nil {
			return failure(u.ctx, u.callCtx, errBroken)
		}
	}
	return nil
}

// Pause sends an engine process of ours a message without samples, which says that an end is likely. Another server
// might take it for an end.
func (u *utterance) Pause() error {
	if err := u.admit(0); err != nil {
		return err
	}
	if !u.pauses {
		return nil
	}
	err := u.stream.Send(&rivapb.StreamingRecognizeRequest{
		StreamingRequest: &rivapb.StreamingRecognizeRequest_AudioContent{},
	})
	if err != nil {
		return failure(u.ctx, u.callCtx, errBroken)
	}
	return nil
}

// admit counts samples about to be written.
func (u *utterance) admit(n int) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended {
		return errEnded
	}
	if u.samples+n > asr.MaxSamples {
		u.cancel(asr.ErrTooLong)
		return failure(u.ctx, u.callCtx, asr.ErrTooLong)
	}
	u.samples += n
	return nil
}

func (u *utterance) End() error {
	if err := u.markEnded(); err != nil {
		return err
	}
	if err := u.stream.CloseSend(); err != nil {
		return failure(u.ctx, u.callCtx, errBroken)
	}
	return nil
}

// markEnded starts the wait for the final.
func (u *utterance) markEnded() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended {
		return errEnded
	}
	if u.callCtx.Err() != nil {
		return failure(u.ctx, u.callCtx, nil)
	}
	u.ended = true
	u.timer = time.AfterFunc(u.finalTimeout, func() { u.cancel(errFinalTimeout) })
	return nil
}

func (u *utterance) Recv() (asr.Result, error) {
	for u.err == nil {
		response, err := u.stream.Recv()
		if err != nil {
			return u.finish(err)
		}
		partial, err := u.take(response)
		if err != nil {
			return u.fail(err)
		}
		if partial != nil && u.params.Partials {
			return *partial, nil
		}
	}
	return asr.Result{}, u.err
}

// take adds the final results of a response to the utterance's and returns what is now known of it as a partial, or
// nil where the response had nothing to say.
func (u *utterance) take(response *rivapb.StreamingRecognizeResponse) (*asr.Result, error) {
	samples, _ := u.progress()
	var tail []asr.Word
	untimed := false
	for _, result := range response.Results {
		if len(result.GetAlternatives()) == 0 {
			continue
		}
		best := result.Alternatives[0]
		words, timed := wire.Words(best, samples)
		u.learnLanguage(best)
		if len(u.words)+len(tail)+len(words) > wire.MaxWords {
			return nil, fmt.Errorf("%w: more than %d words", asr.ErrUnavailable, wire.MaxWords)
		}
		if result.IsFinal {
			u.words = append(u.words, words...)
			u.untimed = u.untimed || len(words) > 0 && !timed
		} else {
			tail = append(tail, words...)
			untimed = untimed || len(words) > 0 && !timed
		}
	}
	if len(u.words)+len(tail) == 0 {
		return nil, nil
	}
	return u.result(append(slices.Clip(slices.Clone(u.words)), tail...), !u.untimed && !untimed, false), nil
}

// learnLanguage notes the language that a server found, where it was not told.
func (u *utterance) learnLanguage(a *rivapb.SpeechRecognitionAlternative) {
	if tags := a.GetLanguageCode(); len(tags) > 0 && u.params.Language == "" {
		if code := wire.Code(tags[0]); code != "" {
			u.language = code
		}
	}
}

func (u *utterance) result(words []asr.Word, timed, final bool) *asr.Result {
	if !timed {
		wire.Untime(words)
	}
	return &asr.Result{
		Final: final, Words: words, Timed: timed && len(words) > 0, Language: u.language, Engine: u.engine,
	}
}

// finish turns the end of the call into the final, if it is the end that was asked for.
func (u *utterance) finish(err error) (asr.Result, error) {
	if !errors.Is(err, io.EOF) {
		return u.fail(wire.Cause(err))
	}
	if _, ended := u.progress(); !ended {
		return u.fail(fmt.Errorf("%w: server ended the call early", asr.ErrUnavailable))
	}
	result := u.result(u.words, !u.untimed, true)
	u.words = nil
	u.close(io.EOF)
	return *result, nil
}

func (u *utterance) fail(err error) (asr.Result, error) {
	err = failure(u.ctx, u.callCtx, err)
	u.close(err)
	return asr.Result{}, err
}

func (u *utterance) close(err error) {
	u.err = err
	u.mu.Lock()
	if u.timer != nil {
		u.timer.Stop()
	}
	u.mu.Unlock()
	u.cancel(err)
}

func (u *utterance) progress() (samples int, ended bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.samples, u.ended
}
