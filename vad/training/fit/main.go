// Command fit fits the network of package vad and writes it as Go.
//
//	GOEXPERIMENT=simd go run ./fit -recordings DIR,DIR -teacher FILE -out ../weights.go
//
// Each DIR has a manifest.jsonl that names its recordings and their licences; what may not
// be learnt from, and what is left to measure on, is passed over. From recordings of words,
// phrases, conversations, noises and music, and from generated noise, it makes scenes of ten
// seconds: single words with pauses, phrases, conversations, and sounds with nothing spoken,
// in rooms, among noises, over telephones, at all levels. Sounds that are no words come out
// of silence as words do.
//
// The wanted probabilities are those of a teacher, Silero VAD, for the clean recording: the network
// learns to hear through all that what the teacher hears without it. Annotated turns of
// conversations and the energy of single words correct the teacher.
//
// A network per seed is trained by AdamW on whole scenes and measured by the table of package
// benchmark; the one of most merit is written. The same flags, recordings and machine produce the
// same network: everything random comes from the seeds.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"steno/vad"
	"steno/vad/internal/logmel"
	"steno/vad/training/silero"
)

type options struct {
	recordings, teacher, out, keep string
	labels                         string
	seeds                          string
	from                           string
	epochs                         string
	scenes                         int
	hidden, units                  int
	workers                        int
	networks                       string
	shift                          float64
}

func main() {
	var o options
	flag.StringVar(&o.recordings, "recordings", "", "folders of recordings with a manifest.jsonl, separated by commas")
	flag.StringVar(&o.teacher, "teacher", "", "ONNX file of Silero VAD 5 for 16 kHz")
	flag.StringVar(&o.out, "out", "", "Go file to write; empty: only measure")
	flag.StringVar(&o.keep, "keep", "", "folder for the network of each seed, as JSON; empty: none")
	flag.StringVar(&o.labels, "labels", "",
		"file in which the labelled recordings are kept from one run to the next; empty: none")
	flag.StringVar(&o.seeds, "seeds", "1", "seeds of the networks to choose from, separated by commas")
	flag.IntVar(&o.scenes, "scenes", 18000, "scenes of ten seconds that are made")
	flag.StringVar(&o.epochs, "epochs", "9,14,10", "passes over them in each round, every one with scenes of its own")
	flag.StringVar(&o.from, "from", "", "networks to begin with, JSON files separated by commas, a file for each seed")
	flag.IntVar(&o.hidden, "hidden", 40, "units of the dense layer")
	flag.IntVar(&o.units, "units", 48, "recurrent units")
	flag.IntVar(&o.workers, "workers", 1, "scenes made side by side")
	flag.StringVar(&o.networks, "check", "", "only measure these networks, JSON files separated by commas")
	flag.Float64Var(&o.shift, "shift", 0, "added to the log-odds: it brings the operating point to the threshold")
	flag.Parse()
	if err := run(o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(o options, stdout io.Writer) error {
	if o.networks != "" {
		networks, err := read(o.networks)
		if err != nil {
			return err
		}
		return o.finish(networks, stdout)
	}
	start := time.Now()
	all, err := cached(o.labels, o.material)
	if err != nil {
		return err
	}
	describe(all, stdout)
	fmt.Fprintln(stdout, "labelled", time.Since(start).Round(time.Second))
	seeds, err := numbers(o.seeds)
	if err != nil {
		return err
	}
	epochs, err := numbers(o.epochs)
	if err != nil {
		return err
	}
	if len(epochs) > len(rounds) {
		return fmt.Errorf("%d rounds asked for, there are %d", len(epochs), len(rounds))
	}
	k := newStock(all)
	networks := make([]*vad.Network, len(seeds))
	if o.from != "" {
		if networks, err = read(o.from); err != nil {
			return err
		}
	}
	for i, epochs := range epochs {
		if err := o.round(k, i, int(epochs), seeds, networks, stdout); err != nil {
			return err
		}
	}
	fmt.Fprintln(stdout, "trained", time.Since(start).Round(time.Second))
	return o.finish(networks, stdout)
}

// round trains a network for each seed, from what it is already, on scenes of its own.
func (o *options) round(k *stock, number, epochs int, seeds []uint64, networks []*vad.Network, stdout io.Writer) error {
	if epochs == 0 {
		return nil
	}
	k.recipe = rounds[number]
	pool := k.pool(o.scenes, uint64(number+1), o.workers)
	fmt.Fprintln(stdout, "scenes made for round", number+1)
	for i, seed := range seeds {
		c := course{seed: seed, epochs: epochs, rate: k.recipe.rate}
		l, n := train(pool, shape{2 * logmel.Bands, o.hidden, o.units}, c, networks[i], stdout)
		networks[i] = network(l, n)
		if err := o.save(networks[i], fmt.Sprintf("%d-%d.json", seed, number+1)); err != nil {
			return err
		}
	}
	return nil
}

// numbers reads whole numbers separated by commas.
func numbers(list string) ([]uint64, error) {
	var out []uint64
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		out = append(out, n)
	}
	return out, nil
}

// material reads all there is to learn from, labelled.
func (o *options) material() ([]*source, error) {
	teacher, err := silero.Open(o.teacher)
	if err != nil {
		return nil, err
	}
	all, err := load(strings.Split(o.recordings, ","))
	if err != nil {
		return nil, err
	}
	all = append(all, generate(300, 1)...)
	each(all, o.workers, func(s *source) { label(s, teacher) })
	return all, nil
}

func (o *options) save(n any, name string) error {
	if o.keep == "" {
		return nil
	}
	b, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.keep, name), b, 0o644)
}

// each calls f for every source, some at a time.
func each(all []*source, workers int, f func(*source)) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, max(1, min(workers, runtime.GOMAXPROCS(0))))
	for _, s := range all {
		slots <- struct{}{}
		wait.Go(func() {
			f(s)
			<-slots
		})
	}
	wait.Wait()
}

// describe lists the recordings to learn from.
func describe(all []*source, w io.Writer) {
	for _, k := range kinds {
		n, frames, speech := 0, 0, 0.0
		for _, s := range all {
			if s.kind != k {
				continue
			}
			n++
			frames += len(s.speech)
			for _, p := range s.speech {
				speech += float64(p)
			}
		}
		fmt.Fprintf(w, "%-12s %4d recordings, %5.1f min, %2.0f %% speech\n", k, n, float64(frames)/6000, 100*speech/
			float64(max(frames, 1)))
	}
}
