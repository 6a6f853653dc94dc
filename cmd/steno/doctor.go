package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"steno/cmd/steno/recognizers"
	"steno/cmd/steno/terminal"
)

// doctorCmd checks a deployment.
type doctorCmd struct {
	serveCmd
	AskPublic bool `name:"public-url" help:"Ask the public URL for /healthz too: a gateway must be running."`
	JSON      bool `help:"Print the findings as JSON."`
}

// level is how bad a finding is.
type level string

const (
	fine    level = "ok"
	warning level = "warning" // it works, though not as well as it should
	failure level = "failure" // it does not work, or loses what it was given
)

// finding is what a check has found.
type finding struct {
	Check  string `json:"check"`
	Level  level  `json:"level"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // a command or setting
}

// deployment is what is checked: the configuration with which steno serve would start here.
type deployment struct {
	recognizers.Setup
	askPublic bool
}

// checks are in the order in which they are printed. Each returns its findings; none where there is
// nothing to check.
var checks = []func(context.Context, deployment) []finding{
	checkDataFolder, checkDescriptors, checkRecordings, checkValkey, checkBlobs, checkKeys, checkTLSFiles,
	checkPublicURL, checkLocalEngines,
}

// Run prints a line for each finding. It fails where one is a failure.
func (c doctorCmd) Run(ctx context.Context, p *process) error {
	show := func(f finding) error { return f.print(p.stdout) }
	all := []finding{}
	if c.JSON {
		show = func(finding) error { return nil }
	}
	failures := 0
	for f := range c.findings(ctx, p.environ) {
		if f.Level == failure {
			failures++
		}
		if err := show(f); err != nil {
			return err
		}
		all = append(all, f)
	}
	if c.JSON {
		e := json.NewEncoder(p.stdout)
		e.SetIndent("", "  ")
		if err := e.Encode(all); err != nil {
			return err
		}
	}
	if failures > 0 {
		return fmt.Errorf("failures: %d", failures)
	}
	return nil
}

// findings yields what the checks find, while they run.
func (c doctorCmd) findings(ctx context.Context, environ []string) func(yield func(finding) bool) {
	return func(yield func(finding) bool) {
		cfg, err := c.configuration(environ)
		if err != nil {
			yield(finding{"configuration", failure, terminal.OneLine(err),
				"steno config prints the file with every key"})
			return
		}
		d := deployment{recognizers.Setup{Config: cfg, Environ: environ}, c.AskPublic}
		if !yield(finding{Check: "configuration", Level: fine, Detail: "is valid"}) {
			return
		}
		for _, check := range checks {
			for _, f := range check(ctx, d) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// print writes the finding as a line.
func (f finding) print(w io.Writer) error {
	fix := ""
	if f.Fix != "" {
		fix = "; fix: " + f.Fix
	}
	_, err := fmt.Fprintf(w, "%-8s %s: %s%s\n", f.Level, f.Check, f.Detail, fix)
	return err
}

// size is a number of bytes for people.
func size(bytes int64) string {
	const unit = 1 << 10
	value, names := float64(bytes), []string{"B", "KB", "MB", "GB", "TB"}
	i := 0
	for ; value >= unit && i < len(names)-1; i++ {
		value /= unit
	}
	return fmt.Sprintf("%.4g %s", value, names[i])
}
