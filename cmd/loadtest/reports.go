package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"text/tabwriter"
	"time"

	"steno/loadtest"
)

// mergeFlags name reports to merge.
type mergeFlags struct {
	Reports []string `arg:"" help:"Reports, as --json writes them." type:"existingfile"`
	outputFlags
}

func (f *mergeFlags) run(_ context.Context, stdout, stderr io.Writer) error {
	files, err := f.open()
	if err != nil {
		return err
	}
	defer files.close()
	all, err := f.read()
	if err != nil {
		return err
	}
	sum := all[0]
	if len(all) > 1 {
		if sum, err = loadtest.Merge(all...); err != nil {
			return err
		}
	}
	if !loadtest.Overlap(all...) {
		fmt.Fprintln(stderr,
			"loadtest: warning: the runs did not all overlap in time: never was there the load of all of them")
	}
	if err := errors.Join(sum.WriteText(stdout), files.write(sum)); err != nil {
		return err
	}
	return verdict(sum, true)
}

// read reads all reports. None may be there twice, under whatever name.
func (f *mergeFlags) read() ([]*loadtest.Report, error) {
	var all []*loadtest.Report
	for i, path := range f.Reports {
		r, err := loadtest.ReadReport(path)
		if err != nil {
			return nil, err
		}
		for j, o := range all {
			if reflect.DeepEqual(r, o) {
				return nil, fmt.Errorf("%s and %s are the same report", f.Reports[j], f.Reports[i])
			}
		}
		all = append(all, r)
	}
	return all, nil
}

// compareFlags name two reports.
type compareFlags struct {
	Old       string        `arg:"" help:"Older report." type:"existingfile"`
	New       string        `arg:"" help:"Newer report." type:"existingfile"`
	Tolerance float64       `help:"Share by which a figure may be worse." default:"0.1"`
	Least     time.Duration `help:"A delay is not worse that has grown by less than this." default:"5ms"`
}

func (f *compareFlags) run(_ context.Context, stdout, _ io.Writer) error {
	switch {
	case !(f.Tolerance >= 0): // not a number is refused too
		return fmt.Errorf("--tolerance must not be below 0: %g", f.Tolerance)
	case f.Least < 0:
		return fmt.Errorf("--least must not be below 0: %v", f.Least)
	}
	old, err := loadtest.ReadReport(f.Old)
	if err != nil {
		return err
	}
	now, err := loadtest.ReadReport(f.New)
	if err != nil {
		return err
	}
	f.warn(stdout, old, now)
	worse, err := f.table(stdout, old, now)
	switch {
	case err != nil:
		return err
	case old.Interrupted || now.Interrupted:
		return &exit{exitInterrupted, "a run was interrupted: the comparison tells nothing"}
	case old.Generator.Saturated != "" || now.Generator.Saturated != "":
		return &exit{exitSaturated, "a generator was saturated: the comparison tells nothing"}
	case worse > 0:
		return &exit{exitMissed, fmt.Sprintf("figures that are worse by more than %.0f %%, or gone: %d",
			100*f.Tolerance, worse)}
	}
	return nil
}

// warn prints why the comparison may mislead.
func (f *compareFlags) warn(w io.Writer, old, now *loadtest.Report) {
	if old.Load.URL != now.Load.URL {
		fmt.Fprintf(w, "note: the servers differ: %s and %s\n", old.Load.URL, now.Load.URL)
	}
	for _, doubt := range loadtest.Doubts(old, now) {
		fmt.Fprintf(w, "warning: %s\n", doubt)
	}
}

// table prints all differences, and returns how many figures are worse.
func (f *compareFlags) table(w io.Writer, old, now *loadtest.Report) (worse int, err error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\told\tnew\tchange\t \t\n")
	for _, d := range loadtest.Compare(old, now, loadtest.Tolerance{Share: f.Tolerance, Delay: f.Least.Seconds()}) {
		mark := ""
		switch {
		case d.Worse:
			mark = "WORSE"
			worse++
		case d.Better:
			mark = "better"
		case math.IsNaN(d.Old):
			mark = "new"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", d.Name, figure(d.Old, d), figure(d.New, d), change(d), mark)
	}
	return worse, t.Flush()
}

func figure(v float64, d loadtest.Difference) string {
	switch {
	case math.IsNaN(v):
		return "none"
	case d.Seconds:
		return fmt.Sprintf("%.1f ms", 1e3*v)
	}
	return fmt.Sprintf("%.4g", v)
}

func change(d loadtest.Difference) string {
	if d.Old == 0 || math.IsNaN(d.Old+d.New) {
		return "-"
	}
	return fmt.Sprintf("%+.1f %%", 100*(d.New-d.Old)/d.Old)
}
