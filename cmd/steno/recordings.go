package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/gateway/limits"
)

// Recordings says how recorded files are worked on.
type Recordings struct {
	Workers             int           `yaml:"workers"`
	Addons              int           `yaml:"addons"`
	Transcribed         int           `yaml:"transcribed"`
	RunningPerAccount   int           `yaml:"running_per_account"`
	Longest             time.Duration `yaml:"longest"`
	UploadBytes         int64         `yaml:"upload_bytes"`
	Fetch               time.Duration `yaml:"fetch"`
	Fetches             int           `yaml:"fetches"`
	FetchesPerAccount   int           `yaml:"fetches_per_account"`
	FetchBytesPerSecond int64         `yaml:"fetch_bytes_per_second"`
	JobsPerKey          int           `yaml:"jobs_per_key"`
	BotWait             time.Duration `yaml:"bot_wait"`
	Keep                time.Duration `yaml:"keep"`
	Sandbox             media.Sandbox `yaml:"sandbox"`
}

// check refuses values that cannot work.
func (r Recordings) check(fault faults) {
	for name, n := range map[string]struct{ given, most int }{
		"workers": {r.Workers, 256}, "addons": {r.Addons, 256}, "transcribed": {r.Transcribed, 100_000},
		"running_per_account": {r.RunningPerAccount, 1_000_000}, "fetches": {r.Fetches, 1000}, "fetches_per_account": {r.FetchesPerAccount, 1000},
	} {
		if n.given < 0 || n.given > n.most {
			fault("recordings.%s must be 0 to %d, not %d", name, n.most, n.given)
		}
	}
	switch r.Sandbox {
	case media.AnySandbox, media.Bubblewrap, media.Landlock, media.NoSandbox:
	default:
		fault("recordings.sandbox must be auto, bubblewrap, landlock or off, not %q", r.Sandbox)
	}
	if r.UploadBytes < 1024 {
		fault("recordings.upload_bytes must be at least 1024")
	}
	if r.FetchBytesPerSecond < 1 {
		fault("recordings.fetch_bytes_per_second must be at least 1")
	}
	if r.JobsPerKey < 1 {
		fault("recordings.jobs_per_key must be at least 1")
	}
	for name, d := range map[string]time.Duration{
		"longest": r.Longest, "fetch": r.Fetch, "bot_wait": r.BotWait, "keep": r.Keep,
	} {
		if d < time.Second {
			fault("recordings.%s must be at least 1s", name)
		}
	}
}

// limit puts what the gateway bounds into its limits.
func (r Recordings) limit(l *limits.Limits) {
	l.Recorded, l.Upload, l.Fetch, l.FetchRate = r.Longest, r.UploadBytes, r.Fetch, r.FetchBytesPerSecond
	l.KeyJobs, l.BotWait, l.Keep = r.JobsPerKey, r.BotWait, r.Keep
}

// decoder needs a main that calls confine.Enter.
func (r Recordings) decoder() (*media.Decoder, error) {
	d, err := media.New(media.Config{Sandbox: r.Sandbox, Enters: true, Limits: media.Limits{Seconds: r.Longest.Seconds()}})
	if errors.Is(err, media.ErrNoSandbox) {
		err = fmt.Errorf("%w (recordings.sandbox: off, or STENO_RECORDINGS_SANDBOX=off, does without)", err)
	}
	return d, err
}

// mediaDecoder is nil where the decoder's programs are missing, or no sandbox works: live sessions do without it, and clients
// are told why. A sandbox that is asked for by name and does not work is an error.
func mediaDecoder(r Recordings, log zerolog.Logger) (d *media.Decoder, why string, err error) {
	d, err = r.decoder()
	switch {
	case errors.Is(err, media.ErrNoSandbox) && r.Sandbox != media.AnySandbox:
		return nil, "", err
	case errors.Is(err, media.ErrNoSandbox):
		log.Error().Err(err).Msg("recorded files are refused")
		return nil, "no sandbox works for it (recordings.sandbox)", nil
	case err != nil:
		log.Warn().Err(err).Msg("recorded files are refused")
		return nil, "ffmpeg is missing", nil
	case d.Sandbox() == media.NoSandbox:
		log.Warn().Msg("recorded files are decoded without a sandbox")
	default:
		log.Info().Str("sandbox", string(d.Sandbox())).Msg("recorded files are decoded in a sandbox")
	}
	return d, "", nil
}
