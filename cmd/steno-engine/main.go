// Command steno-engine recognizes speech for other processes. It hosts one recognizer and serves it
// with the NVIDIA Riva ASR interface over gRPC: on a Unix socket to the gateway that started it, or
// on an address to many clients. See package rivaserver.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"steno/session/asr/rivaserver"
	"steno/session/asr/schedule"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process immediately
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "steno-engine:", err)
		os.Exit(1)
	}
}

type flags struct {
	Engine string `enum:"sphinx,sherpa,moonshine,scripted" default:"sphinx" help:"What recognizes: sphinx, sherpa or moonshine (models in a folder), or scripted (made-up words)."`
	Listen string `required:"" placeholder:"ADDRESS" help:"Where to serve: unix:PATH or HOST:PORT."`
	Public bool   `help:"Allow listening where other machines can reach it."`

	TLSCert string `placeholder:"FILE" help:"Certificate, with --tls-key: serve over TLS. Not on Unix sockets."`
	TLSKey  string `placeholder:"FILE" help:"Key of the certificate."`
	TLSCA   string `name:"tls-ca" placeholder:"FILE" help:"Take only clients with a certificate signed by one of these."`

	MaxCalls      int           `default:"0" help:"Utterances open at once; 0: what the engine has room for."`
	Drain         time.Duration `default:"10s" help:"How long running utterances may go on after a signal to end."`
	ExitWithStdin bool          `help:"End when standard input does: the parent process has ended."`

	Slots      int      `default:"0" help:"sphinx, sherpa, moonshine: decodes at a time; 0: by the number of processors."`
	Utterances int      `default:"0" help:"sphinx, sherpa, moonshine: utterances open at once, with models in a folder for each model; 0: 256."`
	Models     string   `placeholder:"FOLDER" help:"sherpa, moonshine: folder with a folder for each model; sherpa's may be empty at first."`
	Use        []string `placeholder:"NAME" help:"sherpa, moonshine: only these models, the preferred first. Default: all."`

	Sherpa    sherpaFlags    `embed:""`
	Moonshine moonshineFlags `embed:""`
	Sphinx    sphinxFlags    `embed:""`
	Scripted  scriptedFlags  `embed:"" prefix:"scripted-"`
}

// run serves until ctx is cancelled, then drains. It returns nil after a drain, or for --help.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == trial {
		return try(ctx, args[1:], stdout)
	}
	var f flags
	helped := false
	parser, err := kong.New(&f, kong.Name("steno-engine"), kong.Writers(stdout, stderr),
		kong.Description("Recognizes speech for other processes over the Riva ASR interface.\n\n"+
			"steno-engine probe FOLDER loads the model in a folder, runs it on a second of silence, and ends."),
		kong.Exit(func(int) { helped = true }))
	if err != nil {
		return err
	}
	if _, err := parser.Parse(args); helped || err != nil {
		if helped {
			return nil
		}
		return err
	}
	if f.ExitWithStdin {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		go untilEnd(stdin, cancel)
	}
	return serve(ctx, f, stdout, stderr)
}

// untilEnd calls cancel at the end of the input. It lives as long as the input, which is as long as
// the process.
func untilEnd(input io.Reader, cancel context.CancelFunc) {
	_, _ = io.Copy(io.Discard, input) // an error is an end as well
	cancel()
}

func serve(ctx context.Context, f flags, stdout, stderr io.Writer) (err error) {
	tls, err := loadTLS(f)
	if err != nil {
		return err
	}
	address, err := parseAddress(f.Listen, f.Public)
	if err != nil {
		return err
	}
	if f.Slots < 1 {
		f.Slots = schedule.DefaultSlots()
	}
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + schedule.Background(f.Slots)) // whose threads wait for a processor
	config, shut, err := load(ctx, f, stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shut()) }()
	config.Drain, config.TLS = f.Drain, tls
	if f.MaxCalls > 0 {
		config.MaxCalls = f.MaxCalls
	}
	listener, err := address.listen()
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "steno-engine: %s ready on %s\n", config.Name, listener.Addr())
	return rivaserver.New(config).Serve(ctx, listener)
}
