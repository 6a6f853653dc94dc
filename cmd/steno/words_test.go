package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"steno/audio"
	"steno/session/asr/asrtest/corpus"
)

// BenchmarkWords prints what becomes of short utterances in live sessions with the default request: how many recordings
// have a final, and how many of their words PocketSphinx gets right. STENO_TEST_EAR names the folder of single words.
func BenchmarkWords(b *testing.B) {
	engine := benchEngine(b)
	fmt.Printf("\n%-10s %10s %10s %14s\n", "", "recordings", "finals in", "words right")
	for _, set := range []struct{ name, variable, prefix, suffix string }{
		{"cards", "STENO_TEST_AUDIO", "pocketsphinx/cards", ""},
		{"commands", "STENO_TEST_EAR", "words/sc_", ""},
		{"digits", "STENO_TEST_EAR", "words/fsdd_", "_0.flac"},
	} {
		b.Run(set.name, func(b *testing.B) {
			finals, right, said := 0, 0, 0
			clips := corpus.ReadFolder(b, set.variable, func(e corpus.Entry) bool {
				return strings.HasPrefix(e.File, set.prefix) && strings.HasSuffix(e.File, set.suffix)
			})
			for _, c := range clips {
				utterances := runSession(b, engine, quietlyAround(c.Samples), `{}`)
				if len(utterances) > 0 {
					finals++
				}
				if n, err := strconv.Atoi(c.Transcript); err == nil {
					c.Words = digits[n : n+1]
				}
				_, heard := judge(c, utterances)
				said += len(c.Words)
				for _, w := range heard {
					if w.Right {
						right++
					}
				}
			}
			fmt.Printf("%-10s %10d %10d %7d of %3d\n", set.name, len(clips), finals, right, said)
		})
	}
}

var digits = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// quietlyAround is a second of faint noise, the samples, and as much after them.
func quietlyAround(samples []int16) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	pause := make([]int16, 16000)
	for i := range pause {
		pause[i] = int16(3 * r.NormFloat64())
	}
	return audio.AppendPCM(nil, slices.Concat(pause, samples, pause))
}
