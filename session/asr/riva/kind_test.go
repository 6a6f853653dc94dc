package riva_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/rivapb"
)

// refusing is an engine program of ours that takes no call.
type refusing struct {
	lists
	refusal error
	asked   atomic.Int32 // for what it is
}

func (r *refusing) GetRivaSpeechRecognitionConfig(ctx context.Context, request *rivapb.RivaSpeechRecognitionConfigRequest) (*rivapb.RivaSpeechRecognitionConfigResponse, error) {
	r.asked.Add(1)
	return r.lists.GetRivaSpeechRecognitionConfig(ctx, request)
}

func (r *refusing) StreamingRecognize(grpc.BidiStreamingServer[rivapb.StreamingRecognizeRequest, rivapb.StreamingRecognizeResponse]) error {
	return r.refusal
}

// A server is asked what it is once, and again where another may have taken its place: one without room stays what it is.
func TestKindIsAskedOnce(t *testing.T) {
	for code, want := range map[codes.Code]int32{codes.ResourceExhausted: 1, codes.Unavailable: 3} {
		server := &refusing{lists: lists{engine: "whisper"}, refusal: status.Error(code, "no")}
		r := serve(t, server, nil, riva.Config{})
		for range 3 {
			if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
				t.Errorf("%s: error is %v, want ErrUnavailable", code, err)
			}
		}
		if got := server.asked.Load(); got != want {
			t.Errorf("%s: asked %d times, want %d", code, got, want)
		}
	}
}
