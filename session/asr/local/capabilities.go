package local

import (
	"context"
	"fmt"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/enginepb"
)

// ready returns the client of the ready process, or ErrUnavailable.
func (r *Recognizer) ready() (*riva.Recognizer, error) {
	process := r.process.Load()
	if process == nil {
		return nil, fmt.Errorf("%w: engine process is starting", asr.ErrUnavailable)
	}
	return process.client, nil
}

// Figures asks the process for its counts. While none is ready it returns ErrUnavailable, as all below do.
func (r *Recognizer) Figures(ctx context.Context) (*enginepb.Figures, error) {
	client, err := r.ready()
	if err != nil {
		return nil, err
	}
	return client.Figures(ctx)
}

// Models lists the process's models.
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	client, err := r.ready()
	if err != nil {
		return nil, err
	}
	return client.Models(ctx)
}

// Identify has the process tell the language.
func (r *Recognizer) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	client, err := r.ready()
	if err != nil {
		return "", err
	}
	return client.Identify(ctx, samples, among)
}

// Punctuate has the process put marks and capitals into text.
func (r *Recognizer) Punctuate(ctx context.Context, language, text string) (string, error) {
	client, err := r.ready()
	if err != nil {
		return "", err
	}
	return client.Punctuate(ctx, language, text)
}

// Diarize has the process tell speakers apart.
func (r *Recognizer) Diarize(ctx context.Context, samples []int16, want asr.Speakers) ([]asr.Turn, error) {
	client, err := r.ready()
	if err != nil {
		return nil, err
	}
	return client.Diarize(ctx, samples, want)
}

// Denoise starts a stream in the process.
func (r *Recognizer) Denoise(ctx context.Context) (asr.Denoising, error) {
	client, err := r.ready()
	if err != nil {
		return nil, err
	}
	return client.Denoise(ctx)
}
