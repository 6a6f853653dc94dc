package loadtest

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// written writes a report as JSON and reads it again.
func written(t *testing.T, r *Report) *Report {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	back, err := ReadReport(path)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// withDelays is a report of so many finals that took so long.
func withDelays(n int, d time.Duration) *Report {
	f := newFigures(time.Unix(0, 0), time.Second)
	for range n {
		f.delay(finalDelay, f.start, f.start.Add(d))
	}
	r := &Report{Format: reportFormat, Sessions: n, counts: counts{Finals: n, Done: 1}, Errors: map[string]int{"x": 1},
		Closes: map[int]int{1000: 1}}
	r.setDelays(f.delays)
	r.Judge([]Objective{{Measure: "final", Quantile: "p50", Limit: 0.5}})
	return r
}

func TestMergeIsExact(t *testing.T) {
	fast, slow := written(t, withDelays(100, 200*time.Millisecond)), written(t, withDelays(300, time.Second))
	sum, err := Merge(fast, slow)
	if err != nil {
		t.Fatal(err)
	}
	d := sum.Delays.Final
	if d.Count != 400 || d.P50 < 0.99 || d.P50 > 1.01 || sum.Sessions != 400 || sum.Done != 2 || sum.Errors["x"] !=
		2 || sum.Closes[1000] != 2 {
		t.Errorf("merged %+v", sum)
	}
	if len(sum.Objectives) != 1 || sum.Objectives[0].Kept || !fast.Objectives[0].Kept {
		t.Errorf("objectives %+v", sum.Objectives)
	}
	if again := written(t, sum); again.Delays != sum.Delays {
		t.Errorf("read again %+v", again.Delays)
	}
	if _, err := Merge(&Report{Capacity: &Capacity{}}); err == nil {
		t.Error("the report of a search was merged")
	}
}

func TestCompare(t *testing.T) {
	old := withDelays(100, 200*time.Millisecond)
	tolerance := Tolerance{Share: 0.1, Delay: 0.005}
	for _, tt := range []struct {
		name          string
		now           *Report
		worse, better int
	}{
		{"the same", withDelays(100, 210*time.Millisecond), 0, 0},
		{"slower", withDelays(100, 240*time.Millisecond), 3, 0},
		{"faster", withDelays(100, 100*time.Millisecond), 0, 3},
	} {
		worse, better := 0, 0
		for _, d := range Compare(old, tt.now, tolerance) {
			if d.Worse {
				worse++
			}
			if d.Better {
				better++
			}
		}
		if worse != tt.worse || better != tt.better {
			t.Errorf("%s: %d worse, %d better", tt.name, worse, better)
		}
	}
	a, b := &Report{Capacity: &Capacity{Sessions: 100}}, &Report{Capacity: &Capacity{Sessions: 80}}
	if all := Compare(a, b, tolerance); !all[len(all)-1].Worse || all[len(all)-1].New != 80 {
		t.Errorf("a smaller capacity: %+v", all)
	}
	if d := Compare(withDelays(1, time.Millisecond), withDelays(1, 4*time.Millisecond), tolerance); d[0].Worse {
		t.Error("3 ms more count as worse")
	}
}

func TestReadReportRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"not JSON": "x", "another format": `{"format":99}`, "no report": `{}`,
		"an objective about nothing":           `{"format":1,"objectives":[{"measure":"<i>","quantile":"p95","limit":1}]}`,
		"an objective without quantile":        `{"format":1,"objectives":[{"measure":"final","limit":1}]}`,
		"an objective with a strange quantile": `{"format":1,"objectives":[{"measure":"final","quantile":"p42","limit":1}]}`,
		"errors with a quantile":               `{"format":1,"objectives":[{"measure":"errors","quantile":"p95"}]}`,
	} {
		path := filepath.Join(dir, "r.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadReport(path); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// overTime is the report of a run of n seconds with a session, which began so many seconds late, in
// steps of so many seconds.
func overTime(n, late, step int) *Report {
	r := &Report{Format: reportFormat, Started: time.Unix(int64(late), 0), Sessions: 1, Wall: float64(n)}
	for at := step; at <= n; at += step {
		r.Series = append(r.Series, Point{At: float64(at) + 0.01, Sessions: 1, Frames: int64(50 * step),
			Final: float64(at + late)})
	}
	return r
}

func TestMergedSeriesIsThatOfOneTime(t *testing.T) {
	for _, tt := range []struct {
		name    string
		reports []*Report
		step    float64
		both    [2]float64 // time in which both runs had sessions
		end     float64
	}{
		{"at once", []*Report{overTime(10, 0, 1), overTime(10, 0, 1)}, 1, [2]float64{0, 10}, 10},
		{"one later", []*Report{overTime(10, 0, 1), overTime(10, 4, 1)}, 1, [2]float64{4, 10}, 14},
		{"the first later", []*Report{overTime(10, 4, 1), overTime(10, 0, 1)}, 1, [2]float64{4, 10}, 14},
		{"one in longer steps", []*Report{overTime(400, 0, 1), overTime(800, 0, 2)}, 2, [2]float64{0, 400}, 800},
		{"three", []*Report{overTime(1600, 0, 4), overTime(400, 0, 1), overTime(200, 100, 1)}, 4, [2]float64{0, 400},
			1600},
	} {
		sum, err := Merge(tt.reports...)
		if err != nil {
			t.Fatal(err)
		}
		frames, sent := int64(0), int64(0)
		for _, r := range tt.reports {
			for _, p := range r.Series {
				sent += p.Frames
			}
		}
		for i, p := range sum.Series {
			frames += p.Frames
			at := tt.step * float64(i+1)
			if math.Abs(p.At-at) > 0.1 || p.Final > 0 && math.Abs(p.Final-at) > 0.1 {
				t.Errorf("%s: point %d is at %g, and holds what was at %g", tt.name, i, p.At, p.Final)
			}
			if both := p.At-0.1 > tt.both[0] && p.At-0.1 < tt.both[1]; both != (p.Sessions > 1) {
				t.Errorf("%s: %d sessions at %g", tt.name, p.Sessions, p.At)
			}
		}
		if n := len(sum.Series); n == 0 || math.Abs(sum.Series[n-1].At-tt.end) > 0.1 || frames != sent || sum.Wall !=
			tt.end {
			t.Errorf("%s: %d of %d frames in %d points, %g s", tt.name, frames, sent, n, sum.Wall)
		}
	}
}
