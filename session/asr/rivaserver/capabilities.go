package rivaserver

import (
	"context"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
)

// unable is the status for a capability that the recognizer does not offer.
func unable(ability string) error {
	return status.Error(codes.Unimplemented, "this engine does not "+ability)
}

func invalid(format string, args ...any) error {
	return status.Error(codes.InvalidArgument, fmt.Sprintf(format, args...))
}

// withCapacity runs a request for a capability, which counts as an open call while it runs.
func (s *Server) withCapacity(run func() error) error {
	if !s.figures.admit(s.config.MaxCalls) {
		return errBusy
	}
	defer s.figures.release()
	return wire.Status(run())
}

// Identify serves [asr.Identifier].
func (s *Server) Identify(ctx context.Context, request *enginepb.IdentifyRequest) (*enginepb.Identified, error) {
	identifier, ok := s.config.Recognizer.(asr.Identifier)
	if !ok {
		return nil, unable("identify languages")
	}
	answer := &enginepb.Identified{}
	err := s.withCapacity(func() (err error) {
		if n := len(request.GetLanguages()); n > wire.MaxLanguages {
			return invalid("languages: %d, want %d at most", n, wire.MaxLanguages)
		}
		var pcm wire.PCM
		samples := pcm.Samples(request.GetAudio())
		switch {
		case len(samples) == 0:
			return invalid("audio: missing")
		case len(samples) > asr.MaxSamples:
			return asr.ErrTooLong
		}
		answer.Language, err = identifier.Identify(ctx, samples, request.GetLanguages())
		return err
	})
	return answer, err
}

// Punctuate serves [asr.Punctuator].
func (s *Server) Punctuate(ctx context.Context, request *enginepb.PunctuateRequest) (*enginepb.Punctuated, error) {
	punctuator, ok := s.config.Recognizer.(asr.Punctuator)
	if !ok {
		return nil, unable("punctuate")
	}
	answer := &enginepb.Punctuated{}
	err := s.withCapacity(func() (err error) {
		language, text := request.GetLanguage(), request.GetText()
		switch {
		case len(text) > wire.MaxText:
			return invalid("text: %d bytes, want %d at most", len(text), wire.MaxText)
		case language != "" && wire.Tag(language) == "":
			return asr.ErrLanguage
		}
		answer.Text, err = punctuator.Punctuate(ctx, language, text)
		return err
	})
	return answer, err
}
