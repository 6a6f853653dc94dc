// Package trial tests a model before it is taken into use: an engine of this machine loads it and
// decodes the recordings that came with it. A program that uses it calls confine.Enter first.
package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"steno/audio/process/confine"
	"steno/cmd/steno/config"
	"steno/cmd/steno/decoding"
	"steno/cmd/steno/recognizers"
	"steno/session"
	"steno/session/asr"
	"steno/session/asr/local"
	"steno/session/asr/models"
	"steno/session/asr/wer"
)

// Trial tests a model before it is taken into use: it is loaded as the engine does, and decodes the
// recordings that came with it. What comes of it is printed to Out.
type Trial struct {
	Environ []string
	Out     io.Writer
}

const (
	// longestTrial bounds the test of a model.
	longestTrial = 10 * time.Minute
	// senselessRate is the word error rate above which what a model hears has nothing to do with
	// what is said.
	senselessRate = 0.6
	// leastWords is how many words must be known to judge by it.
	leastWords = 4
)

// Run returns why the model in dir must not be used; nil if it may. Where there is no engine to
// test it with, it prints so.
func (t Trial) Run(ctx context.Context, e models.Entry, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, longestTrial)
	defer cancel()
	cfg, err := t.config(e)
	if err != nil {
		return err
	}
	program, err := local.FindBinary(cfg.Engines.Binary)
	if err != nil {
		return t.say("%s is not tested: there is no steno-engine here\n", e.Name)
	}
	switch e.Kind {
	case models.Segmentation, models.Embedding: // they work only together
		return t.say("%s is not tested: it recognizes no speech by itself\n", e.Name)
	}
	tests := spokenTests(e, dir)
	if e.Kind == models.Moonshine { // its engine loads it before it is ready
		return t.decode(ctx, cfg, e, dir, tests)
	}
	if err := t.load(ctx, cfg, program, dir); err != nil {
		return err
	}
	switch {
	case e.Kind == models.Punctuation || e.Kind == models.OnlinePunctuation || e.Kind == models.Denoiser:
		return t.say("%s runs on this machine\n", e.Name)
	case len(tests) == 0:
		return t.saySilent(e)
	}
	return t.decode(ctx, cfg, e, dir, tests)
}

func (t Trial) say(format string, args ...any) error {
	_, err := fmt.Fprintf(t.Out, format, args...)
	return err
}

// saySilent prints that a model was loaded, but not tested on speech.
func (t Trial) saySilent(e models.Entry) error {
	return t.say("%s runs on this machine; no recording came with it\n", e.Name)
}

// config is that of an engine with the model alone.
func (t Trial) config(e models.Entry) (config.Config, error) {
	c, err := config.Load("", nil)
	if err != nil {
		return c, err
	}
	own, err := config.Load("", t.Environ)
	if err != nil {
		return c, err
	}
	c.Engine, c.Engines, c.Recordings = "sherpa", own.Engines, own.Recordings
	if e.Kind == models.Moonshine {
		c.Engine = "moonshine"
	}
	c.Engines.Sherpa.Use, c.Engines.Moonshine.Use = []string{e.Name}, []string{e.Name}
	return c, c.Check()
}

// load has the engine's program load the model and run it on silence. A bad model may end that
// process, which tells why.
func (t Trial) load(ctx context.Context, cfg config.Config, program, dir string) error {
	cmd := exec.CommandContext(ctx, program, "probe", dir)
	if cfg.Engines.Confined() {
		temporary, err := os.MkdirTemp("", "steno-trial-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary) //nolint:errcheck // of a finished program
		local.Confine(cmd, confine.Rights{Read: []string{dir}}, temporary)
	}
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	const most = 400
	said := printable(string(out))
	return fmt.Errorf("it cannot be loaded (%w): %s", err, strings.ToValidUTF8(said[:min(most, len(said))], ""))
}

// decode starts an engine that has the model alone and judges what it hears.
func (t Trial) decode(ctx context.Context, cfg config.Config, e models.Entry, dir string,
	tests []spokenTest) (err error) {
	cfg.Engines.Models, err = os.MkdirTemp("", "steno-models-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cfg.Engines.Models) //nolint:errcheck // a link, in a temporary folder
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := os.Symlink(dir, filepath.Join(cfg.Engines.Models, e.Name)); err != nil {
		return err
	}
	setup := recognizers.Setup{Config: cfg, Environ: t.Environ}
	set, err := setup.StartReady(ctx)
	if err != nil {
		return err
	}
	err = t.hearAll(ctx, cfg, setup.APIModels(set).For("stt-1"), e, tests)
	if failed := set.Close(); failed != nil {
		err = errors.Join(err, fmt.Errorf("close engines: %w", failed))
	}
	return err
}

// hearAll decodes the recordings and judges the model by what is heard.
func (t Trial) hearAll(ctx context.Context, cfg config.Config, r asr.Recognizer, e models.Entry,
	tests []spokenTest) error {
	if len(tests) == 0 {
		return t.saySilent(e)
	}
	var sum heard
	for _, s := range tests {
		if err := t.hear(ctx, cfg, r, s, &sum); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return t.judge(e, sum)
}

// printable returns a text on one line, without what a terminal takes for a command.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	return strings.Join(strings.Fields(text), " ")
}

// heard sums up the recordings of a test.
type heard struct {
	score wer.Score
	some  int     // recordings in which something was heard
	audio float64 // seconds
	took  time.Duration
}

// hear decodes a recording and prints what is heard.
func (t Trial) hear(ctx context.Context, cfg config.Config, r asr.Recognizer, s spokenTest, sum *heard) error {
	from, err := decoding.Open(ctx, cfg.Recordings, s.path)
	if err != nil {
		return err
	}
	defer from.Close()
	samples, format := from.Samples()
	request, err := recognizers.AllSpeech(format, s.language)
	if err != nil {
		return err
	}
	began := time.Now()
	result, err := session.Replay(ctx, session.Config{
		ID: "test", Request: request, Recognizer: r, Priority: asr.Replay, MaxAudio: cfg.Recordings.Longest,
	}, samples)
	if err != nil {
		return err
	}
	sum.took += time.Since(began)
	sum.audio += result.Metadata.AudioDuration
	text := strings.TrimSpace(result.Transcription.FullTranscript)
	if text != "" {
		sum.some++
	}
	note := ""
	if s.text != "" {
		score := wer.Of(s.text, text, s.language)
		sum.score = sum.score.Add(score)
		note = fmt.Sprintf(", word error rate %.1f %%", 100*score.Rate())
	}
	return t.say("  %s (%.1f s%s): %s\n", s.name, result.Metadata.AudioDuration, note,
		cmp.Or(printable(text), "(nothing)"))
}

// judge sums up, and refuses a model that hears nothing or nonsense.
func (t Trial) judge(e models.Entry, sum heard) error {
	rtf := sum.took.Seconds() / max(sum.audio, 0.001)
	line := fmt.Sprintf("%s: real-time factor %.2f on this machine", e.Name, rtf)
	if sum.score.Words > 0 {
		line += fmt.Sprintf(", word error rate %.1f %% of %d words", 100*sum.score.Rate(), sum.score.Words)
	}
	if rtf > 1 {
		line += "; that is too slow for live sessions"
	}
	if err := t.say("%s\n", line); err != nil {
		return err
	}
	switch {
	case sum.some == 0:
		return errors.New("it hears nothing in the recordings that came with it")
	case sum.score.Words >= leastWords && sum.score.Rate() > senselessRate:
		return fmt.Errorf("its word error rate is %.1f %% in the recordings that came with it", 100*sum.score.Rate())
	}
	return nil
}
