// Package rivaserver serves a recognizer to other processes. It speaks the NVIDIA Riva ASR
// interface over gRPC, gRPC's health service, and the service of package enginepb with figures and
// capabilities.
//
// One StreamingRecognize call is one utterance. It is accepted or refused before any audio is read,
// with a response header naming the engine. Ending the call early abandons the utterance.
package rivaserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"golang.org/x/net/netutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
	"steno/session/asr/schedule"
	"steno/session/semaphore"
)

// Config specifies what to serve. Recognizer and Name are needed.
type Config struct {
	// Recognizer may also be an [asr.Lister], [asr.Identifier], [asr.Punctuator], [asr.Diarizer]
	// and [asr.Denoiser]. Calls for other capabilities are refused as unimplemented.
	Recognizer asr.Recognizer
	// Name is what decodes, as clients see it, such as "sphinx".
	Name string
	// MaxCalls bounds the utterances open at the same time, decoding or waiting, together with the
	// calls for capabilities; 0: 1024. Further calls are refused and counted as refused.
	MaxCalls int
	// MaxRecordings bounds the calls for diarization among them, each of which keeps all its audio;
	// 0: 2.
	MaxRecordings int
	// LongestRecording bounds the audio of one call for diarization, 32 kB a second; 0: 5 h.
	LongestRecording time.Duration
	// MaxConnections bounds the connections; further ones wait to be accepted. 0: 256.
	MaxConnections int
	// Idle is how long a call may go without a message before it is ended and its utterance lost;
	// 0: 15 min.
	Idle time.Duration
	// Drain is how long running calls may continue once serving ends; 0: 10 s.
	Drain time.Duration
	// TLS secures the connections; nil: plain text.
	TLS *tls.Config
	// Figures returns the recognizer's own counts, which are reported with the server's; it may be
	// nil.
	Figures func() map[string]float64
	// Models returns the cost of each model's decoding, which is reported too; it may be nil.
	Models func() []schedule.Figures
}

const (
	// maxReceive allows the longest utterance in one message, and the rest of the request; or, in a
	// message of its own, the largest vocabulary and the longest context.
	maxReceive = 2*asr.MaxSamples + wire.MaxContextText + 64<<10
	// streamWindow allows a client to send a whole utterance before any of it has been read.
	streamWindow     = 2 * asr.MaxSamples
	connectionWindow = 8 * streamWindow
)

// Server serves one recognizer.
type Server struct {
	rivapb.UnimplementedRivaSpeechRecognitionServer
	enginepb.UnimplementedEngineServer
	config     Config
	readers    sync.WaitGroup // goroutines reading calls; they end with their calls
	figures    figures
	recordings *semaphore.Semaphore // one for each call for diarization
}

// New returns a server. The caller closes the recognizer after Serve has returned.
func New(c Config) *Server {
	c.MaxCalls = orDefault(c.MaxCalls, 1024)
	c.MaxRecordings = orDefault(c.MaxRecordings, 2)
	c.LongestRecording = orDefault(c.LongestRecording, 5*time.Hour)
	c.MaxConnections = orDefault(c.MaxConnections, 256)
	c.Idle = orDefault(c.Idle, 15*time.Minute)
	c.Drain = orDefault(c.Drain, 10*time.Second)
	return &Server{config: c, recordings: semaphore.New(int64(c.MaxRecordings), 0, 0)}
}

func orDefault[T int | time.Duration](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}

// Serve answers on the listener, which it closes, until ctx is cancelled. Then it refuses new
// calls, waits the drain time for running ones, breaks those that remain, and returns nil when no
// call or goroutine is left. It is called once.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := grpc.NewServer(s.options()...)
	status := health.NewServer()
	rivapb.RegisterRivaSpeechRecognitionServer(server, s)
	enginepb.RegisterEngineServer(server, s)
	healthpb.RegisterHealthServer(server, status)
	status.SetServingStatus(rivapb.RivaSpeechRecognition_ServiceDesc.ServiceName, healthpb.HealthCheckResponse_SERVING)

	done := make(chan error, 1)
	go func() { done <- server.Serve(netutil.LimitListener(listener, s.config.MaxConnections)) }()
	var err error
	select {
	case err = <-done:
		server.Stop()
	case <-ctx.Done():
		status.Shutdown()
		s.drain(server)
		err = <-done
	}
	s.readers.Wait()
	if err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return fmt.Errorf("serve recognition: %w", err)
	}
	return nil
}

// drain waits for running calls, for the drain time at most.
func (s *Server) drain(server *grpc.Server) {
	drained := make(chan struct{})
	go func() {
		server.GracefulStop()
		close(drained)
	}()
	timer := time.NewTimer(s.config.Drain)
	defer timer.Stop()
	select {
	case <-drained:
	case <-timer.C:
		server.Stop()
		<-drained
	}
}

func (s *Server) options() []grpc.ServerOption {
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(maxReceive),
		grpc.MaxHeaderListSize(16 << 10),
		grpc.InitialWindowSize(streamWindow),
		grpc.InitialConnWindowSize(connectionWindow),
		// Calls beyond the bound are refused, not left waiting for a stream.
		grpc.MaxConcurrentStreams(uint32(s.config.MaxCalls) + 64),
		grpc.ConnectionTimeout(10 * time.Second),
		grpc.WaitForHandlers(true),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			MaxConnectionIdle: time.Hour, Time: 30 * time.Second, Timeout: 10 * time.Second,
		}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 10 * time.Second}),
	}
	if s.config.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(s.config.TLS)))
	}
	return options
}
