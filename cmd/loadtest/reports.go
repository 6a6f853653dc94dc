package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"steno/loadtest"
)

// writeReport writes a report to the files that were asked for.
func writeReport(r *loadtest.Report, jsonPath, htmlPath string) error {
	if jsonPath != "" {
		b, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return fmt.Errorf("encode figures: %w", err)
		}
		if err := os.WriteFile(jsonPath, append(b, '\n'), 0o644); err != nil {
			return fmt.Errorf("write figures: %w", err)
		}
	}
	if htmlPath != "" {
		var page bytes.Buffer
		if err := r.WriteHTML(&page); err != nil {
			return err
		}
		if err := os.WriteFile(htmlPath, page.Bytes(), 0o644); err != nil {
			return fmt.Errorf("write report: %w", err)
		}
	}
	return nil
}

// mergeFlags name reports to merge.
type mergeFlags struct {
	Reports []string `arg:"" help:"Reports, as --json writes them." type:"existingfile"`
	JSON    string   `group:"output" help:"File for the figures." name:"json" type:"path" placeholder:"FILE"`
	HTML    string   `group:"output" help:"File for the report with plots." name:"html" type:"path" placeholder:"FILE"`
}

func (f *mergeFlags) run(_ context.Context, stdout, _ io.Writer) error {
	var all []*loadtest.Report
	for _, path := range f.Reports {
		r, err := loadtest.ReadReport(path)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	sum := all[0]
	if len(all) > 1 {
		var err error
		if sum, err = loadtest.Merge(all...); err != nil {
			return err
		}
	}
	return errors.Join(sum.WriteText(stdout), writeReport(sum, f.JSON, f.HTML))
}

// compareFlags name two reports.
type compareFlags struct {
	Old       string        `arg:"" help:"Older report." type:"existingfile"`
	New       string        `arg:"" help:"Newer report." type:"existingfile"`
	Tolerance float64       `help:"Share by which a figure may be worse." default:"0.1"`
	Least     time.Duration `help:"A delay is not worse that has grown by less than this." default:"5ms"`
}

func (f *compareFlags) run(_ context.Context, stdout, _ io.Writer) error {
	old, err := loadtest.ReadReport(f.Old)
	if err != nil {
		return err
	}
	now, err := loadtest.ReadReport(f.New)
	if err != nil {
		return err
	}
	worse := 0
	t := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "\told\tnew\tchange\t \t\n")
	for _, d := range loadtest.Compare(old, now, loadtest.Tolerance{Share: f.Tolerance, Delay: f.Least.Seconds()}) {
		mark := ""
		if d.Worse {
			mark = "WORSE"
			worse++
		} else if d.Better {
			mark = "better"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", d.Name, figure(d.Old, d), figure(d.New, d), change(d), mark)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if worse > 0 {
		return &exit{exitMissed, fmt.Sprintf("%d figures are worse by more than %.0f %%", worse, 100*f.Tolerance)}
	}
	return nil
}

func figure(v float64, d loadtest.Difference) string {
	if d.Seconds {
		return fmt.Sprintf("%.1f ms", 1e3*v)
	}
	return fmt.Sprintf("%.4g", v)
}

func change(d loadtest.Difference) string {
	if d.Old == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.1f %%", 100*(d.New-d.Old)/d.Old)
}
