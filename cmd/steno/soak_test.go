package main_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"steno/cmd/cmdtest"
	"steno/session/store/valkeytest"
)

// soakVariable makes TestSoak run, for a duration. STENO_SOAK_REPORT is the file of its report.
const soakVariable = "STENO_SOAK"

// soakKeys are the keys of the accounts whose clients speak.
var soakKeys = map[string]string{"north": "key-of-the-north-account", "south": "key-of-the-south-account",
	"east": "key-of-the-east-account!"}

// soak is a long run: clients of all kinds come and go, faults happen, and figures are taken.
type soak struct {
	t      *testing.T
	c      *cluster
	want   map[string]string // the words of each kind of client where nothing goes wrong
	series soakSeries

	mu    sync.Mutex
	kinds map[string]*soakCount
	Log   []string // of faults
}

// soakCount is what became of the sessions of one kind of client.
type soakCount struct {
	Name              string
	Sessions, Refused int
	Cut               int // by faults
	Wrong             []string
}

// TestSoak has clients of all kinds and accounts come and go at two gateways for as long as the
// variable has, while connections, an engine, a gateway and Valkey fail. Sessions that come to
// their end have the words of an undisturbed one, and no figure of the gateway that is never
// restarted, of the disk and of Valkey grows.
func TestSoak(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv(soakVariable))
	if err != nil {
		t.Skip("runs for long: " + soakVariable + "=30m, or make soak")
	}
	valkeytest.Program(t)
	admin := cmdtest.Address(t)
	var keys []string
	for account, key := range soakKeys {
		keys = append(keys, account+":"+key)
	}
	c := newCluster(t, build(t), "scripted", 2, []string{"--appendonly", "yes"}, "STENO_RETENTION_FINISHED=1m",
		"STENO_LIMITS_RESUME_WINDOW=3s", "STENO_LOG_LEVEL=error",
		"STENO_API_KEYS="+strings.Join(append(keys, testKey), ","))
	s := &soak{t: t, c: c, want: map[string]string{}, kinds: map[string]*soakCount{},
		series: soakSeries{began: time.Now(), all: map[string]*soakMeasure{}}}
	s.restartWith(c.nodes[0], "STENO_ADMIN="+admin)
	s.learn()
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var work sync.WaitGroup
	first := time.Duration(0)
	for i := range soakClients {
		for account, key := range soakKeys {
			first += soakPeriod / time.Duration(len(soakClients)*len(soakKeys))
			work.Go(func() { s.speak(ctx, first, soakClients[i], account, key) })
		}
	}
	work.Go(func() { s.fail(ctx, length) })
	s.watch(ctx, admin, length)
	work.Wait()
	s.judge(length)
}

// restartWith starts a gateway again with more of an environment.
func (s *soak) restartWith(g *gateway, env ...string) {
	if err := g.kill(); err != nil {
		s.t.Fatal(err)
	}
	g.env = append(g.env, env...)
	if err := g.start(); err != nil {
		s.t.Fatal(err)
	}
}

// learn has each kind speak where nothing goes wrong.
func (s *soak) learn() {
	for _, k := range soakClients {
		words, err := k.converse(s.t.Context(), s.c.nodes[1], soakKeys["north"])
		if err != nil || words == "" && k.final != nil {
			s.t.Fatalf("%s: %q, %v", k.name, words, err)
		}
		s.want[k.name] = words
		s.kinds[k.name] = &soakCount{Name: k.name}
	}
}

// soakPeriod is the time from one conversation of a client to its next one. It is longer than most
// take, so that the load depends neither on what else the machine does nor on the faults.
const soakPeriod = 4 * time.Second

// speak has one client of a kind speak again and again, at first after a while.
func (s *soak) speak(ctx context.Context, first time.Duration, k soakClient, account, key string) {
	for next := time.NewTimer(first); ; next.Reset(soakPeriod - time.Since(s.series.began.Add(first))%soakPeriod) {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		within, cancel := context.WithTimeout(ctx, time.Minute)
		words, err := k.converse(within, s.c.front, key)
		cancel()
		if ctx.Err() != nil {
			return
		}
		s.count(k, account, words, err)
	}
}

func (s *soak) count(k soakClient, account, words string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.kinds[k.name]
	of.Sessions++
	switch {
	case err != nil && strings.Contains(err.Error(), "refused"):
		of.Refused++
	case err != nil:
		of.Cut++
	case words != s.want[k.name]:
		of.Wrong = append(of.Wrong, fmt.Sprintf("%s: %q, not %q", account, words, s.want[k.name]))
	}
}

// fail has something fail now and then: never the first gateway itself, whose figures are taken.
// Everything fails once before anything fails again, so that no part of the time has more of one
// fault than others.
func (s *soak) fail(ctx context.Context, length time.Duration) {
	r := rand.New(rand.NewPCG(uint64(length), 11))
	faults := []struct {
		name string
		do   func() error
	}{
		{"the engine of the first gateway is killed", s.c.nodes[0].killEngine},
		{"the second gateway is killed", func() error { return s.again(s.c.nodes[1].kill()) }},
		{"the second gateway is stopped", func() error { return s.again(s.terminate()) }},
		{"Valkey is paused", func() error {
			s.c.valkey.Pause()
			time.Sleep(time.Duration(r.Int64N(int64(2 * time.Second))))
			s.c.valkey.Resume()
			return nil
		}},
		{"Valkey is killed", func() error {
			s.c.valkey.Kill()
			time.Sleep(time.Duration(r.Int64N(int64(time.Second))))
			s.c.valkey.Again()
			return nil
		}},
	}
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(length/60 + time.Duration(r.Int64N(int64(length/30)))):
		}
		if n%len(faults) == 0 {
			r.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
		}
		f := faults[n%len(faults)]
		s.mu.Lock()
		s.Log = append(s.Log, fmt.Sprintf("%.0f s: %s", time.Since(s.series.began).Seconds(), f.name))
		s.mu.Unlock()
		if err := f.do(); err != nil {
			s.t.Error(err)
		}
	}
}

// terminate ends the second gateway as an operator does, and waits until it has.
func (s *soak) terminate() error {
	p := s.c.nodes[1].current()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	<-p.gone
	return nil
}

// again starts the second gateway, which has ended.
func (s *soak) again(err error) error {
	if err != nil {
		return err
	}
	return s.c.nodes[1].start()
}

// watch takes the figures, until ctx ends.
func (s *soak) watch(ctx context.Context, admin string, length time.Duration) {
	tick := time.NewTicker(max(length/180, 2*time.Second))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.series.add(soakMeasures(s.t, s.c, admin))
		}
	}
}

// judge compares what happened with what must, and writes the report.
func (s *soak) judge(length time.Duration) {
	for _, m := range s.series.list() {
		growth, deviation := m.trend()
		s.t.Logf("%-18s %+.2f %% ± %.2f", m.Name, growth, deviation)
		if m.grows() {
			s.t.Errorf("%s grows by %.2f %% ± %.2f", m.Name, growth, deviation)
		}
	}
	var kinds []*soakCount
	for _, k := range soakClients {
		of := s.kinds[k.name]
		kinds = append(kinds, of)
		s.t.Logf("%-16s %d sessions, %d cut, %d refused", of.Name, of.Sessions, of.Cut, of.Refused)
		for _, w := range of.Wrong[:min(3, len(of.Wrong))] {
			s.t.Errorf("%s: %s", of.Name, w)
		}
		if done := of.Sessions - of.Cut - of.Refused; done*2 < of.Sessions {
			s.t.Errorf("%s: %d sessions of %d came to their end", of.Name, done, of.Sessions)
		}
	}
	slices.SortFunc(kinds, func(a, b *soakCount) int { return strings.Compare(a.Name, b.Name) })
	if path := os.Getenv(soakVariable + "_REPORT"); path != "" {
		if err := writeSoakReport(path, length, kinds, s.series.list(), s.Log); err != nil {
			s.t.Error(err)
		}
	}
}
