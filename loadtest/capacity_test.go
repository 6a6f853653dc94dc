package loadtest

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/loadtest/reference"
)

// Servers of these tests have a worker of a known speed: with frames of 100 ms they carry this many
// sessions and no more.
const (
	knownCapacity = 10
	knownService  = 100 * time.Millisecond / knownCapacity
)

// knownSearch looks for the capacity of such a server. A frame waits for those of the other
// sessions at most, which is 100 ms, as long as the server carries them.
func knownSearch(dial dialer) Search {
	return Search{
		Options: Options{
			URL: "http://127.0.0.1:1", Clips: []*Clip{noise("one", telephone, 2*time.Second, 1)},
			Chunk: 100 * time.Millisecond, dial: dial,
		},
		Objectives: []Objective{{Measure: "ack", Quantile: "p99", Limit: 0.2}},
		Settle:     time.Second, Trial: 5 * time.Second, Confirm: 10 * time.Second,
	}
}

func TestFindCapacity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := knownSearch(serveInMemory(t, reference.New(reference.Config{Service: knownService})))
		var tried []Trial
		s.Tried = func(r Trial) { tried = append(tried, r) }
		report, err := FindCapacity(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		c := report.Capacity
		if c.Unknown != "" || c.Sessions < knownCapacity*9/10 || c.Sessions > knownCapacity ||
			c.Limit <= knownCapacity {
			t.Errorf("%s, but the server carries %d\n%+v", c.Text(), knownCapacity, tried)
		}
		if len(tried) != len(c.Trials) || report.Sessions != c.Sessions || !report.Objectives[0].Kept ||
			report.Wall < 10 {
			t.Errorf("%d trials of %d told; the report is that of %d sessions for %g s", len(tried), len(c.Trials),
				report.Sessions, report.Wall)
		}
		for _, r := range tried {
			if r.Kept != (r.Sessions <= knownCapacity) {
				t.Errorf("%s with %d sessions: kept %t, %s", r.Kind, r.Sessions, r.Kept, r.Why)
			}
		}
	})
}

func TestSlowReadersAreNotMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := knownSearch(serveInMemory(t, reference.New(reference.Config{Utterance: time.Second}))).Options
		o.Sessions, o.Duration, o.SlowReaders, o.Jitter = 3, 2*time.Second, 1, 150*time.Millisecond
		r, err := Run(t.Context(), o)
		if err != nil || !r.OK() || r.Done != 3 || r.Finals != 6 || r.Delays.Ack.Count != 0 ||
			r.Delays.Final.Count != 0 {
			t.Errorf("report %+v, error %v", r, err)
		}
		if r.Wall < 4 { // 20 acks and 2 finals, a quarter of a second each
			t.Errorf("slow readers were done in %g s", r.Wall)
		}
	})
}

func TestTrialWithoutFiguresIsNotKept(t *testing.T) {
	s := &trials{Search: Search{Objectives: []Objective{{Measure: "errors"}}}}
	bare, full := &Report{counts: counts{Done: 1}}, withDelays(1, time.Second)
	full.Errors = nil
	if row := s.judge(trialDouble, time.Second, bare); row.Kept || row.Why != "nothing was measured" {
		t.Errorf("kept %t, %q", row.Kept, row.Why)
	}
	if row := s.judge(trialDouble, time.Second, full); !row.Kept {
		t.Errorf("a trial with figures is not kept: %s", row.Why)
	}
	if none := (&Report{}); none.Judge(s.Objectives) {
		t.Error("no errors are promised, and none are found of no session")
	}
}

func TestObjectivesThatCannotBeMeasured(t *testing.T) {
	said, long := noise("said", mono16, 2*time.Second, 1), noise("long", mono16, time.Minute, 2)
	said.Transcript, long.Transcript = "one", "two"
	for _, tt := range []struct {
		name, list string
		change     func(*Options)
		want       string
	}{
		{"sessions before the warm-up", "create_p95=1s", func(o *Options) { o.WarmUp = time.Second },
			"before the time that counts"},
		{"sessions without a warm-up", "create_p95=1s,connect_p95=1s", func(*Options) {}, ""},
		{"sessions one after the other", "create_p95=1s,connect_p95=1s", func(o *Options) {
			o.Duration, o.WarmUp,
				o.Clips = 0, time.Second, []*Clip{said, long}
		}, ""},
		{"connections before the warm-up", "connect_p95=1s", func(o *Options) { o.WarmUp = time.Second },
			"before the time that counts"},
		{"connections that are lost", "connect_p95=1s", func(o *Options) {
			o.WarmUp, o.DropEvery = time.Second,
				time.Second
		}, ""},
		{"no first third", "final_first_third_p95=1s", func(o *Options) { o.WarmUp = 5 * time.Second },
			"behind the first third"},
		{"a first third", "final_first_third_p95=1s", func(o *Options) { o.WarmUp = time.Second }, ""},
		{"a part of a recording", "wer=1", func(o *Options) { o.Clips = []*Clip{long} }, "from beginning to end"},
		{"a whole recording", "wer=1", func(*Options) {}, ""},
		{"slow readers", "final_p95=1s", func(o *Options) { o.SlowReaders = 1 }, "read slowly"},
		{"slow readers with followers", "subscriber_p95=1s", func(o *Options) {
			o.SlowReaders, o.Subscribers = 1,
				1
		}, ""},
		{"a strange option", "create_p95=1s", func(o *Options) { o.Sessions = 0 }, "sessions must be"},
	} {
		o := Options{URL: "http://127.0.0.1:1", Clips: []*Clip{said}, Sessions: 1, Duration: 10 * time.Second}
		tt.change(&o)
		objectives, err := ParseObjectives(tt.list)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.CheckObjectives(objectives); (err == nil) != (tt.want == "") || err != nil &&
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v", tt.name, err)
		}
	}
}

// What the clients play is worked out once, however many objectives are about it.
func TestObjectivesAreCheckedAgainstOnePlan(t *testing.T) {
	clip := noise("said", mono16, 100*time.Millisecond, 1)
	clip.Transcript = "one"
	o := Options{URL: "http://127.0.0.1:1", Clips: []*Clip{clip}, Sessions: 200, Duration: time.Second}
	allocs := func(list string) float64 {
		objectives, err := ParseObjectives(list)
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(1, func() {
			if err := o.CheckObjectives(objectives); err != nil {
				t.Error(err)
			}
		})
	}
	if one, five := allocs("wer=1"), allocs("wer=1,wer=2,wer=3,wer=4,wer=5"); five > 2*one {
		t.Errorf("%v allocations for one objective, %v for five", one, five)
	}
}

func TestSearchRefusesWhatItsTrialsDoNotMeasure(t *testing.T) {
	for list, want := range map[string]string{
		"create_p95=10s": "create_p95=10s", "connect_p95=10s": "connect_p95=10s",
		"final_first_third_p95=10s": "first third", "wer=100": "from beginning to end",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := knownSearch(serveInMemory(t, reference.New(reference.Config{Utterance: time.Second})))
			s.Most, s.Confirm, s.Options.Clips = 300, time.Second, []*Clip{noise("long", telephone, time.Minute, 1)}
			s.Options.Clips[0].Transcript = "one"
			var err error
			if s.Objectives, err = ParseObjectives(list); err != nil {
				t.Fatal(err)
			}
			if r, err := FindCapacity(t.Context(), s); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, error %v", list, r.Capacity.Text(), err)
			}
		})
	}
}

func TestTrialsBeginWhereTheOptionsSay(t *testing.T) {
	for _, random := range []bool{false, true} {
		s := knownSearch(nil)
		s.Options.RandomStart = random
		s = s.withDefaults()
		if o := s.trial(3, time.Second); o.RandomStart != random {
			t.Errorf("random start %t in a trial, not %t", o.RandomStart, random)
		}
	}
}
