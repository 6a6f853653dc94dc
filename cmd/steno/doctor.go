package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"steno/cmd/steno/doctor"
	"steno/cmd/steno/recognizers"
)

// doctorCmd checks a deployment.
type doctorCmd struct {
	serveCmd
	AskPublic bool `name:"public-url" help:"Ask the public URL for /healthz too: a gateway must be running."`
	JSON      bool `help:"Print the findings as JSON."`
}

// Run prints a line for each finding. It fails where one is a failure.
func (c doctorCmd) Run(ctx context.Context, p *process) error {
	show := func(f doctor.Finding) error { return f.Print(p.stdout) }
	all := []doctor.Finding{}
	if c.JSON {
		show = func(doctor.Finding) error { return nil }
	}
	failures := 0
	for f := range c.findings(ctx, p.environ) {
		if f.Level == doctor.Failure {
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
func (c doctorCmd) findings(ctx context.Context, environ []string) iter.Seq[doctor.Finding] {
	cfg, err := c.configuration(environ)
	if err != nil {
		return slices.Values([]doctor.Finding{doctor.Misconfigured(err)})
	}
	return doctor.Deployment{Setup: recognizers.Setup{Config: cfg, Environ: environ},
		AskPublic: c.AskPublic}.Findings(ctx)
}
