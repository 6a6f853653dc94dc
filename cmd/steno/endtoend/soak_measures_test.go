package endtoend_test

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store/valkey/server"
)

// soakMeasure is a figure, taken at each rest, that must not grow with time.
type soakMeasure struct {
	Name   string
	Times  []float64 // seconds since the beginning
	Values []float64
}

// trend is by how much a figure has grown, in percent of its mean, over the time of the samples, as
// a line of least squares has it, and the standard error of that. It takes the later two thirds:
// caches and pools are full by then.
func (m soakMeasure) trend() (growth, deviation float64) {
	x, y := m.Times[len(m.Times)/3:], m.Values[len(m.Values)/3:]
	n := float64(len(x))
	var mx, my float64
	for i := range x {
		mx, my = mx+x[i]/n, my+y[i]/n
	}
	var sxx, sxy float64
	for i := range x {
		sxx, sxy = sxx+(x[i]-mx)*(x[i]-mx), sxy+(x[i]-mx)*(y[i]-my)
	}
	switch {
	case n < 3:
		return 0, math.Inf(1)
	case my == 0: // there is nothing of it
		return 0, 0
	}
	slope, rest := sxy/sxx, 0.0
	for i := range x {
		d := y[i] - my - slope*(x[i]-mx)
		rest += d * d
	}
	percent := 100 * (x[len(x)-1] - x[0]) / my
	return slope * percent, math.Sqrt(rest/(n-2)/sxx) * percent
}

// grows reports whether a figure has grown by more than one percent, beyond what chance explains.
func (m soakMeasure) grows() bool {
	growth, deviation := m.trend()
	return growth-2*deviation > 1
}

// A figure that grows is distinguished from noise.
func TestSoakTrend(t *testing.T) {
	for slope, grows := range map[float64]bool{0: false, -0.5: false, 0.01: false, 0.1: true} {
		var m soakMeasure
		for i := range 60 {
			m.Times = append(m.Times, float64(i))
			m.Values = append(m.Values, 100+slope*float64(i)+float64(i*7919%13)/10)
		}
		growth, deviation := m.trend()
		if m.grows() != grows || math.Abs(growth-100*39*slope/(100+39.5*slope)) > 3*deviation {
			t.Errorf("slope %g: growth %.2f %% ± %.2f", slope, growth, deviation)
		}
	}
}

// soakMeasures are taken of one gateway that is never restarted, of the disk, and of Valkey.
func soakMeasures(t *testing.T, c *cluster, client valkey.Client, admin string) map[string]float64 {
	pid := c.nodes[0].current().cmd.Process.Pid
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Error(err)
	}
	return map[string]float64{
		"memory in use":   memoryInUse(t, admin),
		"resident memory": residentMemory(t, pid),
		"goroutines":      figure(t, "http://"+admin+"/debug/pprof/goroutine?debug=1", "goroutine profile: total "),
		"open files":      float64(len(files)),
		"bytes on disk":   folderSize(c.blobs) + folderSize(c.nodes[0].data) + folderSize(c.nodes[1].data),
		"bytes in Valkey": heldBytes(valkeyKeys(t, client)),
	}
}

// heldBytes is what keys take, without those that are to grow: the marks of what was erased, which
// stay for 400 days, and the last 10,000 events of each account.
func heldBytes(keys map[string]float64) (all float64) {
	for name, bytes := range keys {
		if name != "erasures" && !strings.HasPrefix(name, "account:") {
			all += bytes
		}
	}
	return all
}

// ofSession are the names of keys that single sessions have.
var ofSession = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-`)

// valkeyKeys are the names of all keys, without what all begin with, and how many bytes each takes.
func valkeyKeys(t *testing.T, client valkey.Client) map[string]float64 {
	t.Helper()
	names, err := client.Do(t.Context(), client.B().Keys().Pattern("*").Build()).AsStrSlice()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]float64{}
	for _, name := range names {
		n, err := client.Do(t.Context(), client.B().MemoryUsage().Key(name).Samples(0).Build()).AsInt64()
		if err != nil && !valkey.IsValkeyNil(err) { // it was removed meanwhile
			t.Fatal(err)
		}
		keys[strings.TrimPrefix(name, server.DefaultPrefix)] = float64(n)
	}
	return keys
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
