package rivaserver_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
	"steno/session/asr/rivaserver"
)

func TestRefusedCapability(t *testing.T) {
	client, _ := serveAble(t, &capableRecognizer{}, rivaserver.Config{LongestRecording: time.Second})
	identify := func(audio int, languages ...string) error {
		_, err := client.Identify(t.Context(), &enginepb.IdentifyRequest{Audio: make([]byte, audio),
			Languages: languages})
		return err
	}
	punctuate := func(text, language string) error {
		_, err := client.Punctuate(t.Context(), &enginepb.PunctuateRequest{Text: text, Language: language})
		return err
	}
	speakers := func(n int32, audio ...int) error {
		requests := []*enginepb.DiarizeRequest{{Speakers: n}}
		for _, n := range audio {
			requests = append(requests, &enginepb.DiarizeRequest{Speakers: -1, Audio: make([]byte, n)})
		}
		_, err := diarize(t, client, requests...)
		return err
	}
	for name, test := range map[string]struct {
		err  error
		code codes.Code
	}{
		"longest to identify":  {identify(2 * asr.MaxSamples), codes.OK},
		"too long to identify": {identify(2*asr.MaxSamples + 2), codes.ResourceExhausted},
		"nothing to identify":  {identify(1), codes.InvalidArgument},
		"many languages": {identify(20, slices.Repeat([]string{"en"}, wire.MaxLanguages+1)...),
			codes.InvalidArgument},
		"longest text":            {punctuate(strings.Repeat("x", wire.MaxText), ""), codes.OK},
		"long text":               {punctuate(strings.Repeat("x", wire.MaxText+1), ""), codes.InvalidArgument},
		"text in no language":     {punctuate("x", "tlh"), codes.InvalidArgument},
		"longest recording":       {speakers(3, 15999, 16001), codes.OK},
		"long recording":          {speakers(3, 15999, 16003), codes.ResourceExhausted},
		"fewer than no speakers":  {speakers(-1), codes.InvalidArgument},
		"more speakers than ever": {speakers(1001), codes.InvalidArgument},
	} {
		if status.Code(test.err) != test.code {
			t.Errorf("%s: %v, want %v", name, test.err, test.code)
		}
	}
}

func TestCapabilityCallsAreBounded(t *testing.T) {
	a := &capableRecognizer{hold: make(chan struct{})}
	client, r := serveAble(t, a, rivaserver.Config{MaxCalls: 2, MaxRecordings: 1})
	ctx, cancel := context.WithCancel(t.Context())
	held := make(chan error, 1)
	go func() {
		_, err := r.Diarize(ctx, make([]int16, 10), asr.Speakers{})
		held <- err
	}()
	<-a.hold
	if _, err := diarize(t, client); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("the second recording: %v", err)
	}
	u := eventually(t, r)
	for name, err := range everything(t, client) {
		if status.Code(err) != codes.ResourceExhausted {
			t.Errorf("%s beside two calls: %v", name, err)
		}
	}
	if f, err := r.Figures(t.Context()); err != nil || f.Calls != 2 || f.Refused < 5 {
		t.Errorf("figures %v, %v", f, err)
	}
	cancel()
	if err := <-held; !errors.Is(err, context.Canceled) {
		t.Errorf("held call: %v", err)
	}
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Recv(); err != nil {
		t.Error(err)
	}
}

func TestIdleStreamsEnd(t *testing.T) {
	client, _ := serveAble(t, &capableRecognizer{}, rivaserver.Config{Idle: 50 * time.Millisecond})
	recording, err := client.Diarize(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var answer enginepb.Diarized
	if err := recording.RecvMsg(&answer); status.Code(err) != codes.Unavailable {
		t.Errorf("diarize: %v, want unavailable", err)
	}
	noise, err := client.Denoise(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := noise.Recv(); status.Code(err) != codes.Unavailable {
		t.Errorf("denoise: %v, want unavailable", err)
	}
}

// When a client disconnects, the work for its call ends.
func TestAbandonedCapability(t *testing.T) {
	a := &capableRecognizer{hold: make(chan struct{})}
	client, r := serveAble(t, a, rivaserver.Config{MaxCalls: 1})
	for name, begin := range map[string]func(ctx context.Context) error{
		"identify": func(ctx context.Context) error {
			_, err := r.Identify(ctx, make([]int16, 10), nil)
			return err
		},
		"punctuate": func(ctx context.Context) error {
			_, err := r.Punctuate(ctx, "", "x")
			return err
		},
		"denoise": func(ctx context.Context) error {
			stream, err := client.Denoise(ctx)
			if err == nil {
				err = stream.Send(&enginepb.Audio{Audio: make([]byte, 100)})
			}
			if err == nil {
				_, err = stream.Recv()
			}
			return wire.Status(err)
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() { gone <- begin(ctx) }()
		<-a.hold
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) && status.Code(err) != codes.Canceled {
			t.Errorf("%s: %v", name, err)
		}
		u := eventually(t, r) // there is room again
		if err := u.End(); err != nil {
			t.Fatal(err)
		}
		if _, err := u.Recv(); err != nil {
			t.Error(err)
		}
		if _, err := u.Recv(); err != io.EOF {
			t.Error(err)
		}
		for f := (&enginepb.Figures{Calls: 1}); f.Calls > 0; { // the server learns of the end a moment later
			var err error
			if f, err = r.Figures(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
