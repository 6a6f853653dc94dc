package rivaserver

import (
	"context"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// Recognize serves one utterance that is complete.
func (s *Server) Recognize(ctx context.Context, request *rivapb.RecognizeRequest) (*rivapb.RecognizeResponse, error) {
	record, ok := s.figures.enter(s.config.MaxCalls)
	if !ok {
		return nil, errBusy
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	result, err := s.recognize(ctx, record, request)
	s.figures.leave(record, err)
	if err != nil {
		return nil, wire.Status(err)
	}
	return &rivapb.RecognizeResponse{Results: []*rivapb.SpeechRecognitionResult{{
		Alternatives: []*rivapb.SpeechRecognitionAlternative{
			wire.Alternative(result, request.GetConfig().GetEnableWordTimeOffsets()),
		},
		AudioProcessed: float32(s.figures.seconds(record)),
	}}}, nil
}

func (s *Server) recognize(ctx context.Context, record *record, request *rivapb.RecognizeRequest) (asr.Result, error) {
	var none asr.Result
	u, err := s.open(ctx, request.GetConfig(), false)
	if err != nil {
		return none, err
	}
	var pcm wire.PCM
	samples := pcm.Samples(request.GetAudio())
	if !s.figures.audio(record, len(samples)) {
		return none, asr.ErrTooLong
	}
	if err := u.Write(samples); err != nil {
		return none, err
	}
	s.figures.end(record)
	if err := u.End(); err != nil {
		return none, err
	}
	for {
		result, err := u.Recv()
		if err != nil {
			return none, ended(ctx, err)
		}
		if result.Final {
			return result, nil
		}
	}
}
