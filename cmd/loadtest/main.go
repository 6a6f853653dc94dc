// Command loadtest streams recordings to a gateway in real time: one client prints what it hears,
// many report the delays. It finds out how many sessions a gateway carries, and compares and merges
// reports.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"steno/loadtest"
)

// Exit codes. Where several are true the first of this order counts: interrupted, saturated,
// errors, missed. Where the generator was too slow, sessions may have failed for its sake.
const (
	exitMissed      = 1   // an objective was missed, or a report is worse than the older one
	exitUsage       = 2   // flags, recordings or reports cannot be used
	exitSaturated   = 3   // the generator was too slow: the figures tell nothing about the server
	exitErrors      = 4   // sessions failed, or finals went missing or changed
	exitInterrupted = 130 // the run was interrupted
)

const description = `Streams recordings to a gateway in real time, as microphones would, and measures what comes back.

A single client prints what it hears; several report how long everything took. Delays count from when audio was due, whether
or not it could be sent then.

An interruption cancels the sessions, which leaves no record of them on the server, and reports what there is; a second one
ends the program at once.

Other commands, each with a --help of its own:
  loadtest merge A.json B.json …   one report of several generators that ran at the same time
  loadtest compare OLD NEW         what has become worse or better
  loadtest reference               serve the live protocol without any work behind it, to compare a gateway with

Exit codes: 0 all went well; 1 an objective was missed; 2 wrong usage; 3 the generator itself was too slow, so that the figures
tell nothing about the server; 4 sessions failed, or finals went missing or changed; 130 interrupted. Where several are true, 130
comes before 3, 3 before 4, and 4 before 1. A single client whose figures are not asked for is not judged by its speed.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program immediately
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadtest:", err)
	}
	if ctx.Err() != nil && err != nil {
		os.Exit(exitInterrupted)
	}
	os.Exit(exitCode(err))
}

// exit is an error with the exit code that tells it.
type exit struct {
	code int
	why  string
}

func (e *exit) Error() string { return e.why }

// exitCode returns the code of the first exit in err, that of wrong usage for any other error.
func exitCode(err error) int {
	var e *exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.code
	}
	return exitUsage
}

// command is what the first argument names.
type command interface {
	run(ctx context.Context, stdout, stderr io.Writer) error
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	name, text := "loadtest", description
	var c command = &runFlags{}
	if len(args) > 0 {
		switch args[0] {
		case "merge":
			c, text = &mergeFlags{},
				"Makes one report of the reports of several generators that ran at the same time. The exit codes "+
					"are those of a run."
		case "compare":
			c, text = &compareFlags{},
				"Prints what has changed between two reports. Exit codes: 1 something is worse by more than the "+
					"tolerance, or the newer report lacks it; 3 a generator was saturated, 130 a run was "+
					"interrupted: the comparison tells nothing."
		case "reference":
			c, text = &referenceFlags{}, referenceDescription
		}
	}
	if _, ok := c.(*runFlags); !ok {
		name, args = name+" "+args[0], args[1:]
	}
	exited := false
	parser, err := kong.New(c, kong.Name(name), kong.Writers(stdout, stderr), kong.Exit(func(int) { exited = true }),
		kong.Description(text), kong.ExplicitGroups(groups), kong.Vars{
			"measures": strings.Join(loadtest.Measures(), ", "), "quantiles": strings.Join(loadtest.Quantiles(), ", "),
		}, kong.ConfigureHelp(kong.HelpOptions{WrapUpperBound: 120}))
	if err != nil {
		return fmt.Errorf("describe flags: %w", err)
	}
	_, err = parser.Parse(args)
	if exited {
		return nil // help was asked for and printed
	}
	if err != nil {
		return err
	}
	return c.run(ctx, stdout, stderr)
}

// groups are the sections of the help.
var groups = []kong.Group{
	{Key: "gateway", Title: "Gateway:"},
	{Key: "audio", Title: "Audio:"},
	{Key: "load", Title: "Load:"},
	{Key: "capacity", Title: "Objectives and capacity:"},
	{Key: "output", Title: "Output:"},
}
