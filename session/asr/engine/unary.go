package engine

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// Recognize serves one utterance that is there as a whole.
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

// GetRivaSpeechRecognitionConfig lists a model for each language told in the configuration. Its response header tells
// clients that this is an engine process.
func (s *Server) GetRivaSpeechRecognitionConfig(ctx context.Context, request *rivapb.RivaSpeechRecognitionConfigRequest) (*rivapb.RivaSpeechRecognitionConfigResponse, error) {
	if err := grpc.SetHeader(ctx, metadata.Pairs(wire.EngineKey, s.config.Name)); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	response := &rivapb.RivaSpeechRecognitionConfigResponse{}
	if name := request.GetModelName(); name != "" && name != s.config.Name {
		return response, nil
	}
	for _, language := range s.config.Languages {
		response.ModelConfig = append(response.ModelConfig, &rivapb.RivaSpeechRecognitionConfigResponse_Config{
			ModelName: s.config.Name,
			Parameters: map[string]string{
				"language_code": wire.Tag(language), "sample_rate": "16000", "type": "online",
			},
		})
	}
	return response, nil
}

// GetFigures reports the server's counts and the recognizer's.
func (s *Server) GetFigures(context.Context, *enginepb.FiguresRequest) (*enginepb.Figures, error) {
	report := s.figures.report()
	report.MaxCalls = int32(s.config.MaxCalls)
	if s.config.Figures != nil {
		report.Recognizer = s.config.Figures()
	}
	return report, nil
}
