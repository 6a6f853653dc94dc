package riva

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
)

const (
	// maxTurns bounds a diarization: one turn a second for a day.
	maxTurns = 24 * 60 * 60
	// maxSpeakers bounds the speakers in it.
	maxSpeakers = 1000
)

var (
	errNoAnswer = fmt.Errorf("%w: no answer in time", asr.ErrUnavailable)
	errNonsense = fmt.Errorf("%w: the engine's answer makes no sense", asr.ErrUnavailable)
)

// capabilityFailure returns why a call for a capability ended. Stock servers offer none.
func capabilityFailure(ctx, callCtx context.Context, err error) error {
	switch status.Code(err) {
	case codes.Unimplemented:
		err = fmt.Errorf("%w: the server has no such ability", asr.ErrUnavailable)
	default:
		if err = wire.Cause(err); errors.Is(err, asr.ErrTooLong) {
			err = fmt.Errorf("%w: %w", asr.ErrUnavailable, err)
		}
	}
	return failure(ctx, callCtx, err)
}

// Identify implements [asr.Identifier]. It sends the first [asr.MaxSamples] at most.
func (r *Recognizer) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	unknown := func(code string) bool { return wire.Tag(code) == "" }
	known := slices.DeleteFunc(slices.Clone(among), unknown)
	if len(known) > wire.MaxLanguages || len(known) == 0 && len(among) > 0 {
		return "", fmt.Errorf("identify language: %w", asr.ErrLanguage)
	}
	if len(samples) == 0 {
		return "", fmt.Errorf("identify language: %w: no audio", asr.ErrUnavailable)
	}
	callCtx, cancel := context.WithTimeoutCause(ctx, r.config.CallTimeout, errNoAnswer)
	defer cancel()
	answer, err := r.engine.Identify(r.outgoing(callCtx), &enginepb.IdentifyRequest{
		Audio: audio.AppendPCM(nil, samples[:min(len(samples), asr.MaxSamples)]), Languages: known,
	})
	if err != nil {
		return "", fmt.Errorf("identify language: %w", capabilityFailure(ctx, callCtx, err))
	}
	code := answer.GetLanguage()
	if unknown(code) || len(known) > 0 && !slices.Contains(known, code) {
		return "", fmt.Errorf("identify language: %w", errNonsense)
	}
	return code, nil
}

// Punctuate implements [asr.Punctuator] for texts of at most [wire.MaxText] bytes.
func (r *Recognizer) Punctuate(ctx context.Context, language, text string) (string, error) {
	if len(text) > wire.MaxText {
		return "", fmt.Errorf("punctuate: %w: text longer than %d bytes", asr.ErrUnavailable, wire.MaxText)
	}
	callCtx, cancel := context.WithTimeoutCause(ctx, r.config.CallTimeout, errNoAnswer)
	defer cancel()
	answer, err := r.engine.Punctuate(r.outgoing(callCtx), &enginepb.PunctuateRequest{Language: language, Text: text})
	if err != nil {
		return "", fmt.Errorf("punctuate: %w", capabilityFailure(ctx, callCtx, err))
	}
	if got := answer.GetText(); len(got) > 2*wire.MaxText || got == "" && text != "" {
		return "", fmt.Errorf("punctuate: %w", errNonsense)
	}
	return answer.GetText(), nil
}

// Diarize implements [asr.Diarizer].
func (r *Recognizer) Diarize(ctx context.Context, samples []int16, want asr.Speakers) ([]asr.Turn, error) {
	length := time.Duration(len(samples)) * time.Second / asr.Rate
	callCtx, cancel := context.WithTimeoutCause(ctx, r.config.CallTimeout+length, errNoAnswer)
	defer cancel()
	answer, err := r.diarize(callCtx, samples, want)
	if err != nil {
		return nil, fmt.Errorf("tell speakers apart: %w", capabilityFailure(ctx, callCtx, err))
	}
	turns, err := turnsOf(answer.GetTurns(), len(samples))
	if err != nil {
		return nil, fmt.Errorf("tell speakers apart: %w", err)
	}
	return turns, nil
}

func (r *Recognizer) diarize(ctx context.Context, samples []int16, want asr.Speakers) (*enginepb.Diarized, error) {
	stream, err := r.engine.Diarize(r.outgoing(ctx))
	if err != nil {
		return nil, err
	}
	err = stream.Send(&enginepb.DiarizeRequest{Speakers: int32(min(max(want.Exactly, 0), maxSpeakers))})
	for chunk := range slices.Chunk(samples, chunkSamples) {
		if err != nil {
			break // CloseAndRecv returns why
		}
		err = stream.Send(&enginepb.DiarizeRequest{Audio: audio.AppendPCM(nil, chunk)})
	}
	return stream.CloseAndRecv()
}

// turnsOf checks and converts an engine's answer about that many samples.
func turnsOf(list []*enginepb.Turn, samples int) ([]asr.Turn, error) {
	if len(list) > maxTurns {
		return nil, fmt.Errorf("%w: more than %d turns", asr.ErrUnavailable, maxTurns)
	}
	turns := make([]asr.Turn, len(list))
	for i, t := range list {
		speaker := int(t.GetSpeaker())
		if t.GetStart() < 0 || t.GetEnd() < t.GetStart() || t.GetEnd() > int64(samples) || speaker < 0 ||
			speaker >= maxSpeakers {
			return nil, errNonsense
		}
		turns[i] = asr.Turn{Start: int(t.GetStart()), End: int(t.GetEnd()), Speaker: speaker}
	}
	slices.SortStableFunc(turns, func(a, b asr.Turn) int { return a.Start - b.Start })
	return turns, nil
}
