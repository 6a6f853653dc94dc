package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"steno/cmd/steno/config"
	"steno/cmd/steno/recognizers"
	"steno/cmd/steno/terminal"
	"steno/cmd/steno/trial"
	"steno/session/asr/models"
	"steno/session/asr/riva/wire"
)

// modelsCmd looks after the models that recognizers load, whether or not a gateway is using them.
type modelsCmd struct {
	List   modelsListCmd   `cmd:"" help:"List models: what they are for, what is published about them, which are installed."`
	Pull   modelsPullCmd   `cmd:"" help:"Fetch models, check and install them. A pull that was interrupted goes on."`
	Remove modelsRemoveCmd `cmd:"" help:"Delete installed models."`
	Verify modelsVerifyCmd `cmd:"" help:"Compare the files of installed models with what was installed."`
}

// modelsFolder specifies where the models are.
type modelsFolder struct {
	Config string `help:"Configuration file." placeholder:"FILE"`
	Models string `help:"Folder of the models. Default: models in the data folder." placeholder:"DIR"`
}

func (f modelsFolder) dir(p *process) (string, error) {
	if f.Models != "" {
		return f.Models, nil
	}
	cfg, err := config.Load(f.Config, p.environ)
	if err != nil {
		return "", err
	}
	return recognizers.Setup{Config: cfg}.ModelsFolder(), nil
}

// store returns the folder in which models with pinned files are kept for several folders of
// models; empty: there is none.
func (f modelsFolder) store(p *process) string {
	cfg, err := config.Load(f.Config, p.environ)
	if err != nil { // which does not matter where the folder of the models is given
		return models.StoreFolder(p.environ)
	}
	return cfg.Engines.Store
}

type modelsPullCmd struct {
	modelsFolder
	Names      []string `arg:"" optional:"" name:"name" help:"As steno models list shows them."`
	Language   string   `help:"What is recommended for a language." placeholder:"CODE"`
	Address    string   `help:"Mirror to fetch from, instead of the official addresses." placeholder:"URL"`
	Unverified bool     `help:"Also install what no checksum is published for."`
	NoTest     bool     `help:"Install without the test: the recordings of the model decoded on this machine."`
	DryRun     bool     `help:"Only say what would be fetched, and whether it can be had."`
	First      bool     `help:"The model for a first start, unless one that recognizes speech is installed. Where it cannot be had the command says what serves instead, and succeeds."`
}

// Run installs one model after the other; one that fails does not keep the others from it.
func (c modelsPullCmd) Run(ctx context.Context, p *process) error {
	if c.First {
		c.Names = append(c.Names, models.First)
	}
	wanted, err := c.wanted()
	if err != nil {
		return err
	}
	dir, err := c.dir(p)
	if err != nil {
		return err
	}
	if c.First && c.served(dir, p) {
		return nil
	}
	ctx, cancel := untilInterrupted(ctx, p.interrupts)
	defer cancel()
	err = c.pullAll(ctx, wanted, dir, p)
	if err == nil || !c.First || ctx.Err() != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout,
		"%s\nPocketSphinx serves instead, which knows English and makes many mistakes. To try again:\n    %s%s\n",
		terminal.OneLine(err), recognizers.PullCommand(p.program, models.First), recognizers.ModelsFlag(dir))
	return err
}

// served reports whether a model that recognizes speech is installed in dir, or came with the
// program and is taken beside it.
func (c modelsPullCmd) served(dir string, p *process) bool {
	folders := models.Installed(dir)
	if cfg, err := config.Load(c.Config, p.environ); err == nil && cfg.Engines.Models == "" && c.Models == "" {
		folders = append(folders, models.Installed(recognizers.Bundled())...)
	}
	return slices.ContainsFunc(folders, func(folder string) bool { return models.Recognizes(folder, "") })
}

// pullAll installs models in a folder.
func (c modelsPullCmd) pullAll(ctx context.Context, wanted []models.Entry, dir string, p *process) error {
	var faults []error
	for _, e := range wanted {
		if err := c.pull(ctx, e, dir, p); err != nil {
			faults = append(faults, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(faults...)
}

// wanted are the models that were named, then those for the language.
func (c modelsPullCmd) wanted() ([]models.Entry, error) {
	var wanted []models.Entry
	for _, name := range c.Names {
		e, ok := models.Find(name)
		if !ok {
			return nil, fmt.Errorf("no model %q (steno models list shows them)", name)
		}
		wanted = append(wanted, e)
	}
	if c.Language != "" {
		chosen, ok := models.Recommend(wire.Code(c.Language))
		if !ok {
			return nil, fmt.Errorf("no model for language %q", c.Language)
		}
		wanted = append(wanted, chosen...)
	}
	if len(wanted) == 0 {
		return nil, errors.New("name a model (steno models list shows them), or a --language")
	}
	return wanted, nil
}

// reachTimeout bounds the question whether a model can be had.
const reachTimeout = 5 * time.Second

// reach prints what would be fetched.
func (c modelsPullCmd) reach(ctx context.Context, e models.Entry, p *process) error {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	if err := models.Probe(ctx, e, models.Options{Address: c.Address}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "%s can be had (%s; licence: %s)\n", e.Name, megabytes(e.Size),
		cmp.Or(e.Licence, terminal.Unknown))
	return err
}

func (c modelsPullCmd) pull(ctx context.Context, e models.Entry, dir string, p *process) error {
	at := filepath.Join(dir, e.Name)
	if _, err := models.ReadManifest(at); err == nil {
		_, err := fmt.Fprintf(p.stdout, "%s is installed already\n", e.Name)
		return err
	}
	if c.DryRun {
		return c.reach(ctx, e, p)
	}
	bar := &pullBar{stderr: p.stderr, name: e.Name}
	defer bar.finish()
	options := models.Options{
		Address: c.Address, Unverified: c.Unverified, Progress: bar.show, Store: c.store(p),
		Failed: func(err error) {
			bar.finish()
			fmt.Fprintf(p.stderr, "%s cannot be had so: %s; another way is tried\n", e.Name, terminal.OneLine(err))
		},
	}
	if !c.NoTest {
		options.Try = func(ctx context.Context, dir string) error {
			bar.finish()
			return trial.Trial{Environ: p.environ, Out: p.stdout}.Run(ctx, e, dir)
		}
	}
	m, err := models.Install(ctx, e, dir, options)
	if errors.Is(err, models.ErrTrial) {
		return fmt.Errorf("%w; the download is kept (steno models remove %s deletes it, --no-test installs it all "+
			"the same)", err, e.Name)
	}
	if errors.Is(err, models.ErrUnverifiable) {
		return fmt.Errorf("%w (--unverified installs it all the same)", err)
	}
	if err != nil {
		return err
	}
	bar.finish()
	note := "verified by " + m.Verified
	if m.Verified == "" {
		note = "not verified"
	}
	_, err = fmt.Fprintf(p.stdout, "%s is installed in %s (%s; licence: %s)\n", e.Name, at, note,
		cmp.Or(m.Licence, terminal.Unknown))
	return err
}

// pullBar shows how far a model is: a bar for each stage.
type pullBar struct {
	stderr      io.Writer
	name        string
	stage       models.Stage
	done, total int64 // as last shown
	bar         io.Writer
}

// barSteps is how often a bar is drawn while something of known length comes: smaller steps cannot
// be distinguished.
const barSteps = 200

func (b *pullBar) show(s models.Stage, done, total int64) {
	if s == models.Waiting {
		_, _ = fmt.Fprintf(b.stderr, "%s is being pulled by another process; waiting for it\n", b.name)
		return
	}
	if b.bar == nil || s != b.stage || total != b.total || done < b.done { // less than before: it starts over
		b.finish()
		b.bar = progress(b.stderr, total, string(s)+" "+b.name)
	} else if done-b.done < total/barSteps && done < total {
		return
	}
	b.stage, b.done, b.total = s, done, total
	if bar, ok := b.bar.(*progressbar.ProgressBar); ok {
		_ = bar.Set64(done) // a bar that cannot be drawn is no reason to stop
	}
}

// finish takes the bar from the terminal.
func (b *pullBar) finish() {
	if bar, ok := b.bar.(*progressbar.ProgressBar); ok {
		_ = bar.Finish()
	}
	b.bar = nil
}

type modelsRemoveCmd struct {
	modelsFolder
	Names []string `arg:"" name:"name" help:"As steno models list shows them."`
}

// Run removes one model after the other.
func (c modelsRemoveCmd) Run(ctx context.Context, p *process) error {
	dir, err := c.dir(p)
	if err != nil {
		return err
	}
	ctx, cancel := untilInterrupted(ctx, p.interrupts)
	defer cancel()
	var faults []error
	for _, name := range c.Names {
		err := models.Remove(ctx, dir, name)
		if err == nil {
			_, err = fmt.Fprintf(p.stdout, "%s is removed\n", name)
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

type modelsVerifyCmd struct {
	modelsFolder
	Names []string `arg:"" optional:"" name:"name" help:"Models to verify; none: all that are installed."`
}

// Run names every file that is not as it was installed, and fails if there is one.
func (c modelsVerifyCmd) Run(ctx context.Context, p *process) error {
	dir, err := c.dir(p)
	if err != nil {
		return err
	}
	ctx, cancel := untilInterrupted(ctx, p.interrupts)
	defer cancel()
	names, err := c.names(dir, p.stdout)
	if err != nil {
		return err
	}
	var bad []string
	for _, name := range names {
		faults, err := models.Verify(ctx, dir, name)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			bad = append(bad, name)
		}
		if err := printFaults(p.stdout, name, faults); err != nil {
			return err
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("not as installed: %s (steno models remove, then pull, mends it)", strings.Join(bad, ", "))
	}
	return nil
}

// names are those that were given, else all installed ones. What was put there by hand has nothing
// to compare with.
func (c modelsVerifyCmd) names(dir string, w io.Writer) ([]string, error) {
	if len(c.Names) > 0 {
		return c.Names, nil
	}
	items, err := models.List(dir)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(items, func(i models.Item) bool { return i.Installed }) {
		_, err := fmt.Fprintln(w, "no model is installed")
		return nil, err
	}
	var names []string
	for _, i := range items {
		switch {
		case i.Installed && i.Problem == models.ErrNoManifest.Error():
			_, err = fmt.Fprintf(w, "%s: %s, nothing to compare with\n", i.Name, i.Problem)
		case i.Installed:
			names = append(names, i.Name)
		}
	}
	return names, err
}

func printFaults(w io.Writer, name string, faults []models.Fault) error {
	if len(faults) == 0 {
		_, err := fmt.Fprintf(w, "%s: as installed\n", name)
		return err
	}
	for _, f := range faults {
		if _, err := fmt.Fprintf(w, "%s: %s: %s\n", name, f.File, f.What); err != nil {
			return err
		}
	}
	return nil
}
