package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"steno/session/store"
	"steno/session/store/embedded"
)

// checkCmd looks through the data folder of a gateway that does not run.
type checkCmd struct {
	Dir    string `arg:"" help:"Data folder of a gateway that is stopped." placeholder:"DIR"`
	Repair bool   `help:"Keep what is whole: make a new database of the rows that can be read, remove damaged events and results."`
	JSON   bool   `name:"json" help:"Print what was found as JSON."`
}

// checked is what is printed as JSON.
type checked struct {
	Records  int            `json:"records"`
	Damages  []store.Damage `json:"damages"`
	Repaired []string       `json:"repaired"`
}

// Run prints what is damaged, and what was repaired. It fails where something is damaged that was
// not repaired.
func (c checkCmd) Run(ctx context.Context, p *process) error {
	r, err := embedded.Check(ctx, c.Dir, c.Repair)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is no data folder of steno: %w", c.Dir, err)
	case errors.Is(err, embedded.ErrInUse):
		return fmt.Errorf("%w: stop the gateway first; while it runs, its log and /readyz tell what it finds", err)
	}
	if c.JSON {
		e := json.NewEncoder(p.stdout)
		e.SetIndent("", "  ")
		err = errors.Join(err, e.Encode(checked{r.Records, append([]store.Damage{}, r.Damages...),
			append([]string{}, r.Repaired...)}))
	} else {
		err = errors.Join(err, c.print(p, r))
	}
	if err != nil {
		return err
	}
	if len(r.Damages) > 0 && !c.Repair {
		return fmt.Errorf("damaged: %d; see above", len(r.Damages))
	}
	return nil
}

func (c checkCmd) print(p *process, r embedded.Report) error {
	for _, d := range r.Damages {
		of := ""
		if d.Session != "" {
			of = d.Session + ": "
		}
		if _, err := fmt.Fprintf(p.stdout, "damage   %s%s\n", of, d.What); err != nil {
			return err
		}
	}
	for _, text := range r.Repaired {
		if _, err := fmt.Fprintf(p.stdout, "repaired %s\n", text); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(p.stdout, "%d records, %d damages\n", r.Records, len(r.Damages))
	return err
}
