package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"steno/vad"
	"steno/vad/training/benchmark"
)

// finish measures the networks, takes the best and writes it.
func (o *options) finish(networks []*vad.Network, stdout io.Writer) error {
	ear, audio, _ := strings.Cut(o.recordings, ",")
	m, err := benchmark.Load(audio, ear)
	if err != nil {
		return err
	}
	best, most := 0, math.Inf(-1)
	for i, n := range networks {
		n.OutBias += float32(o.shift)
		rows := benchmark.With(n).Table(m)
		fmt.Fprintf(stdout, "network %d of %d, merit %.1f\n", i+1, len(networks), benchmark.Merit(rows))
		benchmark.Print(stdout, rows)
		if merit := benchmark.Merit(rows); merit > most {
			best, most = i, merit
		}
	}
	if o.out == "" {
		return nil
	}
	credits, err := credits(strings.Split(o.recordings, ","))
	if err != nil {
		return err
	}
	making := []string{
		fmt.Sprintf("make fit SEEDS=%s SCENES=%d EPOCHS=%s SHIFT=%g", o.seeds, o.scenes, o.epochs, o.shift),
	}
	text, err := code(networks[best], making, credits)
	if err != nil {
		return err
	}
	return os.WriteFile(o.out, text, 0o644)
}

// read reads networks from JSON files.
func read(files string) ([]*vad.Network, error) {
	var out []*vad.Network
	for name := range strings.SplitSeq(files, ",") {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		n := new(vad.Network)
		if err := json.Unmarshal(b, n); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, n)
	}
	return out, nil
}
