package fusion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/scripted"
	"steno/session/panics"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSuite(t *testing.T) {
	open := func(t *testing.T) asr.Recognizer {
		return unite(t, slurring(2), scripted.New(scripted.Config{Languages: []string{"en"}}), slurring(3))
	}
	asrtest.Run(t, open, asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77), asrtest.Ramp(700, 5))
}

var errDown = fmt.Errorf("engine down: %w", asr.ErrUnavailable)

// lost are the ways to lose a member; left out, the ways in which it has no words.
var lost = map[string]func(*member){
	"refuses":     func(m *member) { m.open = func() error { return errDown } },
	"breaks":      func(m *member) { m.open = func() error { return errors.New("broken") } },
	"fails early": func(m *member) { m.write = failing(0); m.final = answering(asr.Result{}, errDown) },
	"fails late":  func(m *member) { m.write = failing(asr.Rate); m.final = answering(asr.Result{}, errDown) },
	"no final":    func(m *member) { m.final = answering(asr.Result{}, errDown) },
	"ends":        func(m *member) { m.final = answering(asr.Result{}, io.EOF) },
	"babbles": func(m *member) {
		m.final = answering(asr.Result{Final: true, Words: make([]asr.Word, maxWords+1)}, nil)
	},
}

func failing(after int) func(int) error {
	return func(written int) error {
		if written > after {
			return errDown
		}
		return nil
	}
}

func answering(r asr.Result, err error) func(asr.Result, error) (asr.Result, error) {
	return func(asr.Result, error) (asr.Result, error) { return r, err }
}

func TestAMemberLostIsLeftOut(t *testing.T) {
	for name, spoil := range lost {
		for at, engine := range []string{"fusion(b+c)", "fusion(a+c)", "fusion(a+b)"} {
			members := []asr.Recognizer{hearing("en", "one two", .5), hearing("en", "one two", .5),
				hearing("en", "one two", .5)}
			bad := hearing("en", "noise", 1)
			spoil(bad)
			members[at] = bad
			r, err := recognize(t, unite(t, members...), asr.Params{}, asrtest.Ramp(2*asr.Rate, 1))
			if err != nil || text(r.Words) != "one two" || r.Engine != engine || !r.Fallback || r.Language != "en" {
				t.Errorf("%s: %+v, %v; want %s", name, r, err, engine)
			}
		}
	}
}

func TestAMemberWithoutTheLanguageIsNotMissed(t *testing.T) {
	refuses := scripted.New(scripted.Config{Languages: []string{"de"}})
	late := hearing("fr", "", 0)
	late.final = answering(asr.Result{}, fmt.Errorf("model: %w", asr.ErrLanguage))
	all := unite(t, refuses, hearing("fr", "un deux", .5), late)
	r, err := recognize(t, all, asr.Params{Language: "fr"}, asrtest.Ramp(100, 1))
	if err != nil || text(r.Words) != "un deux" || r.Engine != "fusion(b)" || r.Fallback {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAMemberThatHadAStandInIsTold(t *testing.T) {
	stood := hearing("en", "", 0)
	stood.final = answering(asr.Result{Final: true, Fallback: true, Language: "en"}, nil)
	if r, err := recognize(t, unite(t, stood, hearing("en", "yes", .9)), asr.Params{}, nil); err != nil || !r.Fallback {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAllLost(t *testing.T) {
	for name, spoil := range lost {
		a, b := hearing("en", "", 0), hearing("en", "", 0)
		spoil(a)
		spoil(b)
		u, err := unite(t, a, b).Open(t.Context(), asr.Params{})
		if err == nil {
			_ = errors.Join(u.Write(asrtest.Ramp(2*asr.Rate, 1)), u.End()) // Recv tells
			_, err = u.Recv()
			if _, again := u.Recv(); again != err {
				t.Errorf("%s: %v, then %v", name, err, again)
			}
		}
		if !errors.Is(err, asr.ErrUnavailable) || errors.Is(err, io.EOF) {
			t.Errorf("%s: %v, want ErrUnavailable", name, err)
		}
	}
}

func TestWriteTellsWhenNobodyListens(t *testing.T) {
	a, b := slurring(2), slurring(3)
	a.write, b.write = failing(100), failing(200)
	u, err := unite(t, a, b).Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{nil, nil, asr.ErrUnavailable, asr.ErrUnavailable} {
		if err := u.Write(make([]int16, 100)); !errors.Is(err, want) {
			t.Errorf("write %d: %v, want %v", i, err, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	german := scripted.New(scripted.Config{Languages: []string{"de"}})
	down := slurring(2)
	down.open = func() error { return errDown }
	for name, c := range map[string]struct {
		members []asr.Recognizer
		want    error
	}{
		"no language": {[]asr.Recognizer{german, german}, asr.ErrLanguage},
		"perhaps":     {[]asr.Recognizer{german, down, german}, asr.ErrUnavailable},
	} {
		_, err := unite(t, c.members...).Open(t.Context(), asr.Params{Language: "fr"})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestMembersAreToldAll(t *testing.T) {
	a, b := hearing("en", "a", .5), hearing("en", "a", .5)
	p := asr.Params{Languages: []string{"en", "fr"}, Attempt: 2, Priority: asr.Replay,
		Vocabulary: []asr.Term{{Text: "x"}}}
	want := p
	p.Partials = true
	if _, err := recognize(t, unite(t, a, b), p, nil); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*member{a, b} {
		if len(m.params) != 1 || !reflect.DeepEqual(m.params[0], want) || m.paused != 1 {
			t.Errorf("told %+v, %d pauses", m.params, m.paused)
		}
	}
}

func TestTheSurestMemberTellsTheLanguage(t *testing.T) {
	all := unite(t, hearing("en", "water low", .4), hearing("fr", "de l'eau", .7), hearing("fr", "de l'eau", .3))
	r, err := recognize(t, all, asr.Params{}, asrtest.Ramp(100, 1))
	if err != nil || r.Language != "fr" || text(r.Words) != "de l'eau" || r.Engine != "fusion(b+c)" || r.Fallback {
		t.Errorf("%+v, %v", r, err)
	}
	all = unite(t, hearing("en", "", 0), hearing("fr", "", 0))
	if r, err := recognize(t, all, asr.Params{}, asrtest.Ramp(100, 1)); err != nil || r.Language != "en" || r.Engine !=
		"fusion(a)" {
		t.Errorf("nothing heard: %+v, %v", r, err)
	}
}

// TestTheSlowestIsWaitedFor has members of every speed: the result is the same, and comes with the
// slowest. All are received from at a time: c fails whose final is not received within two seconds
// of its end.
func TestTheSlowestIsWaitedFor(t *testing.T) {
	audio := asrtest.Ramp(2*asr.Rate, 1)
	want, err := recognize(t, unite(t, slurring(2), slurring(3), slurring(5)), asr.Params{}, audio)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		slow, brief := slurring(2), slurring(5)
		slow.Recognizer = scripted.New(scripted.Config{Delay: time.Minute})
		brief.Recognizer = scripted.New(scripted.Config{Delay: time.Second})
		slur := brief.final
		brief.final = func(r asr.Result, err error) (asr.Result, error) {
			if time.Since(begin) > 2*time.Second {
				return asr.Result{}, errDown
			}
			return slur(r, err)
		}
		got, err := recognize(t, unite(t, slow, slurring(3), brief), asr.Params{}, audio)
		if err != nil || !reflect.DeepEqual(got, want) || time.Since(begin) != time.Minute {
			t.Errorf("after %v: %+v, %v, want %+v", time.Since(begin), got, err, want)
		}
	})
}

// TestACancelledFusionIsNotALesserOne cancels when one member has its final and the other does not.
func TestACancelledFusionIsNotALesserOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := slurring(2)
		slow.Recognizer = scripted.New(scripted.Config{Delay: time.Minute})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		u, err := unite(t, slurring(3), slow).Open(ctx, asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(u.Write(asrtest.Ramp(asr.Rate, 1)), u.End()); err != nil {
			t.Fatal(err)
		}
		if r, err := u.Recv(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	m := scripted.New(scripted.Config{})
	good := Member{Name: "a", Recognizer: m}
	for name, members := range map[string][]Member{
		"none":         {},
		"one":          {good},
		"many":         make([]Member, MaxMembers+1),
		"same names":   {good, good},
		"no name":      {good, {Recognizer: m}},
		"odd name":     {good, {Name: "b+c", Recognizer: m}},
		"negative":     {good, {Name: "b", Recognizer: m, Weight: -1}},
		"not a number": {good, {Name: "b", Recognizer: m, Weight: math.NaN()}},
		"huge":         {good, {Name: "b", Recognizer: m, Weight: math.Inf(1)}},
	} {
		if _, err := New(members...); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	r, err := New(good, Member{Name: "b", Recognizer: m, Weight: 4})
	if err != nil || r.members[0].Weight != 0.25 || r.members[1].Weight != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A member's panic is raised again where the final is received, once all members have ended.
func TestAMembersPanicIsTheReceivers(t *testing.T) {
	bad := hearing("en", "noise", 1)
	bad.final = func(asr.Result, error) (asr.Result, error) { panic("member") }
	var err error
	fault := panics.Try(func() {
		_, err = recognize(t, unite(t, hearing("en", "one", .5), bad), asr.Params{}, asrtest.Ramp(asr.Rate, 1))
	})
	if panics.In(fault) == nil {
		t.Errorf("panic is %v, error %v", fault, err)
	}
}
