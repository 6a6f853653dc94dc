// Command fit fits the network of package vad and writes it as Go.
//
//	go run ./vad/fit -audio DIR -out vad/weights.go
//
// It learns from three kinds of sound: conversations with annotated turns of speakers
// (AMI meetings, CC BY 4.0) in many noises, levels and channels; read speech labelled
// by its level (LibriSpeech, CC BY 4.0, and test recordings of MIT-licensed projects);
// and noises, recorded (test data of SpeechBrain, Apache 2.0) and generated. DIR holds
// them with a manifest.jsonl that names them.
//
// The network is the mean of several small ones that differ in nothing but the seed of
// their first numbers: a single one is a matter of luck by some points, their mean is
// not. The same flags and the same recordings give the same network. No seed was
// searched for.
//
// The table it prints measures the network on the conversations it has learnt from and
// is to be read so; -without leaves one of them out of the fit and measures that one
// alone. The read speech of the onsets is of speakers left out always.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"steno/vad"
	"steno/vad/corpus"
	"steno/vad/noise"
	"steno/vad/yardstick"
)

type options struct {
	audio, out, without string
	seed                uint64
	nets, units, epochs int
}

func main() {
	var o options
	flag.StringVar(&o.audio, "audio", "", "folder of the recordings")
	flag.StringVar(&o.out, "out", "", "Go file to write; empty: only measure")
	flag.StringVar(&o.without, "without", "", "conversation or recorded noise to leave out")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of all randomness")
	flag.IntVar(&o.nets, "nets", 4, "networks whose mean is taken; 0: measure the one built in")
	flag.IntVar(&o.units, "units", 8, "hidden units of each")
	flag.IntVar(&o.epochs, "epochs", 12, "passes over the material")
	flag.Parse()
	if err := run(o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(o options, stdout io.Writer) error {
	c, err := corpus.Open(o.audio)
	if err != nil {
		return err
	}
	rec, err := load(c)
	if err != nil {
		return err
	}
	if o.nets == 0 {
		return report(nil, rec, o.without, stdout)
	}
	bias := vad.NoiseBias(noise.PCM(noise.At(-40, noise.White(noise.Seconds(60), noise.Seed(o.seed)))))
	data := frames(material(rec, o.without, noise.Seed(o.seed)), bias)
	fmt.Fprintf(stdout, "%d frames\n", len(data.inputs))
	network := fit(data, o)
	network.Bias = bias
	if err := report(network, rec, o.without, stdout); err != nil {
		return err
	}
	if o.out == "" {
		return nil
	}
	return os.WriteFile(o.out, source(network, o), 0o644)
}

// report measures the network; with one conversation left out, that one only.
func report(n *vad.Network, rec *recordings, without string, w io.Writer) error {
	conversations := slices.DeleteFunc(slices.Clone(rec.conversations), func(c corpus.Clip) bool {
		return without != "" && c.Name != without
	})
	noises := slices.DeleteFunc(slices.Clone(rec.noises), func(c corpus.Clip) bool {
		return strings.HasPrefix(without, "noise") && c.Name != without
	})
	var rows []yardstick.Row
	if len(conversations) > 0 {
		rows = yardstick.Conversations(n, conversations, "trn07")
	}
	rows = append(rows, yardstick.Noises(n, noises)...)
	rows = append(rows, yardstick.Onsets(n, rec.unheard)...)
	yardstick.Print(w, rows)
	return nil
}
