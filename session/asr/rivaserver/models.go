package rivaserver

import (
	"context"
	"maps"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// GetRivaSpeechRecognitionConfig lists the models that the recognizer has now, one entry for each language of a model;
// none if it lists none. The response header says that this is an engine program.
func (s *Server) GetRivaSpeechRecognitionConfig(ctx context.Context, request *rivapb.RivaSpeechRecognitionConfigRequest) (*rivapb.RivaSpeechRecognitionConfigResponse, error) {
	if err := grpc.SetHeader(ctx, metadata.Pairs(wire.EngineKey, s.config.Name)); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	response := &rivapb.RivaSpeechRecognitionConfigResponse{}
	lister, ok := s.config.Recognizer.(asr.Lister)
	if !ok {
		return response, nil
	}
	models, err := lister.Models(ctx)
	if err != nil {
		return nil, wire.Status(err)
	}
	for _, m := range models {
		if name := request.GetModelName(); name == "" || name == m.Name {
			response.ModelConfig = append(response.ModelConfig, entries(m)...)
		}
	}
	return response, nil
}

// entries describes a model, with the parameters of stock servers and our own. Languages without a code of the API have
// no tag and cannot be asked for.
func entries(m asr.Model) []*rivapb.RivaSpeechRecognitionConfigResponse_Config {
	parameters := map[string]string{"sample_rate": "16000", "type": "offline"}
	if m.Partials {
		parameters["type"] = "online"
	}
	if m.Detects {
		parameters["steno_detects"] = "true"
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
