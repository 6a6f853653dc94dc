package endtoend_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/valkey-io/valkey-go"

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
	client valkey.Client
	want   map[string]string // the words of each kind of client where nothing goes wrong
	series soakSeries

	log []string // of faults

	mu    sync.Mutex
	kinds map[string]*soakCount
}

// soakCount is what became of the sessions of one kind of client.
type soakCount struct {
	Name              string
	Sessions, Refused int
	Cut               int // by faults
	Wrong             []string
}

// TestSoak has clients of all kinds and accounts come and go at two gateways for as long as the
// variable has, while connections, an engine, a gateway and Valkey fail. Now and then all of them
// rest until nothing is left of their sessions. Sessions that come to their end have the words of
// an undisturbed one, and from rest to rest no figure of the gateway that is never restarted, of
// the disk and of Valkey grows.
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
	client, err := valkey.NewClient(valkey.ClientOption{InitAddress: []string{c.valkey.Addr()}, DisableCache: true})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	s := &soak{t: t, c: c, client: client, want: map[string]string{}, kinds: map[string]*soakCount{},
		series: soakSeries{began: time.Now(), all: map[string]*soakMeasure{}}}
	s.restartWith(c.nodes[0], "STENO_ADMIN="+admin)
	s.learn()
	for seed := uint64(0); time.Since(s.series.began) < length; seed++ {
		s.round(max(length/soakRounds, time.Minute), rand.New(rand.NewPCG(seed, 11)))
		s.rest()
		s.series.add(soakMeasures(t, c, client, admin))
	}
	s.judge(length)
}

// soakRounds is how many rounds of work fill the time, without the rests between them, which take
// as long again in half an hour, and nothing in days.
const soakRounds = 16

// round has all clients speak for a while, and everything fail once.
func (s *soak) round(lasts time.Duration, r *rand.Rand) {
	ctx, cancel := context.WithTimeout(s.t.Context(), lasts)
	defer cancel()
	var work sync.WaitGroup
	began, first := time.Now(), time.Duration(0)
	for i := range soakClients {
		for _, account := range slices.Sorted(maps.Keys(soakKeys)) {
			first += soakPeriod / time.Duration(len(soakClients)*len(soakKeys))
			work.Go(func() { s.speak(ctx, began.Add(first), soakClients[i], account) })
		}
	}
	s.fail(ctx, lasts, r)
	work.Wait()
}

// rest waits until the gateways and Valkey have nothing of what the clients made.
func (s *soak) rest() {
	s.t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(time.Second) {
		left := s.left()
		if left == nil {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("after five minutes of rest there are %v", left)
		}
	}
}

// left is what keeps the gateways from being at rest.
func (s *soak) left() (list []string) {
	for _, g := range s.c.nodes {
		if !probe(s.t.Context(), g.addr, "/readyz") {
			list = append(list, "a gateway that is not ready")
		}
	}
	for account, key := range soakKeys {
		if !s.hasNone(key) {
			list = append(list, "sessions of "+account)
		}
	}
	if list == nil {
		for name := range valkeyKeys(s.t, s.client) {
			if ofSession.MatchString(name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// hasNone reports whether an account has no session.
func (s *soak) hasNone(key string) bool {
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.c.nodes[0].url()+"/v2/live?limit=1", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("x-service-key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	var list struct{ Items []struct{} }
	return resp.StatusCode == http.StatusOK && json.NewDecoder(resp.Body).Decode(&list) == nil && len(list.Items) == 0
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

// speak has one client of a kind speak again and again from a time on, until ctx ends.
func (s *soak) speak(ctx context.Context, first time.Time, k soakClient, account string) {
	for next := time.NewTimer(time.Until(first)); ; next.Reset(soakPeriod - time.Since(first)%soakPeriod) {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		words, err := k.converse(ctx, s.c.front, soakKeys[account])
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

// fail has everything fail once, in any order and at any time of a round: but never the first
// gateway itself, whose figures are taken.
func (s *soak) fail(ctx context.Context, lasts time.Duration, r *rand.Rand) {
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
	r.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
	each := lasts / time.Duration(len(faults)+1)
	for _, f := range faults {
		select {
		case <-ctx.Done():
			return
		case <-time.After(each/2 + time.Duration(r.Int64N(int64(each)))):
		}
		s.log = append(s.log, fmt.Sprintf("%.0f s: %s", time.Since(s.series.began).Seconds(), f.name))
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

// judge compares what happened with what must, and writes the report.
func (s *soak) judge(length time.Duration) {
	for _, m := range s.series.list() {
		growth, deviation := m.trend()
		s.t.Logf("%-18s %+.2f %% ± %.2f %.0f", m.Name, growth, deviation, m.Values)
		switch {
		case math.IsInf(deviation, 1):
			s.t.Errorf("%s: %d rests are too few to tell whether it grows", m.Name, len(m.Values))
		case m.grows():
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
		if err := writeSoakReport(path, length, kinds, s.series.list(), s.log); err != nil {
			s.t.Error(err)
		}
	}
}
