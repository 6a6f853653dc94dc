// Command steno is the gateway: it serves the API, transcribes files by hand, and prints its
// configuration.
//
// This package has the command line, and what serve makes of the parts. The parts are the packages
// below it, which know nothing of commands: config is read first; stores, recognizers, decoding,
// certificates, descriptors and metrics set up what it names; doctor and trial look whether that
// works. A test holds which of them may use which.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"

	"steno/audio/process/confine"
	"steno/cmd/steno/config"
	"steno/cmd/steno/terminal"
)

// commands is the command line.
type commands struct {
	Serve      serveCmd      `cmd:"" help:"Serve the API."`
	Transcribe transcribeCmd `cmd:"" help:"Transcribe a recording and print the text."`
	Models     modelsCmd     `cmd:"" help:"List, fetch, verify and remove models for recognition."`
	Keys       keysCmd       `cmd:"" help:"Make, list and remove API keys."`
	Callbacks  callbacksCmd  `cmd:"" help:"List callbacks, send those again that were given up, change what they are signed with."`
	Config     configCmd     `cmd:"" help:"Print the annotated configuration file with every default."`
	Health     healthCmd     `cmd:"" help:"Ask a running gateway whether it is alive."`
	Doctor     doctorCmd     `cmd:"" help:"Check a deployment and say what to change; with the flags of serve."`
	Check      checkCmd      `cmd:"" help:"Look through the data folder of a stopped gateway for damage, and repair it."`
	Backup     backupCmd     `cmd:"" help:"Back up a store, while gateways use it."`
	Restore    restoreCmd    `cmd:"" help:"Restore a backup, or what a Valkey server has lost from the blob storage."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Help       helpCmd       `cmd:"" help:"Say what a command does, and its flags."`
}

// process is what a command has of its surroundings.
type process struct {
	program        string // as people call it here
	stdin          io.Reader
	stdout, stderr io.Writer
	environ        []string
	// interrupts delivers the signals that ask the process to end.
	interrupts <-chan os.Signal
}

func main() {
	confine.Enter()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	p := process{program: calledAs(os.Args[0]), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		environ: os.Environ(), interrupts: signals}
	if err := run(context.Background(), os.Args[1:], p); err != nil {
		fmt.Fprintln(os.Stderr, "steno:", err)
		os.Exit(1)
	}
}

// calledAs returns what calls this program: its name where PATH has it, else what it was called by.
func calledAs(name string) string {
	self, err := os.Executable()
	found, missing := exec.LookPath("steno")
	if err == nil && missing == nil {
		if found, err = filepath.EvalSymlinks(found); err == nil && found == self {
			return "steno"
		}
	}
	return terminal.ShellWord(name)
}

// run carries out one command line.
func run(ctx context.Context, args []string, p process) error {
	var c commands
	ended := false
	parser, err := kong.New(&c,
		kong.Name("steno"),
		kong.Description("Self-hosted, real-time speech-to-text gateway."),
		kong.Writers(p.stdout, p.stderr),
		kong.Exit(func(int) { ended = true }),
		kong.UsageOnError(),
	)
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(orHelp(parser.Model.Node, args))
	if ended { // --help
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w (try steno --help)", err)
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	return parsed.Run(&p)
}

// orHelp takes the flag --version for the command, and asks for help where a command line names
// commands that have others below them, and none of those.
func orHelp(n *kong.Node, args []string) []string {
	if slices.Equal(args, []string{"--version"}) {
		return []string{"version"}
	}
	for _, arg := range args {
		i := slices.IndexFunc(n.Children, func(c *kong.Node) bool {
			return c.Type == kong.CommandNode && (c.Name == arg || slices.Contains(c.Aliases, arg))
		})
		if i < 0 {
			return args
		}
		n = n.Children[i]
	}
	if len(n.Children) == 0 || n.DefaultCmd != nil {
		return args
	}
	return append(slices.Clone(args), "--help")
}

// helpCmd is --help for those who write it as a command.
type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command, such as serve or models pull."`
}

// Run prints the help of the command, or of all.
func (h helpCmd) Run(ctx context.Context, p *process) error {
	return run(ctx, append(h.Command, "--help"), *p)
}

type configCmd struct {
	Reference bool `help:"Print a page about every key instead: its variable, flag, type, range, default and meaning, as Markdown."`
}

// Run prints the file, ready to be edited, or the page about it.
func (c configCmd) Run(_ context.Context, p *process) error {
	text := config.Defaults
	if c.Reference {
		var err error
		if text, err = config.Reference(flagsByKey()); err != nil {
			return err
		}
	}
	_, err := p.stdout.Write(text)
	return err
}

// version is that of a release, set when it is linked.
var version string

type versionCmd struct{}

// Run prints the version of a release, or what the Go tool knows of another build.
func (versionCmd) Run(_ context.Context, p *process) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this build carries no version")
	}
	_, err := fmt.Fprintf(p.stdout, "steno %s (%s)\n", cmp.Or(version, info.Main.Version), info.GoVersion)
	return err
}
