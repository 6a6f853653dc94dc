package main_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/audio"
	"steno/loadtest"
)

// What BenchmarkOverload plays, and how often in turn.
const (
	overloadLasts  = 30 * time.Second
	overloadRounds = 5
	overloadTimes  = 3 // the offered load by the capacity
	fullRoom       = 8 // speakers that a gateway on two processors has to carry
)

// BenchmarkOverload prints what users see of a gateway with PocketSphinx below, at and beyond its capacity, as medians of
// some rounds: the 95th percentile of the delay of finals and its ratio to that of a single speaker, how fast sessions are refused,
// the finals a second, and how a full room fares that begins to speak at once. It needs two processors of its own.
func BenchmarkOverload(b *testing.B) {
	bin := build(b)
	clip := &loadtest.Clip{
		Name: "austen", Format: audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: clipRate, Channels: 1}, Data: austen(b).pcm,
	}
	figures := map[string][]float64{}
	note := func(name string, v float64) { figures[name] = append(figures[name], v) }
	for b.Loop() {
		for range overloadRounds {
			g := newGateway(b, bin, "sphinx", "STENO_ADMISSION_HEADROOM=true")
			alone := load(b, g, loadtest.Options{Sessions: 1, Clips: []*loadtest.Clip{clip}, RandomStart: true})
			note("alone p95 s", alone.Delays.Final.P95)
			silent := load(b, g, loadtest.Options{Sessions: 12, Silence: 0.5, Clips: []*loadtest.Clip{clip}, RandomStart: true})
			note("12 half-silent done", float64(silent.Done))
			note("12 half-silent p95 by alone", silent.Delays.Final.P95/alone.Delays.Final.P95)
			room := load(b, g, loadtest.Options{Sessions: fullRoom, Ramp: time.Millisecond, Clips: []*loadtest.Clip{clip}})
			note("room done", float64(room.Done))
			note("room missing finals", float64(room.Missing))
			note("room p95 first third s", room.Delays.First.P95)
			note("room p95 last third by alone", room.Delays.Last.P95/alone.Delays.Final.P95)
			note("room finals/s", float64(room.Finals)/overloadLasts.Seconds())

			stop := refusals(b, g)
			over := load(b, g, loadtest.Options{Sessions: overloadTimes * fullRoom, Clips: []*loadtest.Clip{clip}, RandomStart: true})
			note("refused p99 ms", stop()*1000)
			note("overload done", float64(over.Done))
			note("overload missing finals", float64(over.Missing))
			note("overload p95 by alone", over.Delays.Final.P95/alone.Delays.Final.P95)
			note("overload finals/s by room", float64(over.Finals)/over.Wall*overloadLasts.Seconds()/max(float64(room.Finals), 1))
			g.end()
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, all := range figures {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], strings.ReplaceAll(name, " ", "-"))
	}
}

// load makes load on a gateway.
func load(b *testing.B, g *gateway, o loadtest.Options) *loadtest.Report {
	b.Helper()
	o.URL, o.Key, o.Duration, o.Partials, o.Endpointing = g.url(), testKey, overloadLasts, true, 0.3
	report, err := loadtest.Run(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	return report
}

// refusals asks for sessions again and again until stop, gives up those it gets, and returns the 99th percentile of the time that
// a refusal took, in s.
func refusals(b *testing.B, g *gateway) (stop func() float64) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var took []float64
	var asking sync.WaitGroup
	asking.Go(func() {
		for ctx.Err() == nil {
			began := time.Now()
			status, answer := request(ctx, http.MethodPost, g.url()+"/v2/live", `{}`)
			if status == http.StatusServiceUnavailable {
				took = append(took, time.Since(began).Seconds())
			}
			if _, rest, ok := strings.Cut(answer, `"id":"`); ok {
				id, _, _ := strings.Cut(rest, `"`)
				request(context.Background(), http.MethodDelete, fmt.Sprintf("%s/v2/live/%s?cancel=true", g.url(), id), "")
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return func() float64 {
		cancel()
		asking.Wait()
		if len(took) == 0 {
			return 0
		}
		slices.Sort(took)
		return took[len(took)*99/100]
	}
}

// request makes a request with the key, and returns status and answer; 0 if there is none.
func request(ctx context.Context, method, url, body string) (status int, answer string) {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, ""
	}
	req.Header.Set("X-Service-Key", testKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, ""
	}
	return resp.StatusCode, string(text)
}
