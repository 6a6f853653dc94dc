package capabilities

import (
	"context"
	"fmt"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
	"steno/session/asr/sherpa/onnx"
)

// Diarizer is an [asr.Diarizer] with a model that finds stretches of speech by speaker and one that
// compares their voices.
type Diarizer struct {
	gate    *gate
	library diarizerLibrary
	window  int // samples in the segmentation's window
}

// diarizerLibrary is the pair of models in the library.
type diarizerLibrary interface {
	// turns returns who speaks when, ordered by start: that many speakers, or 0 for an unknown
	// number.
	turns(samples []float32, speakers int) []segment
	free()
}

// segment is a turn in the library's units.
type segment struct {
	start, end float32 // seconds
	speaker    int
}

var _ asr.Diarizer = (*Diarizer)(nil)

const (
	// shift is how far the segmentation's window moves, as a part of it: the library's default.
	shift = 0.1
	// threshold is how much voices of one speaker differ at most, as one minus their cosine: the
	// library's default.
	threshold = 0.5
	// maxDiarized bounds the audio: comparing all stretches with all others takes memory that grows
	// with the square.
	maxDiarized = 2 * 60 * 60 * asr.Rate
	// maxSpeakers bounds the number of speakers.
	maxSpeakers = 64
)

// NewDiarizer loads two models, or the same twice if one folder has both. Each uses that many
// threads for one call.
func NewDiarizer(segmentation, embedding folder.Model, threads int) (*Diarizer, error) {
	if err := wants(segmentation, folder.Segmentation, folder.Diarization); err != nil {
		return nil, err
	}
	if err := wants(embedding, folder.Embedding, folder.Diarization); err != nil {
		return nil, err
	}
	files := [2]string{segmentation.Files.Model, embedding.Files.Model}
	if segmentation.Kind == folder.Diarization {
		files[0] = segmentation.Files.Segmentation
	}
	if embedding.Kind == folder.Diarization {
		files[1] = embedding.Files.Embedding
	}
	window, err := windowOf(files[0])
	if err != nil {
		return nil, loaded(segmentation, err)
	}
	library, err := loadDiarizer(files[0], files[1], threads)
	if err != nil {
		return nil, loaded(segmentation, err)
	}
	return &Diarizer{newGate(), library, window}, nil
}

// windowOf reads the window of a segmentation model, in samples.
func windowOf(path string) (int, error) {
	info, err := onnx.Read(path)
	if err != nil {
		return 0, err
	}
	var rate, window int
	if _, err := fmt.Sscan(info.Metadata["sample_rate"]+" "+info.Metadata["window_size"], &rate, &window); err != nil {
		return 0, err
	}
	if rate != asr.Rate {
		return 0, fmt.Errorf("it takes %d Hz, and only %d can be given", rate, asr.Rate)
	}
	if window < 10 || window > maxDiarized {
		return 0, fmt.Errorf("metadata: window_size is %d", window)
	}
	return window, nil
}

// Diarize implements [asr.Diarizer]. If there is less speech than speakers are expected, it finds
// fewer.
func (d *Diarizer) Diarize(ctx context.Context, samples []int16, want asr.Speakers) ([]asr.Turn, error) {
	switch {
	case len(samples) == 0:
		return nil, nil
	case len(samples) > maxDiarized:
		return nil, unavailable(fmt.Sprintf("audio longer than %d s", maxDiarized/asr.Rate))
	case want.Exactly < 0 || want.Exactly > maxSpeakers:
		return nil, unavailable(fmt.Sprintf("%d speakers", want.Exactly))
	}
	var found []segment
	err := d.gate.do(ctx, func() {
		padded := pad(floats(samples), d.window)
		found = d.library.turns(padded, want.Exactly)
		// The library finds one speaker if there are fewer stretches of speech than expected
		// speakers.
		if want.Exactly > 2 && speakers(found) == 1 {
			found = d.library.turns(padded, 0)
		}
	})
	if err != nil {
		return nil, err
	}
	return turns(found, len(samples)), nil
}

// pad adds silence so that the windows fit exactly and are at least two. The library does not
// compare the speakers within a single window, and ends the process over speech that it finds after
// the end.
func pad(samples []float32, window int) []float32 {
	step := int(float64(float32(shift)) * float64(window)) // as the library computes it
	beyond := max(len(samples)-window, 1)
	whole := (beyond + step - 1) / step * step
	return append(samples, make([]float32, window+whole-len(samples))...)
}

// Close frees the models.
func (d *Diarizer) Close() error {
	if d.gate.close() {
		d.library.free()
	}
	return nil
}
