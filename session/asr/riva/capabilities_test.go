package riva_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
)

var (
	_ asr.Lister     = (*riva.Recognizer)(nil)
	_ asr.Identifier = (*riva.Recognizer)(nil)
	_ asr.Punctuator = (*riva.Recognizer)(nil)
	_ asr.Diarizer   = (*riva.Recognizer)(nil)
	_ asr.Denoiser   = (*riva.Recognizer)(nil)
)

// capableServer answers requests for capabilities. Its answers are functions of the requests.
type capableServer struct {
	enginepb.UnimplementedEngineServer
	turns   []*enginepb.Turn // empty: one turn over all samples, its speaker the number asked for
	hang    bool
	echoes  int // times each denoised message is sent back
	failure error
}

func (a *capableServer) wait(ctx context.Context) error {
	if a.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	return a.failure
}

func (a *capableServer) Identify(ctx context.Context, request *enginepb.IdentifyRequest) (*enginepb.Identified, error) {
	if len(request.Languages) == 0 {
		return &enginepb.Identified{Language: "Klingon"}, a.wait(ctx)
	}
	n := len(request.Audio) / 2 % len(request.Languages)
	return &enginepb.Identified{Language: request.Languages[n]}, a.wait(ctx)
}

func (a *capableServer) Punctuate(ctx context.Context, request *enginepb.PunctuateRequest) (*enginepb.Punctuated,
	error) {
	return &enginepb.Punctuated{Text: request.Language + ": " + request.Text + "."}, a.wait(ctx)
}

func (a *capableServer) Diarize(stream grpc.ClientStreamingServer[enginepb.DiarizeRequest, enginepb.Diarized]) error {
	var bytes int
	var speakers int32
	for {
		request, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		speakers += request.Speakers
		bytes += len(request.Audio)
	}
	if err := a.wait(stream.Context()); err != nil {
		return err
	}
	if a.turns != nil {
		return stream.SendAndClose(&enginepb.Diarized{Turns: a.turns})
	}
	return stream.SendAndClose(&enginepb.Diarized{Turns: []*enginepb.Turn{{End: int64(bytes / 2), Speaker: speakers}}})
}

// Denoise holds back one message until the next or the end.
func (a *capableServer) Denoise(stream grpc.BidiStreamingServer[enginepb.Audio, enginepb.Audio]) error {
	var held []*enginepb.Audio
	for {
		message, err := stream.Recv()
		if err := a.wait(stream.Context()); err != nil {
			return err
		}
		for range a.echoes {
			for _, h := range held {
				if err := stream.Send(h); err != nil {
					return err
				}
			}
		}
		if err != nil {
			return nil
		}
		held = []*enginepb.Audio{message}
	}
}

func dialAble(t *testing.T, a *capableServer, c riva.Config) *riva.Recognizer {
	return dial(t, &stock{also: func(s *grpc.Server) { enginepb.RegisterEngineServer(s, a) }}, c)
}

func TestIdentify(t *testing.T) {
	r := dialAble(t, &capableServer{}, riva.Config{})
	if got, err := r.Identify(t.Context(), make([]int16, 4), []string{"en", "tlh", "de", "fr"}); err != nil ||
		got != "de" {
		t.Errorf("identified %q, %v", got, err)
	}
	if got, err := r.Identify(t.Context(), nil, []string{"tlh"}); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("among none known: %q, %v", got, err)
	}
	if got, err := r.Identify(t.Context(), make([]int16, 4), nil); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("an answer that is no language: %q, %v", got, err)
	}
}

func TestPunctuate(t *testing.T) {
	r := dialAble(t, &capableServer{}, riva.Config{})
	if got, err := r.Punctuate(t.Context(), "en", "well"); err != nil || got != "en: well." {
		t.Errorf("punctuated %q, %v", got, err)
	}
	if _, err := r.Punctuate(t.Context(), "en", string(make([]byte, wire.MaxText))); err != nil {
		t.Errorf("the longest text: %v", err)
	}
	if _, err := r.Punctuate(t.Context(), "en", string(make([]byte, wire.MaxText+1))); !errors.Is(err,
		asr.ErrUnavailable) {
		t.Errorf("a longer one: %v", err)
	}
}

func TestDiarize(t *testing.T) {
	samples := make([]int16, 2*asr.Rate+5)
	got, err := dialAble(t, &capableServer{}, riva.Config{}).Diarize(t.Context(), samples, asr.Speakers{Exactly: 2})
	if want := []asr.Turn{{End: len(samples), Speaker: 2}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("turns %v, %v; want %v", got, err, want)
	}
	a := &capableServer{turns: []*enginepb.Turn{{Start: 5, End: 9, Speaker: 1}, {Start: 1, End: 7}}}
	got, err = dialAble(t, a, riva.Config{}).Diarize(t.Context(), samples, asr.Speakers{})
	if want := []asr.Turn{{Start: 1, End: 7}, {Start: 5, End: 9, Speaker: 1}}; err != nil ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("turns %v, %v; want %v", got, err, want)
	}
	for _, bad := range []*enginepb.Turn{{Start: -1}, {Start: 2, End: 1}, {End: 1 << 40}, {Speaker: -1},
		{Speaker: 1 << 20}} {
		a := &capableServer{turns: []*enginepb.Turn{bad}}
		if got, err := dialAble(t, a, riva.Config{}).Diarize(t.Context(), samples, asr.Speakers{}); !errors.Is(err,
			asr.ErrUnavailable) {
			t.Errorf("%v was taken as %v, %v", bad, got, err)
		}
	}
}

func TestDenoise(t *testing.T) {
	d, err := dialAble(t, &capableServer{echoes: 1}, riva.Config{}).Denoise(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var want, got []int16
	for n := range 50 {
		block := slices.Repeat([]int16{int16(n)}, 1+n*700)
		want = append(want, block...)
		ready, err := d.Write(block)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ready...)
	}
	rest, err := d.Close()
	if got = append(got, rest...); err != nil || !slices.Equal(got, want) {
		t.Errorf("%d samples of %d came back, %v", len(got), len(want), err)
	}
}

// TestDenoisedIsNoLonger has an engine that pads what it returns: the surplus is cut off.
func TestDenoisedIsNoLonger(t *testing.T) {
	d, err := dialAble(t, &capableServer{echoes: 2}, riva.Config{}).Denoise(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Write([]int16{1, 2, 3})
	rest, err2 := d.Close()
	if got = append(got, rest...); err != nil || err2 != nil || !slices.Equal(got, []int16{1, 2, 3}) {
		t.Errorf("%v came back, %v, %v", got, err, err2)
	}
}

func TestDenoiseFails(t *testing.T) {
	for name, a := range map[string]*capableServer{"more than was sent": {echoes: 2},
		"broken": {failure: status.Error(codes.Internal, "x")}, "hangs": {hang: true}} {
		var c riva.Config
		if a.hang {
			c.CallTimeout = time.Second
		}
		d, err := dialAble(t, a, c).Denoise(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < 3 && err == nil; n++ {
			_, err = d.Write(make([]int16, 20000))
		}
		if err == nil {
			_, err = d.Close()
		}
		if !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("%s: %v, want ErrUnavailable", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	d, err := dialAble(t, &capableServer{hang: true}, riva.Config{}).Denoise(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := d.Close(); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestCapabilityFails asks servers that cannot, will not, or do not answer.
func TestCapabilityFails(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		r    *riva.Recognizer
		ctx  context.Context
		want error
	}{
		"stock": {dial(t, &stock{}, riva.Config{}), t.Context(), asr.ErrUnavailable},
		"hangs": {dialAble(t, &capableServer{hang: true}, riva.Config{CallTimeout: 20 * time.Millisecond}),
			t.Context(), asr.ErrUnavailable},
		"full": {dialAble(t, &capableServer{failure: status.Error(codes.ResourceExhausted, "full")},
			riva.Config{}), t.Context(), asr.ErrUnavailable},
		"language": {dialAble(t, &capableServer{failure: wire.Status(asr.ErrLanguage)}, riva.Config{}), t.Context(),
			asr.ErrLanguage},
		"cancelled": {dialAble(t, &capableServer{}, riva.Config{}), gone, context.Canceled},
	} {
		_, err := test.r.Identify(test.ctx, make([]int16, 10), []string{"en"})
		_, err2 := test.r.Punctuate(test.ctx, "en", "x")
		_, err3 := test.r.Diarize(test.ctx, make([]int16, 10), asr.Speakers{})
		for _, err := range []error{err, err2, err3} {
			if !errors.Is(err, test.want) {
				t.Errorf("%s: %v, want %v", name, err, test.want)
			}
		}
	}
}
