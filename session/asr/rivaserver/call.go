package rivaserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

var (
	errBusy = status.Error(codes.ResourceExhausted, "too many calls")
	errIdle = fmt.Errorf("%w: nothing was sent for too long", asr.ErrUnavailable)
)

type recognizeStream = grpc.BidiStreamingServer[rivapb.StreamingRecognizeRequest, rivapb.StreamingRecognizeResponse]

// StreamingRecognize serves one utterance.
func (s *Server) StreamingRecognize(stream recognizeStream) error {
	record, ok := s.figures.enter(s.config.MaxCalls)
	if !ok {
		return errBusy
	}
	ctx, cancel := context.WithCancelCause(stream.Context())
	defer cancel(nil)
	idle := time.AfterFunc(s.config.Idle, func() { cancel(errIdle) })
	defer idle.Stop()

	c := &call{server: s, stream: stream, ctx: ctx, idle: idle, record: record, opened: make(chan opened, 1)}
	s.readers.Go(func() {
		if err := c.read(); err != nil {
			cancel(err)
		}
	})
	err := c.answer()
	s.figures.leave(record, err)
	return wire.Status(err)
}

// call is one StreamingRecognize call. One goroutine reads it and writes the utterance, so that its
// errors can end the call; the handler's goroutine sends the results.
type call struct {
	server *Server
	stream recognizeStream
	ctx    context.Context // the call's lifetime; its cause is the reader's error
	idle   *time.Timer
	record *record
	opened chan opened
}

// opened is an utterance and which results the client wants.
type opened struct {
	stream   asr.Stream
	partials bool
	words    bool
}

// read receives all that the client sends. It ends when the handler has returned, since receiving
// then fails.
func (c *call) read() error {
	request, err := c.receive()
	if errors.Is(err, io.EOF) || err == nil && request.GetStreamingConfig() == nil {
		return status.Error(codes.InvalidArgument, "the first message must hold streaming_config")
	}
	if err != nil {
		return err
	}
	config := request.GetStreamingConfig()
	u, err := c.server.open(c.ctx, config.GetConfig(), config.GetInterimResults())
	if err != nil {
		return err
	}
	c.opened <- opened{u, config.GetInterimResults(), config.GetConfig().GetEnableWordTimeOffsets()}
	return c.readAudio(u)
}

func (c *call) readAudio(u asr.Stream) error {
	var pcm wire.PCM
	for {
		request, err := c.receive()
		if errors.Is(err, io.EOF) {
			c.server.figures.end(c.record)
			return u.End()
		}
		if err != nil {
			return err
		}
		if config := request.GetStreamingConfig(); config != nil {
			if err := wire.Apply(config.GetConfig(), u); err != nil {
				return status.Error(codes.InvalidArgument, err.Error())
			}
			continue
		}
		if _, ok := request.GetStreamingRequest().(*rivapb.StreamingRecognizeRequest_AudioContent); !ok {
			return status.Error(codes.InvalidArgument, "messages after the first must hold audio_content")
		}
		if len(request.GetAudioContent()) == 0 { // our clients' message that an end is likely
			if err := u.Pause(); err != nil {
				return err
			}
			continue
		}
		samples := pcm.Samples(request.GetAudioContent())
		if !c.server.figures.audio(c.record, len(samples)) {
			return asr.ErrTooLong
		}
		if err := u.Write(samples); err != nil {
			return err
		}
	}
}

// receive waits for the client's next message. The call is idle meanwhile, and not while the
// recognizer works.
func (c *call) receive() (*rivapb.StreamingRecognizeRequest, error) {
	c.idle.Reset(c.server.config.Idle)
	defer c.idle.Stop()
	return c.stream.Recv()
}

// answer sends the utterance's results. It returns nil once the final was sent.
func (c *call) answer() error {
	var o opened
	select {
	case o = <-c.opened:
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
	header := metadata.Pairs(wire.EngineKey, c.server.config.Name)
	if _, ok := o.stream.(asr.Cutter); ok {
		header.Set(wire.CutKey, "true")
	}
	if _, ok := o.stream.(asr.Follower); ok {
		header.Set(wire.FollowKey, "true")
	}
	if err := c.stream.SendHeader(header); err != nil {
		return err
	}
	for {
		result, err := o.stream.Recv()
		if err != nil {
			return ended(c.ctx, err)
		}
		if !result.Final && !o.partials {
			continue
		}
		if md := trailer(result); len(md) > 0 {
			c.stream.SetTrailer(md)
		}
		if err := c.stream.Send(c.response(result, o.words)); err != nil {
			return err
		}
		if result.Final {
			return nil
		}
	}
}

// trailer is what is sent of a result besides its words.
func trailer(result asr.Result) metadata.MD {
	md := metadata.MD{}
	if result.Queued > 0 {
		md.Set(wire.QueuedKey, wire.Queued(result.Queued))
	}
	if result.Dropped != "" {
		md.Set(wire.DroppedKey, result.Dropped)
	}
	return md
}

func (c *call) response(result asr.Result, words bool) *rivapb.StreamingRecognizeResponse {
	return &rivapb.StreamingRecognizeResponse{Results: []*rivapb.StreamingRecognitionResult{{
		IsFinal:        result.Final,
		Alternatives:   []*rivapb.SpeechRecognitionAlternative{wire.Alternative(result, words)},
		AudioProcessed: float32(c.server.figures.seconds(c.record)),
	}}}
}

// ended returns why an utterance's Recv failed: the cause of its context if that was cancelled,
// else err.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, io.EOF) {
		return errors.New("recognizer ended an utterance without a final")
	}
	return err
}

// sent returns the metadata of a call under a key; empty if there is none.
func sent(ctx context.Context, key string) string {
	if values := metadata.ValueFromIncomingContext(ctx, key); len(values) > 0 {
		return values[0]
	}
	return ""
}

// open starts an utterance as a request asks for it.
func (s *Server) open(ctx context.Context, config *rivapb.RecognitionConfig, partials bool) (asr.Stream, error) {
	params, err := wire.Params(config, partials, sent(ctx, wire.PriorityKey), sent(ctx, wire.PartyKey))
	if err != nil && !errors.Is(err, asr.ErrLanguage) {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if err != nil {
		return nil, err
	}
	return s.config.Recognizer.Open(ctx, params)
}
