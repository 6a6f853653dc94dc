package benchmark

import (
	"slices"
	"strings"

	"steno/vad/training/corpus"
	"steno/vad/training/noise"
)

// Hard is the conversation full of laughter and rustle that is not annotated.
const Hard = "trn07"

// Dataset is the audio that detectors are measured on.
type Dataset struct {
	Conversations, Noise, Read, Cards, Cold []corpus.Clip
	Everyday, Tunes, Words, Digits          []corpus.Clip // empty without the second folder
}

// Load reads the folder of recordings for tests and, if it is not "", that of words,
// noises and music. Of these it takes what the fit has left out.
func Load(audio, ear string) (*Dataset, error) {
	m := new(Dataset)
	c, err := corpus.Open(audio)
	if err != nil {
		return nil, err
	}
	for _, want := range []struct {
		into   *[]corpus.Clip
		prefix string
	}{
		{&m.Conversations, "ami-pyannote/"}, {&m.Noise, "speechbrain/noise"}, {&m.Read, "librispeech-test-other/3"},
		{&m.Cards, "pocketsphinx/cards"}, {&m.Cold, "mfa/cold_corpus"},
	} {
		if *want.into, err = c.Clips(want.prefix); err != nil {
			return nil, err
		}
	}
	if ear == "" {
		return m, nil
	}
	return m, m.loadWords(ear)
}

func (m *Dataset) loadWords(folder string) error {
	c, err := corpus.Open(folder)
	if err != nil {
		return err
	}
	for _, want := range []struct {
		into    *[]corpus.Clip
		prefix  string
		heldOut func(corpus.Clip) bool
	}{
		{&m.Everyday, "noise/esc10", func(c corpus.Clip) bool { return corpus.HeldOutNoise(c.Name) }},
		{&m.Tunes, "music/", func(c corpus.Clip) bool {
			return strings.HasPrefix(c.Name, "bq_") || corpus.HeldOutMusic(c.Name)
		}},
		{&m.Words, "words/sc_", func(c corpus.Clip) bool { return corpus.HeldOutSpeaker(c.Speaker) }},
		{&m.Digits, "words/fsdd_", func(corpus.Clip) bool { return true }},
	} {
		all, err := c.Clips(want.prefix)
		if err != nil {
			return err
		}
		*want.into = slices.DeleteFunc(all, func(c corpus.Clip) bool { return !want.heldOut(c) })
	}
	for _, d := range m.Digits { // those of one speaker, the first of each, with the words
		at := strings.LastIndexByte(d.Name, '_') + 1
		if d.Speaker == "theo" && len(d.Name[at:]) == 1 {
			m.Words = append(m.Words, d)
		}
	}
	m.Tunes = joined(m.Tunes)
	return nil
}

// joined joins sounds of less than two seconds into one clip.
func joined(clips []corpus.Clip) []corpus.Clip {
	var out []corpus.Clip
	single := corpus.Clip{Name: "single sounds"}
	for _, c := range clips {
		if len(c.Samples) >= noise.Seconds(2) {
			out = append(out, c)
		} else {
			single.Samples = append(single.Samples, c.Samples...)
		}
	}
	return append(out, single)
}

// Table measures everything.
func (d Detector) Table(m *Dataset) []Row {
	rows := d.Conversations(m.Conversations, Hard)
	rows = append(rows, d.Noises(m.Noise, m.Everyday, m.Tunes)...)
	if m.Words != nil {
		rows = append(rows, d.Words("words", m.Words)...)
		rows = append(rows, d.Words("digits", m.Digits)...)
	}
	rows = append(rows, d.Flagged("cards", 85, 93, m.Cards), d.Flagged("cold_corpus", 75, 90, m.Cold))
	return append(rows, d.Onsets(m.Read)...)
}
