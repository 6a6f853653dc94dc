package rivaserver_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/riva"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
	"steno/session/asr/rivaserver"
	"steno/session/asr/scripted"
)

// capableRecognizer offers all capabilities. If err is set that is its answer; if hold is, it
// reports its call and waits for the end of its context.
type capableRecognizer struct {
	*scripted.Recognizer
	err    error
	hold   chan struct{}
	models []asr.Model
	heard  []int16
	want   asr.Speakers
	among  []string
}

func (a *capableRecognizer) answer(ctx context.Context) error {
	if a.hold != nil {
		a.hold <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}
	return a.err
}

func (a *capableRecognizer) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	a.heard, a.among = slices.Clone(samples), among
	return "haw", a.answer(ctx)
}

func (a *capableRecognizer) Punctuate(ctx context.Context, language, text string) (string, error) {
	return strings.ToUpper(text) + " " + language, a.answer(ctx)
}

func (a *capableRecognizer) Diarize(ctx context.Context, samples []int16, want asr.Speakers) ([]asr.Turn, error) {
	a.heard, a.want = slices.Clone(samples), want
	return []asr.Turn{{Start: 0, End: 5, Speaker: 0}, {Start: 3, End: len(samples), Speaker: 1}}, a.answer(ctx)
}

// Denoise returns its input, ten samples late and negated.
func (a *capableRecognizer) Denoise(ctx context.Context) (asr.DenoiseStream, error) {
	return &negating{ctx: ctx, a: a}, a.err
}

func (a *capableRecognizer) Models(context.Context) ([]asr.Model, error) { return a.models, a.err }

type negating struct {
	ctx  context.Context
	a    *capableRecognizer
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
func serveAble(t *testing.T, a *capableRecognizer, c rivaserver.Config) (enginepb.EngineClient, *riva.Recognizer) {
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
	a := &capableRecognizer{}
	_, r := serveAble(t, a, rivaserver.Config{})
	samples := asrtest.Ramp(3*asr.Rate, 5)

	language, err := r.Identify(t.Context(), samples, []string{"en", "haw"})
	if err != nil || language != "haw" || !slices.Equal(a.heard, samples) ||
		!slices.Equal(a.among, []string{"en", "haw"}) {
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

func diarize(t *testing.T, client enginepb.EngineClient, requests ...*enginepb.DiarizeRequest) (*enginepb.Diarized,
	error) {
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
		asr.ErrUnavailable: codes.Unavailable, asr.ErrLanguage: codes.InvalidArgument,
		errors.New("lost"): codes.Internal,
	} {
		client, _ := serveAble(t, &capableRecognizer{err: cause}, rivaserver.Config{})
		for name, err := range everything(t, client) {
			if status.Code(err) != code || errors.Is(cause, asr.ErrLanguage) && !errors.Is(wire.Cause(err),
				asr.ErrLanguage) {
				t.Errorf("%s with %v: %v", name, cause, err)
			}
		}
	}
}
