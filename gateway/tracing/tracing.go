// Package tracing sends OpenTelemetry traces of requests, live sessions and recorded jobs, if the
// environment asks for it.
//
// Spans hold names, ids, counts and times. They never hold audio, transcripts, keys, or anything
// else that a client sent as text. A nil [Tracer] and nil spans are valid and do nothing, so that
// tracing that is off costs a comparison.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"steno/session"
)

// flushTime bounds how long Close waits for the collector.
const flushTime = 5 * time.Second

// Tracer makes spans and sends them to a collector. Its methods may be called from any goroutine,
// and on nil.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// Wanted reports whether an environment of NAME=value strings asks for traces:
// OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is there, or
// OTEL_TRACES_EXPORTER is otlp. Errors: an exporter or a protocol that this program does not have.
func Wanted(environ []string) (bool, error) {
	env := map[string]string{}
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		env[name] = strings.TrimSpace(value)
	}
	exporter := env["OTEL_TRACES_EXPORTER"]
	if strings.EqualFold(env["OTEL_SDK_DISABLED"], "true") || exporter == "none" {
		return false, nil
	}
	if exporter == "" && env["OTEL_EXPORTER_OTLP_ENDPOINT"] == "" && env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] == "" {
		return false, nil
	}
	if exporter != "" && exporter != "otlp" {
		return false, fmt.Errorf("OTEL_TRACES_EXPORTER is %q, want otlp or none", exporter)
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if p := env[name]; p != "" && p != "http/protobuf" {
			return false, fmt.Errorf("%s is %q, want http/protobuf", name, p)
		}
	}
	return true, nil
}

// Open returns a tracer that sends to the collector named in the process's environment, see
// [Wanted]. node names the process. failed is called with each error of sending; spans that cannot
// be sent are dropped. The caller must Close it.
func Open(ctx context.Context, node string, failed func(error)) (*Tracer, error) {
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(failed))
	return newTracer(ctx, node, sdk.WithBatcher(exporter))
}

func newTracer(ctx context.Context, node string, options ...sdk.TracerProviderOption) (*Tracer, error) {
	about, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "steno"), attribute.String("service.instance.id",
			node)),
		resource.WithFromEnv()) // the last one wins
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, fmt.Errorf("traces: %w", err)
	}
	p := sdk.NewTracerProvider(append(options, sdk.WithResource(about))...)
	return &Tracer{provider: p, tracer: p.Tracer("steno")}, nil
}

// Close sends what is left and ends.
func (t *Tracer) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", err)
	}
	return nil
}

// start begins a span that belongs to that of ctx, if there is one.
func (t *Tracer) start(ctx context.Context, name string, kind trace.SpanKind,
	about ...attribute.KeyValue) (context.Context, *Span) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(about...))
	return ctx, &Span{tracer: t, ctx: ctx, span: span}
}

// Request begins the span of a request for a route of the API, such as "POST /v2/live". It
// continues a trace of the client's.
func (t *Tracer) Request(r *http.Request) (*http.Request, *Span) {
	if t == nil {
		return r, nil
	}
	route := r.Pattern
	if route == "" {
		route = "other"
	}
	from := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.start(from, route, trace.SpanKindServer,
		attribute.String("http.request.method", method(r.Method)), attribute.String("http.route", route))
	return r.WithContext(ctx), span
}

// method returns a method that is known, or "_OTHER": it comes from the client.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return m
	}
	return "_OTHER"
}

// Session begins the span of a live session in this process. It is the root of a trace.
func (t *Tracer) Session(id, model, engine string, channels int) *Span {
	if t == nil {
		return nil
	}
	_, span := t.start(context.Background(), "session", trace.SpanKindServer, attribute.String("steno.session", id),
		attribute.String("steno.model", model), attribute.String("steno.engine", engine),
		attribute.Int("steno.channels", channels))
	return span
}

// Job begins the span of an attempt at a recorded job. It is the root of a trace.
func (t *Tracer) Job(id string, attempt int) *Span {
	if t == nil {
		return nil
	}
	_, span := t.start(context.Background(), "job", trace.SpanKindConsumer,
		attribute.String("steno.job", id), attribute.Int("steno.attempt", attempt))
	return span
}

// Span is a part of a trace. Its methods may be called from any goroutine, and on nil.
type Span struct {
	tracer *Tracer
	ctx    context.Context
	span   trace.Span
}

// Stage begins a part of the span.
func (s *Span) Stage(name string) *Span {
	if s == nil {
		return nil
	}
	_, stage := s.tracer.start(s.ctx, name, trace.SpanKindInternal)
	return stage
}

// Final notes the final of an utterance that has come just now, as a part of the span with the
// stages as events.
func (s *Span) Final(l session.Latency) {
	if s == nil {
		return
	}
	given := l.Ended.Add(-l.Endpointed)
	decoding := l.Ended.Add(l.Queued)
	final := decoding.Add(l.Decoded)
	_, span := s.tracer.tracer.Start(s.ctx, "final", trace.WithTimestamp(given.Add(-l.Received)))
	span.AddEvent("received", trace.WithTimestamp(given))
	span.AddEvent("endpointed", trace.WithTimestamp(l.Ended))
	span.AddEvent("queued", trace.WithTimestamp(decoding))
	span.AddEvent("decoded", trace.WithTimestamp(final))
	span.End(trace.WithTimestamp(final))
}

// End ends the span with the status of a refusal or failure, 0 without one.
func (s *Span) End(status int) {
	if s == nil {
		return
	}
	if status != 0 {
		s.span.SetAttributes(attribute.Int("steno.status", status))
	}
	if status >= 500 {
		s.span.SetStatus(codes.Error, "")
	}
	s.span.End()
}
