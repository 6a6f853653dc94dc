package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"steno/audio"
	"steno/audio/media"
	"steno/cmd/steno/config"
	"steno/cmd/steno/decoding"
	"steno/cmd/steno/recognizers"
	"steno/gateway/outbound"
	"steno/messages"
	"steno/session"
	"steno/session/asr"
	"steno/session/transcribe"
)

// transcribeCmd runs a recording through the engine that live sessions use, as fast as it goes.
type transcribeCmd struct {
	File         string   `arg:"" help:"Recording of any common format, the http(s) address of one, or - for the standard input." placeholder:"FILE|URL"`
	JSON         bool     `help:"Print the whole result as JSON, as a job of the API has it, instead of the text."`
	Endpointing  *float64 `help:"Seconds of silence that end an utterance, as in a live session. Default: utterances are what jobs of the API make of a recording." placeholder:"SECONDS"`
	AllowPrivate bool     `help:"The address may be a private or loopback one."`
	Config       string   `help:"Configuration file." placeholder:"FILE"`
	Engine       string   `help:"auto, sphinx, sherpa, scripted, or one of the configuration's." placeholder:"NAME"`
	Model        string   `default:"stt-1" enum:"stt-1,stt-3,stt-fusion" help:"Model of the API."`
	Language     string   `help:"Code of the language spoken. Default: found out, where an engine can." placeholder:"CODE"`
}

// Run transcribes the file and prints what was said.
func (t transcribeCmd) Run(ctx context.Context, p *process) error {
	cfg, err := config.Load(t.Config, p.environ)
	if err != nil {
		return err
	}
	if t.Engine != "" {
		cfg.Engine = t.Engine
	}
	cfg.AllowPrivate = cfg.AllowPrivate || t.AllowPrivate
	if err := cfg.Check(); err != nil {
		return err
	}
	ctx, cancel := untilInterrupted(ctx, p.interrupts)
	defer cancel()
	path, remove, err := t.local(ctx, cfg, p)
	if err != nil {
		return err
	}
	defer remove()
	from, err := decoding.Open(ctx, cfg.Recordings, path)
	if err != nil {
		return fmt.Errorf("%s: %w", t.File, unstopped(err))
	}
	defer from.Close()
	return t.run(ctx, cfg, from, p)
}

func (t transcribeCmd) run(ctx context.Context, cfg config.Config, from decoding.Recording, p *process) (err error) {
	samples, format := from.Samples()
	request, err := t.request(format)
	if err != nil {
		return err
	}
	setup := recognizers.Setup{Config: cfg, Environ: p.environ}
	set, err := setup.StartReady(ctx)
	if err != nil {
		return err
	}
	defer closing(&err, "engines", set)
	models := setup.APIModels(set)
	if err := t.canBeHad(models.Model(ctx, t.Model)); err != nil {
		return err
	}
	samples = progressReader{samples, progress(p.stderr, from.Bytes, "transcribing")}
	result, err := session.Replay(ctx, session.Config{
		ID: "transcribe", Request: request, Recognizer: models.For(t.Model), Priority: asr.Replay,
		MaxAudio: cfg.Recordings.Longest,
	}, samples)
	if err == nil && result.Metadata.AudioDuration == 0 {
		err = decoding.ErrNoAudio
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.File, unstopped(err))
	}
	if t.Endpointing == nil {
		result.Transcription.Utterances = transcribe.Divide(result.Transcription.Utterances)
		result.Transcription.FullTranscript = messages.FullText(result.Transcription.Utterances)
	}
	from.Renumber(result.Transcription.Utterances)
	return t.print(p.stdout, result)
}

// local is the path of the recording on this machine, fetched or read if need be, and what removes
// it then.
func (t transcribeCmd) local(ctx context.Context, cfg config.Config, p *process) (path string, remove func(),
	err error) {
	get := func(path string) error { return fetch(ctx, cfg, t.File, path, progress(p.stderr, -1, "fetching")) }
	switch {
	case t.File == "-":
		get = func(path string) error { return readAll(p.stdin, path, cfg.Recordings.UploadBytes) }
	case !strings.HasPrefix(t.File, "http://") && !strings.HasPrefix(t.File, "https://"):
		return t.File, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "steno-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "recording")
	if err := get(path); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// readAll reads a recording into a file, which decoders can go back in.
func readAll(from io.Reader, path string, most int64) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer closing(&err, "recording", file)
	n, err := io.Copy(file, io.LimitReader(from, most+1))
	if err != nil {
		return fmt.Errorf("read the standard input: %w", err)
	}
	if n > most {
		return fmt.Errorf("the standard input has more than %d bytes (recordings.upload_bytes)", most)
	}
	return nil
}

// fetch gets a recording into a file.
func fetch(ctx context.Context, cfg config.Config, address, path string, bar io.Writer) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer closing(&err, "fetched recording", file)
	client := outbound.New(cfg.AllowPrivate)
	defer closing(&err, "HTTP client", client)
	limits := outbound.FetchLimits{Bytes: cfg.Recordings.UploadBytes, Duration: cfg.Recordings.Fetch}
	if _, err := client.Fetch(ctx, address, io.MultiWriter(file, bar), limits); err != nil {
		if errors.Is(err, outbound.ErrRefusedAddress) || errors.Is(err, outbound.ErrUnreachable) && !cfg.AllowPrivate {
			err = fmt.Errorf("%w; --allow-private permits private and loopback addresses", err)
		}
		return fmt.Errorf("fetch recording: %w", err)
	}
	return nil
}

// request is what a client of the API would have asked for.
func (t transcribeCmd) request(f audio.Format) (*messages.LiveRequest, error) {
	body, err := json.Marshal(map[string]any{
		"encoding": f.Encoding.String(), "bit_depth": f.BitDepth, "sample_rate": f.SampleRate, "channels": f.Channels,
		"endpointing": t.Endpointing, "language_config": map[string]any{"languages": t.languages()},
	})
	if err != nil {
		return nil, err
	}
	request, problem := messages.ParseLive(body)
	if problem != nil {
		return nil, refused(problem)
	}
	if t.Endpointing == nil {
		request.CutAsRecording()
	}
	return request, nil
}

// refused returns the rules that the request breaks, with the flags in the place of its fields.
func refused(p *messages.Problem) error {
	if len(p.ValidationErrors) == 0 {
		return p
	}
	flags := strings.NewReplacer("language_config.languages.0 ", "--language ", "endpointing ", "--endpointing ")
	return errors.New(flags.Replace(strings.Join(p.ValidationErrors, "; ")))
}

// unstopped returns the error without the full stop that ends the API's messages about a recording.
// The cause follows unless it lies in the recording: ffmpeg's error for a file that is no recording
// helps nobody.
func unstopped(err error) error {
	var e *media.Error
	if !errors.As(err, &e) {
		return err
	}
	message := strings.TrimSuffix(e.Message, ".")
	if e.Err == nil || e.Reason == media.Unsupported {
		return errors.New(message)
	}
	return fmt.Errorf("%s: %w", message, e.Err)
}

func (t transcribeCmd) languages() []string {
	if t.Language == "" {
		return []string{}
	}
	return []string{messages.LanguageCode(t.Language)}
}

// canBeHad refuses a model or a language that no engine has.
func (t transcribeCmd) canBeHad(m messages.Model, ok bool) error {
	if !ok {
		return fmt.Errorf("--model: %s has no engine", t.Model)
	}
	for _, code := range t.languages() {
		if !slices.Contains(m.Languages, code) {
			return fmt.Errorf("--language: no engine has a model for %q; there are: %s", code,
				strings.Join(m.Languages, ", "))
		}
	}
	return nil
}

// progressReader shows on a bar how much is read.
type progressReader struct {
	io.Reader
	bar io.Writer
}

func (r progressReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	_, _ = r.bar.Write(p[:n]) // transcription continues if the bar cannot be drawn
	return n, err
}

// progress is a bar on a terminal, nothing elsewhere. Less than 0 bytes: not known how many will
// come.
func progress(w io.Writer, bytes int64, what string) io.Writer {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return io.Discard
	}
	return progressbar.NewOptions64(bytes,
		progressbar.OptionSetWriter(file), progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30),
	)
}

// print writes one line per utterance, or everything as the JSON of a job's result. Channels are
// named where there are several.
func (t transcribeCmd) print(w io.Writer, r messages.LiveResult) error {
	if t.JSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(messages.PreRecordedResult{Metadata: r.Metadata, Transcription: &r.Transcription})
	}
	for _, u := range r.Transcription.Utterances {
		line := strings.TrimSpace(u.Text)
		if r.Metadata.NumberOfDistinctChannels > 1 {
			line = fmt.Sprintf("[%d] %s", u.Channel, line)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
