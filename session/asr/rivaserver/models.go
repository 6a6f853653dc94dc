package rivaserver

import (
	"context"
	"maps"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// GetRivaSpeechRecognitionConfig lists the models that the recognizer has now, one entry for each
// language of a model; none if it lists none. The response header identifies an engine program, and
// states whether one of its models uses context.
func (s *Server) GetRivaSpeechRecognitionConfig(ctx context.Context,
	request *rivapb.RivaSpeechRecognitionConfigRequest) (*rivapb.RivaSpeechRecognitionConfigResponse, error) {
	models, err := s.models(ctx)
	header := metadata.Pairs(wire.EngineKey, s.config.Name)
	if slices.ContainsFunc(models, func(m asr.Model) bool { return m.Context }) {
		header.Set(wire.ContextKey, "true")
	}
	if err := grpc.SetHeader(ctx, header); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	if err != nil {
		return nil, wire.Status(err)
	}
	response := &rivapb.RivaSpeechRecognitionConfigResponse{}
	for _, m := range models {
		if name := request.GetModelName(); name == "" || name == m.Name {
			response.ModelConfig = append(response.ModelConfig, entries(m)...)
		}
	}
	return response, nil
}

// models returns the models of the recognizer, none if it lists none.
func (s *Server) models(ctx context.Context) ([]asr.Model, error) {
	if lister, ok := s.config.Recognizer.(asr.Lister); ok {
		return lister.Models(ctx)
	}
	return nil, nil
}

// entries describes a model, with the parameters of stock servers and our own. Languages without a
// code of the API have no tag and cannot be asked for.
func entries(m asr.Model) []*rivapb.RivaSpeechRecognitionConfigResponse_Config {
	parameters := map[string]string{"sample_rate": "16000", "type": "offline"}
	if m.Partials {
		parameters["type"] = "online"
	}
	if m.Detects {
		parameters["steno_detects"] = "true"
	}
	if m.Context {
		parameters["steno_context"] = "true"
	}
	var out []*rivapb.RivaSpeechRecognitionConfigResponse_Config
	for _, code := range m.Languages {
		tag := wire.Tag(code)
		if tag == "" {
			continue
		}
		own := maps.Clone(parameters)
		own["language_code"], own["steno_code"] = tag, code
		out = append(out, &rivapb.RivaSpeechRecognitionConfigResponse_Config{ModelName: m.Name, Parameters: own})
	}
	return out
}
