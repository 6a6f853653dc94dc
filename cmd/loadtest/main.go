// Command loadtest streams recordings to a gateway in real time: one client prints what it hears, many report the
// delays.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"steno/loadtest"
)

type flags struct {
	Run       runFlags       `cmd:"" default:"withargs" help:"Stream recordings and measure what comes back (the default)."`
	Reference referenceFlags `cmd:"" help:"Serve the live protocol without any work behind it, to compare a gateway with."`
}

type runFlags struct {
	URL         string        `help:"Address of the gateway." default:"http://127.0.0.1:8080" env:"STENO_URL"`
	Key         string        `help:"API key." env:"STENO_API_KEY"`
	Audio       string        `help:"WAV file, or a folder of them." type:"existingpath" placeholder:"PATH"`
	Check       bool          `help:"Only ask once whether the gateway is ready and knows the key."`
	Sessions    int           `help:"Clients that speak at once. A single one prints what it hears." default:"1"`
	Duration    time.Duration `help:"How long each client speaks; the recordings are repeated. Without it every recording is played once." placeholder:"TIME"`
	Chunk       time.Duration `help:"Audio in one frame." default:"20ms"`
	Language    []string      `help:"Language code; may be repeated." placeholder:"CODE"`
	Endpointing float64       `help:"Seconds of silence that end an utterance; 0: the gateway's default."`
	Partials    bool          `help:"Ask for partial transcripts." default:"true" negatable:""`
	Patience    time.Duration `help:"How long a session may take to end after its last audio." default:"60s"`
	JSON        string        `help:"File to write the figures to." name:"json" type:"path" placeholder:"FILE"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "loadtest:", err)
		os.Exit(1)
	}
}

// errFailed says that the run came to its end and something in it was not as it should be; the report tells what.
var errFailed = errors.New("not every session went well")

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var f flags
	exited := false
	parser, err := kong.New(&f, kong.Name("loadtest"), kong.Writers(stdout, stderr), kong.Exit(func(int) { exited = true }),
		kong.Description("Streams recordings to a gateway in real time and measures what comes back."))
	if err != nil {
		return fmt.Errorf("describe flags: %w", err)
	}
	command, err := parser.Parse(args)
	switch {
	case exited:
		return nil // help was asked for and printed
	case err != nil:
		return err
	case command.Command() == "reference":
		return f.Reference.run(ctx, stdout)
	}
	return f.Run.run(ctx, stdout, stderr)
}

func (f *runFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	if f.Check {
		return loadtest.Check(ctx, f.URL, f.Key)
	}
	if f.Audio == "" {
		return errors.New("say what to stream: --audio=PATH")
	}
	return f.load(ctx, stdout, stderr)
}

// load makes the load, with the transcripts or the progress shown as they come, and reports.
func (f *runFlags) load(ctx context.Context, stdout, stderr io.Writer) error {
	clips, skipped, err := loadtest.LoadClips(f.Audio)
	if err != nil {
		return err
	}
	if len(skipped) > 0 {
		fmt.Fprintf(stderr, "loadtest: %d files left out, the first is %s\n", len(skipped), skipped[0])
	}
	o := loadtest.Options{
		URL: f.URL, Key: f.Key, Clips: clips, Sessions: f.Sessions, Duration: f.Duration, Chunk: f.Chunk,
		Patience: f.Patience, Languages: f.Language, Endpointing: f.Endpointing, Partials: f.Partials,
	}
	page, status := newPrinter(stdout), newPrinter(stderr)
	if f.Sessions == 1 {
		o.Transcript = page.print
	} else if status.width > 0 {
		o.Progress = status.progress
	}
	report, err := loadtest.Run(ctx, o)
	page.end()
	status.end()
	if report != nil {
		err = errors.Join(err, report.WriteText(stdout))
		err = errors.Join(err, writeJSON(f.JSON, report))
	}
	if err == nil && !report.OK() {
		err = errFailed
	}
	return err
}

func writeJSON(path string, r *loadtest.Report) error {
	if path == "" {
		return nil
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode figures: %w", err)
	}
	if err := os.WriteFile(path, append(b, '\n'), 0o644); err != nil {
		return fmt.Errorf("write figures: %w", err)
	}
	return nil
}
