package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/gateway/limits"
)

// Recordings specifies how recorded files are processed.
type Recordings struct {
	Workers             int           `yaml:"workers" bounds:"0..256"`
	Addons              int           `yaml:"addons" bounds:"0..256"`
	Transcribed         int           `yaml:"transcribed" bounds:"0..100000"`
	RunningPerAccount   int           `yaml:"running_per_account" bounds:"0..1000000"`
	Longest             time.Duration `yaml:"longest" bounds:"1s.."`
	UploadBytes         int64         `yaml:"upload_bytes" bounds:"1024.."`
	Fetch               time.Duration `yaml:"fetch" bounds:"1s.."`
	FetchPatience       time.Duration `yaml:"fetch_patience" bounds:"1s..1h"`
	Fetches             int           `yaml:"fetches" bounds:"0..1000"`
	FetchesPerAccount   int           `yaml:"fetches_per_account" bounds:"0..1000"`
	FetchBytesPerSecond int64         `yaml:"fetch_bytes_per_second" bounds:"1.."`
	JobsPerKey          int           `yaml:"jobs_per_key" bounds:"1.."`
	BotWait             time.Duration `yaml:"bot_wait" bounds:"1s.."`
	Keep                time.Duration `yaml:"keep" bounds:"1s.."`
	Nice                int           `yaml:"nice" bounds:"0..19"`
	Sandbox             media.Sandbox `yaml:"sandbox" choices:"auto,landlock,bubblewrap,off"`
}

// limit puts what the gateway bounds into its limits.
func (r Recordings) limit(l *limits.Limits) {
	l.Recorded, l.Upload = r.Longest, r.UploadBytes
	l.Fetch, l.FetchPatience, l.FetchRate = r.Fetch, r.FetchPatience, r.FetchBytesPerSecond
	l.KeyJobs, l.BotWait, l.Keep = r.JobsPerKey, r.BotWait, r.Keep
}

// decoder returns a decoder that works.
func (r Recordings) decoder(ctx context.Context) (*media.Decoder, error) {
	d, err := r.beginDecoder(ctx)
	if err == nil {
		err = awaitDecoder(d)
	}
	return d, err
}

// beginDecoder begins to try a decoder, until ctx ends. It needs a main that calls confine.Enter.
func (r Recordings) beginDecoder(ctx context.Context) (*media.Decoder, error) {
	return media.Begin(ctx, media.Config{Sandbox: r.Sandbox, Enters: true, Nice: r.Nice,
		Limits: media.Limits{Seconds: r.Longest.Seconds()}})
}

// awaitDecoder waits until a decoder was tried.
func awaitDecoder(d *media.Decoder) error {
	err := d.Wait(context.Background())
	if errors.Is(err, media.ErrNoSandbox) {
		err = fmt.Errorf("%w (recordings.sandbox: off, or STENO_RECORDINGS_SANDBOX=off, does without)", err)
	}
	return err
}

// mediaDecoder begins to try the decoder of a gateway, until ctx ends. It is nil where its programs
// are missing: live sessions do without it, and why is what clients are answered.
func mediaDecoder(ctx context.Context, r Recordings, log zerolog.Logger) (d *media.Decoder, why string) {
	d, err := r.beginDecoder(ctx)
	if err != nil {
		log.Warn().Err(err).Msg("recorded files are refused")
		return nil, "ffmpeg is missing"
	}
	return d, ""
}

// reportDecoder waits until the decoder of a gateway was tried, and logs what came of it. A sandbox
// that is asked for by name and does not work is an error.
func reportDecoder(r Recordings, d *media.Decoder, log zerolog.Logger) error {
	if d == nil {
		return nil
	}
	err := awaitDecoder(d)
	switch {
	case errors.Is(err, context.Canceled): // the start was cut short
	case err != nil && r.Sandbox != media.AnySandbox:
		return err
	case err != nil:
		log.Error().Err(err).Msg("recorded files are refused")
	case d.Sandbox() == media.NoSandbox:
		log.Warn().Msg("recorded files are decoded without a sandbox")
	default:
		log.Info().Str("sandbox", string(d.Sandbox())).Msg("recorded files are decoded in a sandbox")
	}
	return nil
}
