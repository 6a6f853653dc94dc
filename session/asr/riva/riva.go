// Package riva recognizes speech on servers with the NVIDIA Riva ASR interface over gRPC: a Riva or
// NIM cluster, or steno's own engine program (see package rivaserver).
//
// Each utterance is one StreamingRecognize call. A server may split it into several final results;
// they are joined, and a call that ends without any has an empty final. A call that breaks is not
// repeated here: Recv fails with ErrUnavailable, and the session feeds the audio again.
package riva

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// Config specifies which server to use and how. Only Address is needed.
type Config struct {
	// Address is "unix:/path", "host:port", or another target of gRPC's name syntax. If a name has
	// several addresses, calls take turns.
	Address string
	// TLS secures the connection; nil: plain text.
	TLS *tls.Config
	// Header is sent as metadata with every call, such as a service's authorization. It may hold
	// secrets.
	Header map[string]string
	// Model names the server's model; empty: the server picks one for the language.
	Model string
	// Engine is the engine's name in results if the server does not return one; empty: "riva".
	Engine string
	// Language is the code for utterances opened without one. Empty leaves it to the server; a
	// stock server, which needs one, is then asked for "en".
	Language string
	// Auto is the language code that makes a stock server detect the language, such as "multi"; it
	// is sent for utterances that may be in several languages. Empty: such a server is asked for
	// Language, or for the first of the possible languages.
	Auto string
	// Tags overrides the BCP-47 tags sent for language codes, such as "en": "en-GB".
	Tags map[string]string
	// Punctuation asks for punctuation and capitals.
	Punctuation bool
	// OpenTimeout bounds connecting and the server's acceptance; 0: 5 s.
	OpenTimeout time.Duration
	// FinalTimeout bounds the wait from an utterance's end to its final, queueing included, and
	// before that the wait for the server to take audio; 0: 2 min. Recordings, which queue after
	// all live speech, get five times as much.
	FinalTimeout time.Duration
	// CallTimeout bounds a call for a capability, queueing included; 0: 30 s. Diarization may take
	// the length of the audio longer.
	CallTimeout time.Duration
	// MaxBackoff bounds the wait between attempts to connect; 0: 3 s.
	MaxBackoff time.Duration
}

// Recognizer is an [asr.Recognizer]. It offers the capabilities that an engine program has. It must
// be closed after its last utterance.
type Recognizer struct {
	config Config
	conn   *grpc.ClientConn
	client rivapb.RivaSpeechRecognitionClient
	engine enginepb.EngineClient
	server atomic.Int32 // the serverKind at the address
}

// serverKind is the kind of server. Only an engine program confirms that it accepts a call, so that
// Open can wait for it.
type serverKind = int32

const (
	unknownServer serverKind = iota
	engineServer
	contextServer // an engine program with a model that uses context
	stockServer
)

// isEngine reports whether a server is an engine program.
func isEngine(kind serverKind) bool { return kind == engineServer || kind == contextServer }

var (
	errOpenTimeout  = fmt.Errorf("%w: no answer to the call", asr.ErrUnavailable)
	errFinalTimeout = fmt.Errorf("%w: no final in time", asr.ErrUnavailable)
	errStalled      = fmt.Errorf("%w: the server takes no audio", asr.ErrUnavailable)
)

// Dial returns a recognizer for a server. It fails for a bad configuration only; the first call
// connects.
func Dial(c Config) (*Recognizer, error) {
	if c.Address == "" {
		return nil, errors.New("dial recognizer: no address")
	}
	if c.OpenTimeout <= 0 {
		c.OpenTimeout = 5 * time.Second
	}
	if c.FinalTimeout <= 0 {
		c.FinalTimeout = 2 * time.Minute
	}
	if c.CallTimeout <= 0 {
		c.CallTimeout = 30 * time.Second
	}
	if c.MaxBackoff <= 0 {
		c.MaxBackoff = 3 * time.Second
	}
	if c.Engine == "" {
		c.Engine = "riva"
	}
	conn, err := grpc.NewClient(c.Address, dialOptions(c)...)
	if err != nil {
		return nil, fmt.Errorf("dial recognizer: %w", err)
	}
	return &Recognizer{
		config: c, conn: conn, client: rivapb.NewRivaSpeechRecognitionClient(conn),
		engine: enginepb.NewEngineClient(conn),
	}, nil
}

// Close ends running utterances with ErrUnavailable and closes the connection.
func (r *Recognizer) Close() error { return r.conn.Close() }

// Open implements [asr.Recognizer]. A stock Riva server refuses a call only with its first result:
// then Recv returns ErrLanguage or ErrUnavailable.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	callCtx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(r.config.OpenTimeout, func() { cancel(errOpenTimeout) })
	u, err := r.open(ctx, callCtx, cancel, p)
	if err == nil && !timer.Stop() {
		err = errOpenTimeout
	}
	if err != nil {
		timer.Stop()
		if ctx.Err() == nil && !errors.Is(err, asr.ErrBusy) {
			r.server.Store(unknownServer) // another may have taken its place: a stock server confirms no call
		}
		err = failure(ctx, callCtx, err)
		cancel(err)
		return nil, fmt.Errorf("open utterance: %w", err)
	}
	return u, nil
}

func (r *Recognizer) open(ctx, callCtx context.Context, cancel context.CancelCauseFunc, p asr.Params) (*stream, error) {
	callCtx = metadata.AppendToOutgoingContext(r.outgoing(callCtx), wire.PriorityKey, wire.Priority(p.Priority))
	kind, err := r.kind(callCtx)
	if err != nil {
		return nil, err
	}
	request, language, err := r.request(p, kind)
	if err != nil {
		return nil, err
	}
	if isEngine(kind) && p.Party != "" {
		callCtx = metadata.AppendToOutgoingContext(callCtx, wire.PartyKey, wire.Party(p.Party))
	}
	call, err := r.client.StreamingRecognize(callCtx)
	if err != nil {
		return nil, wire.Cause(err)
	}
	u := &stream{
		ctx: ctx, callCtx: callCtx, cancel: cancel, call: call, params: p,
		engine: r.config.Engine, language: language, finalTimeout: r.config.FinalTimeout,
		pauses: isEngine(kind),
	}
	if p.Priority == asr.Replay {
		u.finalTimeout *= 5
	}
	// If sending fails, receiving returns why.
	sendErr := call.Send(&rivapb.StreamingRecognizeRequest{
		StreamingRequest: &rivapb.StreamingRecognizeRequest_StreamingConfig{StreamingConfig: request},
	})
	if sendErr != nil || isEngine(kind) {
		err = u.accepted()
	}
	return u, err
}

// accepted waits for the header by which an engine program accepts the call, and notes its
// contents.
func (s *stream) accepted() error {
	header, err := s.call.Header()
	if names := header.Get(wire.EngineKey); err == nil && len(names) > 0 {
		s.engine = names[0]
		s.cuts, s.follows = len(header.Get(wire.CutKey)) > 0, len(header.Get(wire.FollowKey)) > 0
		return nil
	}
	if _, err = s.call.Recv(); err == nil {
		err = status.Error(codes.Aborted, "another kind of server has taken the engine's place")
	}
	return wire.Cause(err)
}

// kind asks for the kind of server, once, and again after a failed call.
func (r *Recognizer) kind(ctx context.Context) (serverKind, error) {
	if kind := r.server.Load(); kind != unknownServer {
		return kind, nil
	}
	var header metadata.MD
	_, err := r.client.GetRivaSpeechRecognitionConfig(ctx, &rivapb.RivaSpeechRecognitionConfigRequest{},
		grpc.Header(&header))
	if err != nil && status.Code(err) != codes.Unimplemented {
		return unknownServer, wire.Cause(err)
	}
	return r.learn(header), nil
}

// learn keeps the kind of server that the header of a list of models tells.
func (r *Recognizer) learn(header metadata.MD) serverKind {
	kind := stockServer
	switch {
	case len(header.Get(wire.EngineKey)) == 0:
	case len(header.Get(wire.ContextKey)) > 0:
		kind = contextServer
	default:
		kind = engineServer
	}
	r.server.Store(kind)
	return kind
}

// outgoing adds the headers of every call.
func (r *Recognizer) outgoing(ctx context.Context) context.Context {
	return metadata.NewOutgoingContext(ctx, metadata.New(r.config.Header))
}

// request returns the request for an utterance and the code of its language, empty if the server is
// to detect it.
func (r *Recognizer) request(p asr.Params, kind serverKind) (*rivapb.StreamingRecognitionConfig, string, error) {
	language, tag, err := r.language(p, kind)
	if err != nil {
		return nil, "", err
	}
	request := wire.Config(p, tag)
	request.Config.Model = r.config.Model
	request.Config.EnableAutomaticPunctuation = r.config.Punctuation
	if isEngine(kind) {
		err = wire.Extend(request.Config, p)
	}
	if kind == contextServer {
		wire.AddContext(request.Config, p.Context)
	}
	return request, language, err
}

// failure returns why a call ended: the caller's context before a reason of this package before the
// server's error.
func failure(ctx, callCtx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if callCtx.Err() != nil {
		return context.Cause(callCtx)
	}
	return err
}
