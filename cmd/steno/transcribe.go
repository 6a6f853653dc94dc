package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"steno/audio"
	"steno/messages"
	"steno/session"
	"steno/session/asr"
)

// transcribeCmd runs a recording through the engine that live sessions use, as fast as it goes.
type transcribeCmd struct {
	File        string  `arg:"" help:"WAV file: PCM, A-law or mu-law; 8, 16, 32, 44.1 or 48 kHz; up to 8 channels."`
	JSON        bool    `help:"Print the whole result as JSON instead of the text."`
	Endpointing float64 `default:"0.3" help:"Seconds of silence that end an utterance."`
	Config      string  `help:"Configuration file." placeholder:"FILE"`
	Engine      string  `help:"sphinx or scripted." placeholder:"NAME"`
}

// Run transcribes the file and prints what was said.
func (t transcribeCmd) Run(ctx context.Context, p *process) error {
	cfg, err := loadConfig(t.Config, p.environ)
	if err != nil {
		return err
	}
	if t.Engine != "" {
		cfg.Engine = t.Engine
	}
	if err := cfg.check(); err != nil {
		return err
	}
	wav, err := audio.OpenWAV(t.File)
	if err != nil {
		return err
	}
	defer wav.Close()
	request, err := t.request(wav.Format)
	if err != nil {
		return err
	}
	ctx, cancel := untilInterrupted(ctx, p.interrupts)
	defer cancel()
	engine, err := startEngine(ctx, cfg, nil)
	if err != nil {
		return err
	}
	defer engine.Close()
	result, err := transcribe(ctx, request, engine, wav, progress(p.stderr, wav.DataBytes))
	if err != nil {
		return err
	}
	return t.print(p.stdout, result)
}

// request is what a client of the API would have asked for.
func (t transcribeCmd) request(f audio.Format) (*messages.LiveRequest, error) {
	body, err := json.Marshal(map[string]any{
		"encoding": f.Encoding.String(), "bit_depth": f.BitDepth, "sample_rate": f.SampleRate, "channels": f.Channels,
		"endpointing": t.Endpointing,
	})
	if err != nil {
		return nil, err
	}
	request, problem := messages.ParseLive(body)
	if problem != nil {
		return nil, problem
	}
	return request, nil
}

// transcribe writes the recording to a session of its own and waits for its end.
func transcribe(ctx context.Context, r *messages.LiveRequest, engine asr.Recognizer, wav io.Reader, bar io.Writer) (messages.LiveResult, error) {
	var none messages.LiveResult
	var ledger session.Memory
	s, err := session.Open(ctx, session.Config{
		ID: "transcribe", Request: r, Recognizer: engine, Ledger: &ledger, Priority: asr.Replay,
	})
	if err != nil {
		return none, err
	}
	stop := context.AfterFunc(ctx, s.Abandon)
	defer stop()
	if err := pour(ctx, s, io.TeeReader(wav, bar)); err != nil {
		s.Abandon()
		return none, err
	}
	<-s.Done()
	if err := errors.Join(ctx.Err(), s.Err()); err != nil {
		return none, err
	}
	return ledger.Outcome().Result, nil
}

// pour writes everything to the session and stops it.
func pour(ctx context.Context, s *session.Session, from io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err := s.Write(ctx, buf[:n]); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return s.Stop(ctx, false)
		}
		if err != nil {
			return fmt.Errorf("read recording: %w", err)
		}
	}
}

// progress is a bar on a terminal, nothing elsewhere.
func progress(w io.Writer, bytes int64) io.Writer {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return io.Discard
	}
	return progressbar.NewOptions64(bytes,
		progressbar.OptionSetWriter(file), progressbar.OptionSetDescription("transcribing"),
		progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30),
	)
}

// print writes one line per utterance, or everything as JSON. Channels are named where there are several.
func (t transcribeCmd) print(w io.Writer, r messages.LiveResult) error {
	if t.JSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(r)
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
