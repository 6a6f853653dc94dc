package engine_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/engine"
	"steno/session/asr/riva"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
	"steno/session/asr/scripted"
)

// able can do all there is to do beside recognition. Where err is set that is its answer; where hold is, it says that it
// was called and waits for the end of its context.
type able struct {
	*scripted.Recognizer
	err    error
	hold   chan struct{}
	models []asr.Model
	heard  []int16
	want   asr.Speakers
	among  []string
}

func (a *able) answer(ctx context.Context) error {
	if a.hold != nil {
		a.hold <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}
	return a.err
}

func (a *able) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	a.heard, a.among = slices.Clone(samples), among
	return "haw", a.answer(ctx)
}

func (a *able) Punctuate(ctx context.Context, language, text string) (string, error) {
	return strings.ToUpper(text) + " " + language, a.answer(ctx)
}

func (a *able) Diarize(ctx context.Context, samples []int16, want asr.Speakers) ([]asr.Turn, error) {
	a.heard, a.want = slices.Clone(samples), want
	return []asr.Turn{{Start: 0, End: 5, Speaker: 0}, {Start: 3, End: len(samples), Speaker: 1}}, a.answer(ctx)
}

// Denoise gives back what it got, ten samples late and negated.
func (a *able) Denoise(ctx context.Context) (asr.Denoising, error) {
	return &negating{ctx: ctx, a: a}, a.err
}

func (a *able) Models(context.Context) ([]asr.Model, error) { return a.models, a.err }

type negating struct {
	ctx  context.Context
	a    *able
	lags []int16
}

func (n *negating) Write(samples []int16) ([]int16, error) {
	for _, s := range samples {
		n.lags = append(n.lags, -s)
	}
	at := max(len(n.lags)-10, 0)
	ready := n.lags[:at:at]
	n.lags = n.lags[at:]
	if n.a.hold != nil {
		return ready, n.a.answer(n.ctx)
	}
	return ready, nil
}

func (n *negating) Close() ([]int16, error) { return n.lags, nil }

// serveAble serves a recognizer and returns clients of it.
func serveAble(t *testing.T, a *able, c engine.Config) (enginepb.EngineClient, *riva.Recognizer) {
	t.Helper()
	if a.Recognizer == nil {
		a.Recognizer = scripted.New(scripted.Config{})
	}
	c.Recognizer, c.Name, c.Drain = a, "able", time.Nanosecond
	_, address := serveRaw(t, c)
	return rawEngine(t, address), dial(t, riva.Config{Address: address})
}

func rawEngine(t *testing.T, address string) enginepb.EngineClient {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return enginepb.NewEngineClient(conn)
}

func TestAbilitiesGoThereAndBack(t *testing.T) {
	a := &able{}
	_, r := serveAble(t, a, engine.Config{})
	samples := ramp(3*asr.Rate, 5)

	language, err := r.Identify(t.Context(), samples, []string{"en", "haw"})
	if err != nil || language != "haw" || !slices.Equal(a.heard, samples) || !slices.Equal(a.among, []string{"en", "haw"}) {
		t.Errorf("identified %q, %v, of %d samples among %q", language, err, len(a.heard), a.among)
	}
	if text, err := r.Punctuate(t.Context(), "de", "ja nein"); err != nil || text != "JA NEIN de" {
		t.Errorf("punctuated %q, %v", text, err)
	}
	turns, err := r.Diarize(t.Context(), samples, asr.Speakers{Exactly: 2})
	want := []asr.Turn{{Start: 0, End: 5, Speaker: 0}, {Start: 3, End: len(samples), Speaker: 1}}
	if err != nil || !slices.Equal(turns, want) || a.want.Exactly != 2 || !slices.Equal(a.heard, samples) {
		t.Errorf("turns %v, %v", turns, err)
	}

	d, err := r.Denoise(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var clean []int16
	for part := range slices.Chunk(samples, 777) {
		ready, err := d.Write(part)
		if err != nil {
			t.Fatal(err)
		}
		clean = append(clean, ready...)
	}
	rest, err := d.Close()
	if clean = append(clean, rest...); err != nil || len(clean) != len(samples) || clean[4000] != -samples[4000] {
		t.Errorf("%d samples back of %d, %v", len(clean), len(samples), err)
	}
	if f, err := r.Figures(t.Context()); err != nil || f.Calls != 0 || f.Finals != 0 {
		t.Errorf("figures %v, %v", f, err)
	}
}

func TestWhatAnEngineCannotDo(t *testing.T) {
	_, address := serveRaw(t, scriptedEngine(scripted.Config{}))
	for name, err := range everything(t, rawEngine(t, address)) {
		if status.Code(err) != codes.Unimplemented {
			t.Errorf("%s: %v, want unimplemented", name, err)
		}
	}
}

// everything asks for all abilities once, and returns what went wrong.
func everything(t *testing.T, client enginepb.EngineClient) map[string]error {
	t.Helper()
	failed := map[string]error{}
	_, failed["identify"] = client.Identify(t.Context(), &enginepb.IdentifyRequest{Audio: make([]byte, 20)})
	_, failed["punctuate"] = client.Punctuate(t.Context(), &enginepb.PunctuateRequest{Text: "x"})
	_, failed["diarize"] = diarize(t, client, &enginepb.DiarizeRequest{Audio: make([]byte, 20)})
	stream, err := client.Denoise(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = stream.CloseSend() // receiving tells
	_, failed["denoise"] = stream.Recv()
	return failed
}

func diarize(t *testing.T, client enginepb.EngineClient, requests ...*enginepb.DiarizeRequest) (*enginepb.Diarized, error) {
	t.Helper()
	stream, err := client.Diarize(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range requests {
		if stream.Send(request) != nil {
			break // receiving tells why
		}
	}
	return stream.CloseAndRecv()
}

func TestAbilitiesFail(t *testing.T) {
	for cause, code := range map[error]codes.Code{
		asr.ErrUnavailable: codes.Unavailable, asr.ErrLanguage: codes.InvalidArgument, errors.New("lost"): codes.Internal,
	} {
		client, _ := serveAble(t, &able{err: cause}, engine.Config{})
		for name, err := range everything(t, client) {
			if status.Code(err) != code || errors.Is(cause, asr.ErrLanguage) && !errors.Is(wire.Cause(err), asr.ErrLanguage) {
				t.Errorf("%s with %v: %v", name, cause, err)
			}
		}
	}
}

func TestRefusedBesideRecognition(t *testing.T) {
	client, _ := serveAble(t, &able{}, engine.Config{LongestRecording: time.Second})
	identify := func(audio int, languages ...string) error {
		_, err := client.Identify(t.Context(), &enginepb.IdentifyRequest{Audio: make([]byte, audio), Languages: languages})
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
		"longest to identify":     {identify(2 * asr.MaxSamples), codes.OK},
		"too long to identify":    {identify(2*asr.MaxSamples + 2), codes.ResourceExhausted},
		"nothing to identify":     {identify(1), codes.InvalidArgument},
		"many languages":          {identify(20, slices.Repeat([]string{"en"}, wire.MaxLanguages+1)...), codes.InvalidArgument},
		"longest text":            {punctuate(strings.Repeat("x", 64<<10), ""), codes.OK},
		"long text":               {punctuate(strings.Repeat("x", 64<<10+1), ""), codes.InvalidArgument},
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

func TestCallsBesideRecognitionAreBounded(t *testing.T) {
	a := &able{hold: make(chan struct{})}
	client, r := serveAble(t, a, engine.Config{MaxCalls: 2, MaxRecordings: 1})
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
	client, _ := serveAble(t, &able{}, engine.Config{Idle: 50 * time.Millisecond})
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

// A client that goes away ends what is being done for it.
func TestAbandonedBesideRecognition(t *testing.T) {
	a := &able{hold: make(chan struct{})}
	client, r := serveAble(t, a, engine.Config{MaxCalls: 1})
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
		for f := (&enginepb.Figures{Calls: 1}); f.Calls > 0; { // the server learns a moment later that the call is over
			var err error
			if f, err = r.Figures(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
