package tracing

import (
	"context"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"steno/session"
)

func TestWanted(t *testing.T) {
	for _, c := range []struct {
		environ []string
		want    bool
		fails   bool
	}{
		{nil, false, false},
		{[]string{"OTEL_SERVICE_NAME=x"}, false, false},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318"}, true, false},
		{[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://collector:4318/v1/traces"}, true, false},
		{[]string{"OTEL_TRACES_EXPORTER=otlp"}, true, false},
		{[]string{"OTEL_TRACES_EXPORTER=none", "OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318"}, false, false},
		{[]string{"OTEL_SDK_DISABLED=true", "OTEL_TRACES_EXPORTER=otlp"}, false, false},
		{[]string{"OTEL_TRACES_EXPORTER=zipkin"}, false, true},
		{[]string{"OTEL_TRACES_EXPORTER=otlp", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, false, true},
	} {
		got, err := Wanted(c.environ)
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%q: %v, %v", c.environ, got, err)
		}
	}
}

// Without a tracer nothing happens, and nothing is allocated.
func TestOff(t *testing.T) {
	var none *Tracer
	r := httptest.NewRequest("GET", "/", nil)
	if n := testing.AllocsPerRun(100, func() {
		_, span := none.Request(r)
		span.End(500)
		s := none.Session("id", "m", "e", 1)
		s.Final(session.Latency{})
		s.Stage("x").End(0)
		none.Job("id", 1).End(0)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

// A session's spans, and those of a job and a request, have their stages and no text of clients.
func TestSpans(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	tracer, err := newTracer(context.Background(), "node", sdk.WithSpanProcessor(recorder))
	if err != nil {
		t.Fatal(err)
	}
	s := tracer.Session("id", "stt-1", "sphinx", 2)
	ended := time.Now()
	s.Final(session.Latency{Ended: ended, Received: 1, Endpointed: 2, Queued: 3, Decoded: 4})
	s.End(0)
	job := tracer.Job("job", 1)
	job.Stage("fetching").End(0)
	job.End(504)
	r := httptest.NewRequest("SECRET", "/v2/live/secret?token=secret", nil)
	r.Header.Set("Traceparent", "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")
	_, request := tracer.Request(r)
	request.End(429)
	if err := tracer.Close(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, span := range recorder.Ended() {
		names = append(names, span.Name())
		for _, a := range span.Attributes() {
			if text := a.Value.String(); text == "SECRET" || len(text) > 20 {
				t.Errorf("%s: attribute %s is %q", span.Name(), a.Key, text)
			}
		}
	}
	if want := []string{"final", "session", "fetching", "job", "other"}; !slices.Equal(names, want) {
		t.Fatalf("spans %q, want %q", names, want)
	}
	all := recorder.Ended()
	if final := all[0]; final.Parent().SpanID() != all[1].SpanContext().SpanID() ||
		final.EndTime().Sub(final.StartTime()) != 10 || len(final.Events()) != 4 {
		t.Errorf("final from %v to %v, events %v", final.StartTime(), final.EndTime(), final.Events())
	}
	if id := all[4].SpanContext().TraceID().String(); id != "0123456789abcdef0123456789abcdef" {
		t.Errorf("the request's trace is %s", id)
	}
}
