package riva

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
)

const (
	// maxReceive bounds a message from the server: a minute's words with their times take some 20
	// KB.
	maxReceive = 1 << 20
	// A silent server with open calls is noticed within the sum of these. Stock servers refuse
	// pings more frequent than a few a minute.
	keepaliveTime    = 30 * time.Second
	keepaliveTimeout = 10 * time.Second
)

func dialOptions(c Config) []grpc.DialOption {
	transport := insecure.NewCredentials()
	if c.TLS != nil {
		transport = credentials.NewTLS(c.TLS)
	}
	return []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithDisableServiceConfig(),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxReceive)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: keepaliveTime, Timeout: keepaliveTimeout}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2,
				MaxDelay: c.MaxBackoff},
			MinConnectTimeout: 3 * time.Second,
		}),
	}
}

// Healthy asks the server's health service. With wait it waits for the server to come up until ctx
// ends; else an unreachable server is an error immediately. Errors wrap ErrUnavailable, or are the
// context's.
func (r *Recognizer) Healthy(ctx context.Context, wait bool) error {
	answer, err := healthpb.NewHealthClient(r.conn).Check(r.outgoing(ctx), &healthpb.HealthCheckRequest{},
		grpc.WaitForReady(wait))
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("health of recognizer: %w", ctx.Err())
	case err != nil:
		return fmt.Errorf("health of recognizer: %w", wire.Cause(err))
	case answer.Status != healthpb.HealthCheckResponse_SERVING:
		return fmt.Errorf("health of recognizer: %w: %s", asr.ErrUnavailable, answer.Status)
	}
	return nil
}

// Figures asks an engine program for its counts. Stock servers have none, and the call fails.
func (r *Recognizer) Figures(ctx context.Context) (*enginepb.Figures, error) {
	figures, err := r.engine.GetFigures(r.outgoing(ctx), &enginepb.FiguresRequest{})
	if err != nil {
		return nil, fmt.Errorf("figures of engine: %w", wire.Cause(err))
	}
	return figures, nil
}
