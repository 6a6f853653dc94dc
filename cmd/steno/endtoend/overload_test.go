package endtoend_test

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

	"github.com/HdrHistogram/hdrhistogram-go"

	"steno/audio"
	"steno/cmd/cmdtest"
	"steno/loadtest"
)

// What BenchmarkOverload plays.
const (
	overloadLasts = 30 * time.Second
	overloadComes = 8 * time.Second // in which all sessions of a load have asked
	overloadTimes = 3               // the offered load by the capacity
	fullRoom      = 8               // speakers that a gateway on two processors has to carry
)

// BenchmarkOverload prints what users see of a gateway with PocketSphinx below, at and beyond its
// capacity, as medians of as many rounds of two to three minutes as -benchtime has (five are
// meaningful): the delay of finals, and its ratio to that of a single speaker, how fast sessions
// are refused, the audio carried a second, and how a full room fares that begins to speak at the
// same time. It needs two processors of its own. -bench Overload/room plays that load, and those
// that it is compared with, alone.
func BenchmarkOverload(b *testing.B) {
	bin := build(b)
	clip := &loadtest.Clip{
		Name: "austen", Format: audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: clipRate, Channels: 1},
		Data: austen(b).pcm,
	}
	for name, play := range map[string]func(*overload){
		"speakers": (*overload).speakers, "silent": (*overload).halfSilent, "room": (*overload).room,
		"beyond": (*overload).beyond,
	} {
		b.Run(name, func(b *testing.B) {
			figures := map[string][]float64{}
			for b.Loop() {
				admin := cmdtest.Address(b)
				g := newGateway(b, bin, "sphinx", "STENO_ADMISSION_HEADROOM=true", "STENO_ADMIN="+admin)
				o := &overload{b, g, admin, clip, figures}
				play(o)
				o.gateway.end()
			}
			b.ReportMetric(0, "ns/op")
			for name, all := range figures {
				b.Logf("%s: %.3f", name, all)
				slices.Sort(all)
				b.ReportMetric(all[len(all)/2], strings.ReplaceAll(name, " ", "-"))
			}
		})
	}
}

// overload is one round.
type overload struct {
	*testing.B
	gateway *gateway
	admin   string // address of its metrics
	clip    *loadtest.Clip
	figures map[string][]float64 // of all rounds
}

func (o *overload) note(name string, v float64) { o.figures[name] = append(o.figures[name], v) }

// load makes load of one kind.
func (o *overload) load(options loadtest.Options) *loadtest.Report {
	options.Clips = []*loadtest.Clip{o.clip}
	return load(o.B, o.gateway, options)
}

// alone is one speaker.
func (o *overload) alone() *loadtest.Report {
	return o.load(loadtest.Options{Sessions: 1, RandomStart: true})
}

// speakers are one, six and as many as there have to be.
func (o *overload) speakers() {
	for _, n := range []int{1, 6, fullRoom} {
		r := o.load(loadtest.Options{Sessions: n, RandomStart: true})
		who := fmt.Sprintf("%d speakers ", n)
		o.note(who+"final after speech_end median ms", 1000*r.Delays.Decision.P50)
		o.note(who+"p95 ms", 1000*r.Delays.Decision.P95)
		o.note(who+"partials/final", float64(r.Partials)/float64(max(r.Finals, 1)))
		o.note(who+"done", float64(r.Done))
	}
}

// halfSilent are a dozen calls.
func (o *overload) halfSilent() {
	alone := o.alone()
	r := o.load(loadtest.Options{Sessions: 12, Silence: 0.5, RandomStart: true})
	o.note("12 half-silent done", float64(r.Done))
	o.note("12 half-silent p95 by alone", r.Delays.Final.P95/alone.Delays.Final.P95)
}

// room is full, and begins to speak at the same time: each with other words, and once more all with
// the same, whose utterances all end at the same time.
func (o *overload) room() {
	alone := o.alone()
	for _, c := range []struct {
		who         string
		randomStart bool
	}{{"room ", true}, {"chorus ", false}} {
		r := o.load(loadtest.Options{Sessions: fullRoom, Ramp: time.Millisecond, RandomStart: c.randomStart})
		o.note(c.who+"done", float64(r.Done))
		o.note(c.who+"missing finals", float64(r.Missing))
		o.note(c.who+"p95 first third s", r.Delays.First.P95)
		o.note(c.who+"p95 behind first third by alone", behindFirstThird(o.B, r)/alone.Delays.Final.P95)
		o.note(c.who+"p95 last third by alone", r.Delays.Last.P95/alone.Delays.Final.P95)
	}
}

// behindFirstThird is the 95th percentile of the delay of the finals that came in the second and in
// the last third of a load, in s.
func behindFirstThird(b *testing.B, r *loadtest.Report) float64 {
	b.Helper()
	counts := map[int64]int64{} // of delays, in microseconds
	for _, c := range []struct {
		measure string
		sign    int64
	}{{"final", 1}, {"final_first_third", -1}} {
		h, err := hdrhistogram.Decode([]byte(r.Histograms[c.measure]))
		if err != nil {
			b.Fatal(err)
		}
		for _, bar := range h.Distribution() {
			counts[bar.From] += c.sign * bar.Count
		}
	}
	var delays []int64
	for us, n := range counts {
		delays = append(delays, slices.Repeat([]int64{us}, int(n))...)
	}
	slices.Sort(delays)
	return float64(delays[len(delays)*95/100]) / 1e6
}

// beyond is three times the capacity, beside clients that come again and again once all of its own
// have come: one that is admitted and leaves would have taken the place of a speaker.
func (o *overload) beyond() {
	alone := o.alone()
	o.learnt("alone")
	full := o.load(loadtest.Options{Sessions: fullRoom, RandomStart: true})
	o.learnt("full")
	stop := refusals(o.B, o.gateway)
	r := o.load(loadtest.Options{Sessions: overloadTimes * fullRoom, RandomStart: true})
	o.note("refused p99 ms", stop()*1000)
	o.learnt("overload")
	o.note("full done", float64(full.Done))
	o.note("overload done", float64(r.Done))
	o.note("overload missing finals", float64(r.Missing))
	o.note("alone p95 s", alone.Delays.Final.P95)
	o.note("overload p95 s", r.Delays.Final.P95)
	o.note("full p95 s", full.Delays.Final.P95)
	o.note("overload p95 by alone", r.Delays.Final.P95/alone.Delays.Final.P95)
	o.note("overload throughput by full", throughput(r)/throughput(full))
}

// learnt notes what the gateway has learnt that the finals of a speaker cost, which admission goes
// by, after a load.
func (o *overload) learnt(load string) {
	o.note("learnt cost "+load, figure(o.B, "http://"+o.admin+"/metrics",
		`steno_admission_final_cost_ratio{engine="sphinx"}`))
}

// throughput is the audio, in s, of which all finals came, in a second. Finals are no measure:
// random places of the clip have more of them or fewer.
func throughput(r *loadtest.Report) float64 {
	return float64(r.Done) * overloadLasts.Seconds() / r.Wall
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

// refusals asks for sessions again and again until stop, after the time in which a load comes,
// leaves those it gets, and returns the 99th percentile of the time that a refusal took, in s.
func refusals(b *testing.B, g *gateway) (stop func() float64) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var took []time.Duration
	var asking sync.WaitGroup
	asking.Go(func() {
		time.Sleep(overloadComes)
		for ctx.Err() == nil {
			began := time.Now()
			status, answer := request(ctx, http.MethodPost, g.url()+"/v2/live", `{}`)
			if status == http.StatusServiceUnavailable {
				took = append(took, time.Since(began))
			}
			if _, rest, ok := strings.Cut(answer, `"id":"`); ok {
				id, _, _ := strings.Cut(rest, `"`)
				request(context.Background(), http.MethodDelete, fmt.Sprintf("%s/v2/live/%s?cancel=true", g.url(),
					id), "")
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return func() float64 {
		cancel()
		asking.Wait()
		b.Logf("%d refusals", len(took))
		return percentile99(took).Seconds()
	}
}

// percentile99 sorts delays. It is 0 of none.
func percentile99(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)*99/100]
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
