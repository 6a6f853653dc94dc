package riva_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// refusing is an engine program of ours that takes no call.
type refusing struct {
	lists
	refusal error
	asked   atomic.Int32 // for what it is
}

func (r *refusing) GetRivaSpeechRecognitionConfig(ctx context.Context,
	request *rivapb.RivaSpeechRecognitionConfigRequest) (*rivapb.RivaSpeechRecognitionConfigResponse, error) {
	r.asked.Add(1)
	return r.lists.GetRivaSpeechRecognitionConfig(ctx, request)
}

func (r *refusing) StreamingRecognize(grpc.BidiStreamingServer[rivapb.StreamingRecognizeRequest,
	rivapb.StreamingRecognizeResponse]) error {
	return r.refusal
}

// A server is asked what it is once, and again where another may have taken its place: one without
// room stays what it is.
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

// replaced is an engine program until a stock server takes its place.
type replaced struct {
	stock
	program lists
	byStock atomic.Bool
}

func (r *replaced) GetRivaSpeechRecognitionConfig(ctx context.Context,
	request *rivapb.RivaSpeechRecognitionConfigRequest) (*rivapb.RivaSpeechRecognitionConfigResponse, error) {
	if r.byStock.Load() {
		return r.stock.GetRivaSpeechRecognitionConfig(ctx, request)
	}
	return r.program.GetRivaSpeechRecognitionConfig(ctx, request)
}

func (r *replaced) StreamingRecognize(stream grpc.BidiStreamingServer[rivapb.StreamingRecognizeRequest,
	rivapb.StreamingRecognizeResponse]) error {
	if !r.byStock.Load() {
		if err := stream.SendHeader(metadata.Pairs(wire.EngineKey, "whisper")); err != nil {
			return err
		}
	}
	return r.stock.StreamingRecognize(stream)
}

func TestStockServerInAnEnginesPlace(t *testing.T) {
	server := &replaced{program: lists{engine: "whisper"}}
	r := serve(t, server, nil, riva.Config{OpenTimeout: 100 * time.Millisecond})
	for _, byStock := range []bool{false, true} {
		server.byStock.Store(byStock)
		ctx, cancel := context.WithCancel(t.Context())
		_, err := r.Open(ctx, asr.Params{})
		for range 30 { // the first may find the other server, and a slow machine may be late
			if err != nil {
				_, err = r.Open(ctx, asr.Params{})
			}
		}
		if err != nil {
			t.Errorf("stock server %v: %v", byStock, err)
		}
		cancel()
	}
}
