package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"steno/loadtest"
)

// runFlags specifies what load to make.
type runFlags struct {
	URL      string   `group:"gateway" help:"Address of the gateway." default:"http://127.0.0.1:8080" env:"STENO_URL"`
	Key      string   `group:"gateway" help:"API key." env:"STENO_API_KEY"`
	Check    bool     `group:"gateway" help:"Only ask once whether the gateway is ready and knows the key."`
	Patience positive `group:"gateway" help:"How long a session may take to end after its last audio." default:"60s"`

	Audio       []string `group:"audio" sep:"none" help:"WAV file, or a folder of them; may be repeated. Transcripts are taken from NAME.txt beside NAME.wav, or from manifest.jsonl with the fields file and transcript." type:"existingpath" placeholder:"PATH"`
	Join        bool     `group:"audio" help:"Play the recordings of --audio as one, each behind the one before."`
	Generate    string   `group:"audio" help:"Without --audio: ${enum}." enum:"speech,tone" default:"speech"`
	Silence     float64  `group:"audio" help:"Share of pauses that are added between recordings, 0 to 0.95; they hold the noise of a room." placeholder:"SHARE"`
	Channels    count    `group:"audio" help:"Channels that mono recordings are spread over, 1 to 8." default:"1"`
	RandomStart bool     `group:"audio" help:"Begin at a random place of the recordings." default:"true" negatable:""`

	Sessions     count         `group:"load" help:"Clients that speak at once. A single one prints what it hears." default:"1"`
	Duration     positive      `group:"load" help:"How long each client speaks; the recordings are repeated. Without it every recording is played once." placeholder:"TIME"`
	Chunk        positive      `group:"load" help:"Audio in one frame, 10ms to 1s." default:"20ms"`
	Jitter       time.Duration `group:"load" help:"Most that a frame is sent late, as by a network." placeholder:"TIME"`
	Ramp         positive      `group:"load" help:"Time over which the clients begin; by default 23 ms for each, at most 10 s." placeholder:"TIME"`
	WarmUp       time.Duration `group:"load" help:"Time after the ramp that does not count." placeholder:"TIME"`
	DropEvery    time.Duration `group:"load" help:"Mean time between losses of a client's connection; it comes back and goes on." placeholder:"TIME"`
	SlowReaders  float64       `group:"load" help:"Share of clients that read slowly." placeholder:"SHARE"`
	Subscribers  int           `group:"load" help:"Followers of each session." placeholder:"N"`
	Language     []string      `group:"load" help:"Language code; may be repeated." placeholder:"CODE"`
	Endpointing  float64       `group:"load" placeholder:"SECONDS" help:"Seconds of silence that end an utterance; 0: the gateway's default."`
	MaxUtterance float64       `group:"load" placeholder:"SECONDS" help:"Seconds after which an utterance is cut; 0: the gateway's default."`
	Partials     bool          `group:"load" help:"Ask for partial transcripts." default:"true" negatable:""`
	Seed         uint64        `group:"load" help:"Determines all that is random: the same seed makes the same load." default:"1"`

	SLO          string   `group:"capacity" name:"slo" help:"What must be kept: NAME_QUANTILE=LIMIT, …, such as final_p95=600ms,ack_p99=50ms,errors=0,wer=0.2. Names: ${measures}; quantiles: ${quantiles}." placeholder:"LIST"`
	FindCapacity bool     `group:"capacity" help:"Find the greatest number of sessions with which --slo is kept. The first trial has --sessions, or 4."`
	MaxSessions  count    `group:"capacity" help:"Sessions at most." default:"10000"`
	Resolution   float64  `group:"capacity" help:"Share of the capacity by which the numbers differ that are told apart." default:"0.05"`
	Trial        positive `group:"capacity" help:"Time of a trial that counts; --duration stands for it too." default:"10s"`
	Settle       positive `group:"capacity" help:"Time before it that does not, after the clients have begun." default:"3s"`
	Confirm      positive `group:"capacity" help:"Time of the trials that confirm the outcome." default:"60s"`

	Verbose bool `group:"output" short:"v" help:"Print all figures of a single client too, and its partials where there is no terminal."`
	outputFlags
}

func (f *runFlags) run(ctx context.Context, stdout, stderr io.Writer) error {
	if f.Check {
		return loadtest.Check(ctx, f.URL, f.Key)
	}
	if err := f.check(); err != nil {
		return err
	}
	var objectives []loadtest.Objective
	var err error
	if f.SLO != "" {
		if objectives, err = loadtest.ParseObjectives(f.SLO); err != nil {
			return err
		}
	}
	clips, err := f.clips(stderr)
	if err != nil {
		return err
	}
	o := f.options(clips)
	if !f.FindCapacity { // a search checks those of its trials
		if err := o.CheckObjectives(objectives); err != nil {
			return err
		}
	}
	files, err := f.open()
	if err != nil {
		return err
	}
	defer files.close()
	if f.FindCapacity {
		return f.findCapacity(ctx, o, objectives, files, stdout)
	}
	return f.load(ctx, o, objectives, files, stdout, stderr)
}

// check holds flags against each other.
func (f *runFlags) check() error {
	switch {
	case !f.FindCapacity && f.Duration > 0 && f.WarmUp >= time.Duration(f.Duration):
		return fmt.Errorf("--warm-up must be shorter than --duration, %v, not %v", f.Duration, f.WarmUp)
	case f.FindCapacity && f.WarmUp != 0:
		return errors.New("--warm-up is for runs: of the trials of a search --settle does not count")
	case f.FindCapacity && f.Resolution == 0: // which stands for a default in a search
		return errors.New("--resolution must be between 0.01 and 0.5, not 0")
	}
	return nil
}

// synthetic is how much sound is made where no recordings are given.
const synthetic = 2 * time.Minute

func (f *runFlags) clips(stderr io.Writer) ([]*loadtest.Clip, error) {
	if len(f.Audio) == 0 {
		if f.Duration == 0 && !f.FindCapacity {
			f.Duration = positive(time.Minute)
		}
		if f.Generate == "tone" {
			return []*loadtest.Clip{loadtest.Tone(time.Second)}, nil
		}
		return []*loadtest.Clip{loadtest.Speech(synthetic, f.Seed)}, nil
	}
	var all []*loadtest.Clip
	for _, path := range f.Audio {
		clips, skipped, err := loadtest.LoadClips(path)
		if len(skipped) > 0 {
			fmt.Fprintf(stderr, "loadtest: %s\n", leftOut(skipped))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, clips...)
	}
	if !f.Join {
		return all, nil
	}
	one, err := loadtest.Join(all)
	return []*loadtest.Clip{one}, err
}

// leftOut describes which recordings are not played, and why the first one is not.
func leftOut(skipped []error) string {
	if len(skipped) == 1 {
		return fmt.Sprintf("1 file left out: %v", skipped[0])
	}
	return fmt.Sprintf("%d files left out, the first one: %v", len(skipped), skipped[0])
}

func (f *runFlags) options(clips []*loadtest.Clip) loadtest.Options {
	return loadtest.Options{
		URL: f.URL, Key: f.Key, Clips: clips, Sessions: int(f.Sessions), Duration: time.Duration(f.Duration),
		Ramp:   time.Duration(f.Ramp),
		WarmUp: f.WarmUp, Chunk: time.Duration(f.Chunk), Jitter: f.Jitter, Patience: time.Duration(f.Patience),
		RandomStart: f.RandomStart && (f.Duration > 0 || f.FindCapacity), Channels: int(f.Channels),
		Silence: f.Silence, DropEvery: f.DropEvery, SlowReaders: f.SlowReaders,
		Subscribers: f.Subscribers, Seed: f.Seed, Languages: f.Language, Endpointing: f.Endpointing,
		MaxUtterance: f.MaxUtterance, Partials: f.Partials,
	}
}

// load makes the load, with the transcripts or the progress shown as they come, and reports.
func (f *runFlags) load(ctx context.Context, o loadtest.Options, objectives []loadtest.Objective, files *outputs,
	stdout, stderr io.Writer) error {
	page, status := newPrinter(stdout), newPrinter(stderr)
	if f.Sessions == 1 {
		page.partials = f.Verbose
		o.Transcript = page.print
	} else {
		o.Progress = status.progress
	}
	report, err := loadtest.Run(ctx, o)
	page.end()
	status.end()
	if report == nil {
		return err
	}
	if report.NoneBegan() && !report.Interrupted {
		return errors.Join(noneBegan(report), files.write(report))
	}
	report.Judge(objectives)
	figures, write := f.showsFigures(report), report.WriteText
	if !figures {
		write = report.WriteSummary
	}
	if err := errors.Join(write(stdout), files.write(report)); err != nil {
		return err
	}
	return verdict(report, figures)
}

// showsFigures reports whether more is shown of a report than a line: if it was asked for, or
// something went wrong.
func (f *runFlags) showsFigures(r *loadtest.Report) bool {
	return f.Sessions > 1 || f.Verbose || f.JSON != "" || f.HTML != "" || len(r.Objectives) > 0 || !r.OK()
}

// noneBegan tells why there was no session.
func noneBegan(r *loadtest.Report) error {
	return &exit{exitErrors, strings.Join(slices.Sorted(maps.Keys(r.Errors)), "\n")}
}

// verdict is nil if all went well. Where no figures are shown, a generator that is too slow does
// not matter.
func verdict(r *loadtest.Report, figures bool) error {
	saturated := ""
	if figures && r.Generator.Saturated != "" {
		saturated = "the generator was saturated: " + r.Generator.Saturated
	}
	switch {
	case r.Interrupted:
		return &exit{exitInterrupted, "the run was interrupted"}
	case saturated != "" && !r.OK():
		return &exit{exitSaturated, saturated + "; not every session went well"}
	case saturated != "":
		return &exit{exitSaturated, saturated}
	case !r.OK():
		return &exit{exitErrors, "not every session went well"}
	}
	for _, o := range r.Objectives {
		if !o.Kept {
			return &exit{exitMissed, fmt.Sprintf("objective %s was missed: %s", o.Objective, o.Text())}
		}
	}
	return nil
}

// findCapacity searches, with a line for each trial, and reports.
func (f *runFlags) findCapacity(ctx context.Context, o loadtest.Options, objectives []loadtest.Objective,
	files *outputs, stdout io.Writer) error {
	s := loadtest.Search{
		Options: o, Objectives: objectives, Most: int(f.MaxSessions), Resolution: f.Resolution,
		Settle: time.Duration(f.Settle), Trial: time.Duration(f.Trial), Confirm: time.Duration(f.Confirm),
	}
	if f.Sessions > 1 {
		s.Start = int(f.Sessions)
	}
	if f.Duration > 0 {
		s.Trial = time.Duration(f.Duration)
	}
	live := newPrinter(stdout)
	s.Options.Progress = live.progress
	s.Tried = live.trial
	report, err := loadtest.FindCapacity(ctx, s)
	live.end()
	switch {
	case report == nil && ctx.Err() != nil:
		return &exit{exitInterrupted, "the search was interrupted before its first trial was over"}
	case report == nil:
		return err
	}
	fmt.Fprintln(stdout)
	err = errors.Join(report.Capacity.WriteText(stdout), files.write(report))
	switch {
	case err != nil:
		return err
	case report.Interrupted:
		return &exit{exitInterrupted, "the search was interrupted"}
	case report.NoneBegan():
		return noneBegan(report)
	case report.Capacity.Unknown != "":
		return &exit{exitSaturated, report.Capacity.Text()}
	case report.Capacity.Sessions == 0:
		return &exit{exitMissed, report.Capacity.Text()}
	}
	return nil
}
