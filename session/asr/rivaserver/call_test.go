package rivaserver_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/riva"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
	"steno/session/asr/rivaserver"
	"steno/session/asr/scripted"
)

// rawClient speaks the interface as any Riva client does.
func rawClient(t *testing.T, address string) rivapb.RivaSpeechRecognitionClient {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return rivapb.NewRivaSpeechRecognitionClient(conn)
}

// serveRaw serves a configuration and returns a raw client of it, and the address.
func serveRaw(t *testing.T, c rivaserver.Config) (rivapb.RivaSpeechRecognitionClient, string) {
	t.Helper()
	listener, address := listen(t, "unix")
	serve(t, c, listener)
	return rawClient(t, address), address
}

func config(p asr.Params, tag string) *rivapb.StreamingRecognizeRequest {
	return &rivapb.StreamingRecognizeRequest{StreamingRequest: &rivapb.StreamingRecognizeRequest_StreamingConfig{
		StreamingConfig: wire.Config(p, tag),
	}}
}

func audioMessage(b []byte) *rivapb.StreamingRecognizeRequest {
	return &rivapb.StreamingRecognizeRequest{StreamingRequest: &rivapb.StreamingRecognizeRequest_AudioContent{AudioContent: b}}
}

// call sends messages, ends its side, and returns all answers.
func call(t *testing.T, client rivapb.RivaSpeechRecognitionClient, requests ...*rivapb.StreamingRecognizeRequest) ([]*rivapb.StreamingRecognizeResponse, error) {
	t.Helper()
	stream, err := client.StreamingRecognize(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range requests {
		if err := stream.Send(request); err != nil {
			break // receiving tells why
		}
	}
	_ = stream.CloseSend() // likewise
	var answers []*rivapb.StreamingRecognizeResponse
	for {
		answer, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return answers, nil
		}
		if err != nil {
			return answers, err
		}
		answers = append(answers, answer)
	}
}

// TestStockClient holds what a client finds that knows nothing of steno.
func TestStockClient(t *testing.T) {
	client, _ := serveRaw(t, scriptedEngine(scripted.Config{}))
	samples := asrtest.Ramp(2*scripted.PieceSamples, 4)
	b := audio.AppendPCM(nil, samples)
	answers, err := call(t, client, config(asr.Params{}, "en-GB"), audioMessage(b[:4801]), audioMessage(nil),
		audioMessage(b[4801:]))
	if err != nil || len(answers) != 1 || len(answers[0].Results) != 1 {
		t.Fatalf("answers %v, %v", answers, err)
	}
	result := answers[0].Results[0]
	best := result.Alternatives[0]
	if !result.IsFinal || result.AudioProcessed != 0.6 || best.LanguageCode[0] != "en-US" || len(best.Words) != 2 ||
		best.Transcript != best.Words[0].Word+" "+best.Words[1].Word ||
		best.Words[1].StartTime != 300 || best.Words[1].EndTime != 600 {
		t.Errorf("result %v", result)
	}

	unary, err := client.Recognize(t.Context(), &rivapb.RecognizeRequest{Config: wire.Config(asr.Params{}, "").Config,
		Audio: b})
	if err != nil || len(unary.Results) != 1 || !reflect.DeepEqual(unary.Results[0].Alternatives[0].String(),
		best.String()) {
		t.Errorf("in one message: %v, %v; want %v", unary, err, best)
	}

	noTimes := config(asr.Params{Partials: true}, "")
	noTimes.GetStreamingConfig().Config.EnableWordTimeOffsets = false
	answers, err = call(t, client, noTimes, audioMessage(b))
	if err != nil || len(answers) == 0 {
		t.Fatalf("answers %v, %v", answers, err)
	}
	last := answers[len(answers)-1].Results[0]
	if !last.IsFinal || len(last.Alternatives[0].Words) != 0 || last.Alternatives[0].Transcript != best.Transcript {
		t.Errorf("without word times: %v", last)
	}
}

func TestRefusedRequests(t *testing.T) {
	client, _ := serveRaw(t, scriptedEngine(scripted.Config{}))
	broken := func(change func(*rivapb.RecognitionConfig)) *rivapb.StreamingRecognizeRequest {
		request := config(asr.Params{}, "en-US")
		change(request.GetStreamingConfig().Config)
		return request
	}
	good, second := config(asr.Params{}, "en-US"), audioMessage(make([]byte, 32000))
	long := []*rivapb.StreamingRecognizeRequest{good}
	for range asr.MaxSamples/asr.Rate + 1 {
		long = append(long, second)
	}
	for name, test := range map[string]struct {
		requests []*rivapb.StreamingRecognizeRequest
		code     codes.Code
		means    error
	}{
		"no message":   {nil, codes.InvalidArgument, nil},
		"audio first":  {[]*rivapb.StreamingRecognizeRequest{second}, codes.InvalidArgument, nil},
		"empty first":  {[]*rivapb.StreamingRecognizeRequest{{}}, codes.InvalidArgument, nil},
		"config twice": {[]*rivapb.StreamingRecognizeRequest{good, good}, codes.InvalidArgument, nil},
		"too long":     {long, codes.ResourceExhausted, asr.ErrTooLong},
		"one message": {[]*rivapb.StreamingRecognizeRequest{good, audioMessage(make([]byte, 4<<20))},
			codes.ResourceExhausted, asr.ErrUnavailable},
		"other language": {[]*rivapb.StreamingRecognizeRequest{config(asr.Params{}, "de-DE")}, codes.InvalidArgument,
			asr.ErrLanguage},
		"no language": {[]*rivapb.StreamingRecognizeRequest{config(asr.Params{}, "tlh")}, codes.InvalidArgument,
			asr.ErrLanguage},
		"8 kHz": {[]*rivapb.StreamingRecognizeRequest{broken(func(c *rivapb.RecognitionConfig) {
			c.SampleRateHertz = 8000
		})},
			codes.InvalidArgument, nil},
		"no encoding": {[]*rivapb.StreamingRecognizeRequest{broken(func(c *rivapb.RecognitionConfig) {
			c.Encoding = 0
		})},
			codes.InvalidArgument, nil},
		"stereo": {[]*rivapb.StreamingRecognizeRequest{broken(func(c *rivapb.RecognitionConfig) {
			c.AudioChannelCount = 2
		})},
			codes.InvalidArgument, nil},
	} {
		answers, err := call(t, client, test.requests...)
		if status.Code(err) != test.code || len(answers) > 0 {
			t.Errorf("%s: %v, %v; want %v", name, answers, err, test.code)
		}
		if test.means != nil && !errors.Is(wire.Cause(err), test.means) {
			t.Errorf("%s means %v, want %v", name, wire.Cause(err), test.means)
		}
	}
}

// TestBounded holds that calls beyond the bound are refused and counted, and that room comes back.
func TestBounded(t *testing.T) {
	c := scriptedEngine(scripted.Config{})
	c.MaxCalls = 2
	_, address := serveRaw(t, c)
	r := dial(t, riva.Config{Address: address})
	ctx, cancel := context.WithCancel(t.Context())
	var open []asr.Stream
	for range 2 {
		u, err := r.Open(ctx, asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, u)
	}
	if u, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("the third: %v, %v; want ErrUnavailable", u, err)
	}
	if err := open[0].End(); err != nil {
		t.Fatal(err)
	}
	if _, err := open[0].Recv(); err != nil {
		t.Fatal(err)
	}
	u := eventually(t, r)
	cancel()
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Recv(); err != nil {
		t.Fatal(err)
	}
	f, err := r.Figures(t.Context())
	if err != nil || f.MaxCalls != 2 || f.Refused < 1 || f.Finals < 1 {
		t.Errorf("figures %v, %v", f, err)
	}
}

// eventually opens an utterance as soon as the server has counted the one before as gone, which is
// shortly after its client knows.
func eventually(t *testing.T, r asr.Recognizer) asr.Stream {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		u, err := r.Open(t.Context(), asr.Params{})
		if err == nil {
			return u
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestIdleCallEnds(t *testing.T) {
	c := scriptedEngine(scripted.Config{})
	c.Idle = 50 * time.Millisecond
	client, address := serveRaw(t, c)
	u, err := dial(t, riva.Config{Address: address}).Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("recv: %v, want ErrUnavailable", err)
	}
	stream, err := client.StreamingRecognize(t.Context()) // and never a first message
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); status.Code(err) != codes.Unavailable {
		t.Errorf("recv: %v, want unavailable", err)
	}
}

// TestDrain expects that a running call gets its final after serving has to end, and that a new one
// is refused.
func TestDrain(t *testing.T) {
	c := scriptedEngine(scripted.Config{})
	c.Drain = time.Minute
	listener, address := listen(t, "unix")
	stop := serve(t, c, listener)
	r := dial(t, riva.Config{Address: address})
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	stopped := make(chan struct{})
	go func() {
		stop()
		close(stopped)
	}()
	for err == nil { // until the server has begun to drain
		ctx, end := context.WithCancel(t.Context())
		_, err = r.Open(ctx, asr.Params{})
		end()
	}
	if !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open while draining: %v, want ErrUnavailable", err)
	}
	if err := errors.Join(u.Write(asrtest.Ramp(asr.Rate, 2)), u.End()); err != nil {
		t.Fatal(err)
	}
	if result, err := u.Recv(); err != nil || len(result.Words) == 0 {
		t.Errorf("final while draining: %v, %v", result, err)
	}
	<-stopped
}

// TestDrainEnds expects that an endless call is broken.
func TestDrainEnds(t *testing.T) {
	listener, address := listen(t, "unix")
	stop := serve(t, scriptedEngine(scripted.Config{}), listener)
	u, err := dial(t, riva.Config{Address: address}).Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("recv: %v, want ErrUnavailable", err)
	}
}
