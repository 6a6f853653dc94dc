package main

import (
	"encoding/gob"
	"errors"
	"io/fs"
	"math"
	"os"
)

// cached reads the labelled sources from a file, or makes and writes them if there is no such file.
func cached(path string, make func() ([]*source, error)) ([]*source, error) {
	if path == "" {
		return make()
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return writeCache(path, make)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []cachedSource
	if err := gob.NewDecoder(f).Decode(&all); err != nil {
		return nil, err
	}
	var out []*source
	for _, k := range all {
		s := &source{kind: kind(k.Kind), name: k.Name, licence: k.Licence, speech: k.Speech, weight: k.Weight}
		for _, v := range k.Samples {
			s.samples = append(s.samples, float32(v)/32768)
		}
		out = append(out, s)
	}
	return out, nil
}

func writeCache(path string, make func() ([]*source, error)) ([]*source, error) {
	out, err := make()
	if err != nil {
		return nil, err
	}
	var all []cachedSource
	for _, s := range out {
		k := cachedSource{Kind: string(s.kind), Name: s.name, Licence: s.licence, Speech: s.speech, Weight: s.weight}
		for _, v := range s.samples {
			k.Samples = append(k.Samples, int16(math.Round(float64(max(-32768, min(32767, v*32768))))))
		}
		all = append(all, k)
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return out, errors.Join(gob.NewEncoder(f).Encode(all), f.Close())
}
