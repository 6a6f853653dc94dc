// Package decoding decodes recorded files of any format as the configuration has it: with ffmpeg in
// a sandbox, except WAV files of declared formats. A program that uses it calls confine.Enter
// first.
package decoding

import (
	"context"
	"errors"
	"fmt"

	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/cmd/steno/config"
)

// Decoder returns a decoder that works.
func Decoder(ctx context.Context, r config.Recordings) (*media.Decoder, error) {
	d, err := beginDecoder(ctx, r)
	if err == nil {
		err = awaitDecoder(d)
	}
	return d, err
}

// beginDecoder begins to try a decoder, until ctx ends. It needs a main that calls confine.Enter.
func beginDecoder(ctx context.Context, r config.Recordings) (*media.Decoder, error) {
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

// Try begins to try the decoder of a gateway, until ctx ends. It is nil where its programs are
// missing: live sessions do without it, and why is what clients are answered.
func Try(ctx context.Context, r config.Recordings, log zerolog.Logger) (d *media.Decoder, why string) {
	d, err := beginDecoder(ctx, r)
	if err != nil {
		log.Warn().Err(err).Msg("recorded files are refused")
		return nil, "ffmpeg is missing"
	}
	return d, ""
}

// Report waits until the decoder of a gateway was tried, and logs what came of it. A sandbox that
// is asked for by name and does not work is an error.
func Report(r config.Recordings, d *media.Decoder, log zerolog.Logger) error {
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
