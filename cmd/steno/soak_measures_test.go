package main_test

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// soakMeasure is a figure that must not grow with time.
type soakMeasure struct {
	Name   string
	Times  []float64 // seconds since the beginning
	Values []float64
}

// trend is by how much a figure has grown, in percent of its mean, over the time of the samples, as
// a line of least squares has it, and the standard error of that. It takes the later two thirds:
// caches and pools are full by then.
func (m soakMeasure) trend() (growth, deviation float64) {
	x, y := m.lows()
	n := float64(len(x))
	var mx, my float64
	for i := range x {
		mx, my = mx+x[i]/n, my+y[i]/n
	}
	var sxx, sxy float64
	for i := range x {
		sxx, sxy = sxx+(x[i]-mx)*(x[i]-mx), sxy+(x[i]-mx)*(y[i]-my)
	}
	if n < 3 || sxx == 0 || my == 0 {
		return 0, math.Inf(1)
	}
	slope, rest := sxy/sxx, 0.0
	for i := range x {
		d := y[i] - my - slope*(x[i]-mx)
		rest += d * d
	}
	percent := 100 * (m.Times[len(m.Times)-1] - m.Times[len(m.Times)/3]) / my
	return slope * percent, math.Sqrt(rest/(n-2)/sxx) * percent
}

// lows returns the least value of each tenth of the later two thirds, and the time of its middle.
// What is kept until it is swept rises and falls, and an outage adds to it for a while; what leaks
// is there at the lowest point, too.
func (m soakMeasure) lows() (times, values []float64) {
	x, y := m.Times[len(m.Times)/3:], m.Values[len(m.Values)/3:]
	for of := max(1, len(x)/10); len(x) >= of; x, y = x[of:], y[of:] {
		times, values = append(times, x[of/2]), append(values, slices.Min(y[:of]))
	}
	return times, values
}

// grows reports whether a figure has grown by more than one percent, beyond what chance explains.
func (m soakMeasure) grows() bool {
	growth, deviation := m.trend()
	return growth-2*deviation > 1
}

// A level that rises is distinguished from noise and from what rises and falls.
func TestSoakTrend(t *testing.T) {
	noisy := func(slope float64) (m soakMeasure) {
		for i := range 60 {
			m.Times = append(m.Times, float64(i))
			m.Values = append(m.Values, 100+slope*float64(i)+float64(i*7919%13)/10+20*float64(i%3))
		}
		return m
	}
	for slope, grows := range map[float64]bool{0: false, -0.5: false, 0.01: false, 0.1: true} {
		m := noisy(slope)
		growth, deviation := m.trend()
		if m.grows() != grows || math.Abs(growth-100*39*slope/(100+39.5*slope)) > 3*deviation+0.5 {
			t.Errorf("slope %g: growth %.2f %% ± %.2f", slope, growth, deviation)
		}
	}
}

// soakMeasures are taken of one gateway that is never restarted, of the disk, and of Valkey.
func soakMeasures(t *testing.T, c *cluster, admin string) map[string]float64 {
	pid := c.nodes[0].current().cmd.Process.Pid
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Error(err)
	}
	return map[string]float64{
		"memory in use":    memoryInUse(t, admin),
		"resident memory":  residentMemory(t, pid),
		"goroutines":       figure(t, "http://"+admin+"/debug/pprof/goroutine?debug=1", "goroutine profile: total "),
		"open files":       float64(len(files)),
		"bytes on disk":    folderSize(c.blobs) + folderSize(c.nodes[0].data) + folderSize(c.nodes[1].data),
		"memory of Valkey": valkeyFigure(c, "memory", "used_memory:"),
		"keys of Valkey":   valkeyKeys(c),
	}
}

// folderSize is how many bytes the files in a folder have.
func folderSize(dir string) (size float64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it was removed meanwhile
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			size += float64(info.Size())
		}
		return nil
	})
	return size
}

func valkeyFigure(c *cluster, section, name string) float64 {
	info, _ := c.valkey.Command("INFO", section)
	_, rest, _ := strings.Cut(info, name)
	line, _, _ := strings.Cut(rest, "\n")
	v, _ := strconv.ParseFloat(strings.TrimSpace(line), 64)
	return v
}

func valkeyKeys(c *cluster) float64 {
	text, _ := c.valkey.Command("DBSIZE")
	v, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimPrefix(text, ":")), 64)
	return v
}

// soakSeries keeps the samples of all measures.
type soakSeries struct {
	began time.Time
	all   map[string]*soakMeasure
}

func (s *soakSeries) add(sample map[string]float64) {
	for name, v := range sample {
		m := s.all[name]
		if m == nil {
			m = &soakMeasure{Name: name}
			s.all[name] = m
		}
		m.Times, m.Values = append(m.Times, time.Since(s.began).Seconds()), append(m.Values, v)
	}
}

// list is the measures by name.
func (s *soakSeries) list() (list []*soakMeasure) {
	for _, m := range s.all {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *soakMeasure) int { return strings.Compare(a.Name, b.Name) })
	return list
}
