package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"steno/vad/training/corpus"
)

type kind string

const (
	word         kind = "word"
	phrase       kind = "phrase"
	conversation kind = "conversation"
	noises       kind = "noise"
	music        kind = "music"
	generated    kind = "generated"
)

var kinds = []kind{word, phrase, conversation, noises, music, generated}

// source is a recording to learn from.
type source struct {
	kind    kind
	name    string
	licence string
	samples []float32 // of full scale 1
	turns   []corpus.Label
	speech  []float32 // per frame, 0..1: what is to be answered
	weight  []float32 // per frame: how much that matters
}

// cachedSource is a source as it is written to a file.
type cachedSource struct {
	Kind, Name, Licence string
	Samples             []int16
	Speech, Weight      []float32
}

// sourceFolders lists where the kinds lie in the folders.
var sourceFolders = []struct {
	kind     kind
	prefixes string
}{
	{word, "words/"},
	{phrase, "speech/ librispeech-test-other/ azure/ mfa/acoustic speechbrain/spk google/ voice2json/ jfk/jfk.wav webrtcvad/"},
	{conversation, "speech/ami_ ami-pyannote/dev00 ami-pyannote/trn04 ami-pyannote/trn07"},
	{noises, "noise/ speechbrain/noise"},
	{music, "music/"},
}

// load reads what may be learnt from in the folders.
func load(folders []string) ([]*source, error) {
	var out []*source
	for _, folder := range folders {
		c, err := corpus.Open(folder)
		if err != nil {
			return nil, err
		}
		for _, m := range sourceFolders {
			for prefix := range strings.FieldsSeq(m.prefixes) {
				clips, err := c.Clips(prefix)
				if err != nil {
					continue // the other folder has them
				}
				out = append(out, wanted(m.kind, clips)...)
			}
		}
	}
	for _, k := range kinds[:5] {
		if !slices.ContainsFunc(out, func(s *source) bool { return s.kind == k }) {
			return nil, fmt.Errorf("no recordings of kind %s in %s", k, strings.Join(folders, ", "))
		}
	}
	return out, nil
}

func wanted(k kind, clips []corpus.Clip) []*source {
	var out []*source
	for _, c := range clips {
		if !free(c.Licence) || heldOut(c) || (k == conversation) != (c.Labels != nil) {
			continue
		}
		s := &source{kind: k, name: c.Name, licence: c.Licence, turns: c.Labels}
		for _, v := range c.Samples {
			s.samples = append(s.samples, float32(v))
		}
		out = append(out, s)
	}
	return out
}

// free reports whether weights may be learnt from material under the licence: CC0, CC BY,
// Apache, MIT and the public domain ask for no more than to be named; share-alike ones
// and others do.
func free(licence string) bool {
	for _, not := range []string{"BY-SA", "BY-NC", "BY-ND", "BSD", "GPL"} {
		if strings.Contains(licence, not) {
			return false
		}
	}
	for _, start := range []string{"CC0", "CC BY", "AMI CC BY", "public domain", "Apache-2.0", "MIT"} {
		if strings.HasPrefix(licence, start) {
			return true
		}
	}
	return false
}

// heldOut tells what is left to measure on: speakers, a fold of the noises, a sixth of
// the music.
func heldOut(c corpus.Clip) bool {
	switch {
	case strings.HasPrefix(c.Name, "sc_"):
		return corpus.HeldOutSpeaker(c.Speaker)
	case strings.HasPrefix(c.Name, "sonicpi_"):
		return corpus.HeldOutMusic(c.Name)
	case strings.HasPrefix(c.Name, "esc10_"):
		return corpus.HeldOutNoise(c.Name)
	}
	return strings.HasPrefix(c.Name, "3") // LibriSpeech's 3080 and 367
}

// share is how readily a source is taken, 0..1: longer phrases more often, the words of
// which there are very many less.
func (s *source) share() float64 {
	switch {
	case s.kind == phrase:
		return math.Pow(min(float64(len(s.samples))/(20*corpus.Rate), 1), 0.7)
	case strings.HasPrefix(s.name, "pcd_athena"):
		return 0.27
	case strings.HasPrefix(s.name, "sc_"):
		return 1
	}
	return 0.77
}
