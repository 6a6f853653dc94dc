// Command dist describes what a release is made of: it writes the texts of the licences of all that
// its programs contain, and a bill of materials in the CycloneDX format. With the command notice it
// writes NOTICE, with provenance how the packed files came to be. The script dist.sh packs the
// release.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"
)

//go:generate go run . notice --sources ../..

type commandLine struct {
	Describe flags       `cmd:"" default:"withargs" help:"Describe a release."`
	Notice   noticeFlags `cmd:"" help:"Write NOTICE into the sources."`

	Provenance provenanceFlags `cmd:"" help:"Say how the files of a release came to be."`
}

type flags struct {
	Version  string   `required:"" help:"Version of the release."`
	Time     int64    `required:"" help:"Time of the release in seconds since 1970; it decides nothing but its own field."`
	Console  string   `required:"" help:"Script of the console, which names its libraries and ends with their licences." type:"existingfile"`
	Models   string   `required:"" help:"Folder of the models of the release." type:"existingdir"`
	Out      string   `required:"" help:"Folder for sbom.cdx.json and the folder licences." type:"path"`
	Programs []string `arg:"" help:"Programs and shared libraries of the release." type:"existingfile"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var line commandLine
	parsed := kong.Parse(&line, kong.Name("dist"))
	run := line.Describe.run
	switch parsed.Selected().Name {
	case "notice":
		run = line.Notice.run
	case "provenance":
		run = line.Provenance.run
	}
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// run writes everything. It fails if the licence of a component is not known: nothing is released
// without.
func (f flags) run(ctx context.Context) error {
	components, files, err := contents(ctx, f.Programs)
	if err != nil {
		return err
	}
	weights, weighed, err := modelComponents(f.Models)
	if err != nil {
		return err
	}
	components, files = append(components, weights...), append(files, weighed...)
	script, err := os.ReadFile(f.Console)
	if err != nil {
		return err
	}
	scripts, err := scriptComponents(string(script))
	if err != nil {
		return fmt.Errorf("%s: %w", f.Console, err)
	}
	components = append(components, scripts...)
	var faults []error
	for _, p := range components {
		faults = append(faults, p.check())
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	if err := writeLicences(filepath.Join(f.Out, "licences"), components); err != nil {
		return err
	}
	return writeJSON(filepath.Join(f.Out, "sbom.cdx.json"), newSBOM(f.Version, time.Unix(f.Time, 0), components, files))
}

// writeLicences writes a file for each component.
func writeLicences(dir string, components []component) error {
	for _, p := range components {
		path := filepath.Join(dir, filepath.FromSlash(p.name)+"@"+p.version+".txt")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(p.text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
