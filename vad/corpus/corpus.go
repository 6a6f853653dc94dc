// Package corpus reads recordings of speech and labels their frames, for fitting and
// testing speech detection.
package corpus

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Frame is the length of a labelled frame in samples: 10 ms.
const Frame = 160

// Rate is the number of samples per second of everything read.
const Rate = 16000

// Label says what a frame holds.
type Label byte

// The labels. Unclear frames count neither way.
const (
	Silence Label = iota
	Speech
	Unclear
)

// Clip is a recording: mono, 16 kHz, full scale 1, a whole number of frames.
type Clip struct {
	Name    string
	Samples []float64
	Labels  []Label // one per frame
}

// Corpus is a folder of recordings with a manifest.jsonl.
type Corpus struct {
	Folder  string
	entries []entry
}

type entry struct {
	File string `json:"file"`
	RTTM string `json:"rttm"`
}

// Open reads the manifest of folder.
func Open(folder string) (*Corpus, error) {
	raw, err := os.ReadFile(filepath.Join(folder, "manifest.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	c := &Corpus{Folder: folder}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("parse manifest: %w", err)
		}
		c.entries = append(c.entries, e)
	}
	return c, lines.Err()
}

// Clips reads the recordings whose file names begin with prefix, in the manifest's
// order. Those with speaker turns are labelled by them, the others not at all.
func (c *Corpus) Clips(prefix string) ([]Clip, error) {
	var out []Clip
	for _, e := range c.entries {
		if !strings.HasPrefix(e.File, prefix) {
			continue
		}
		x, err := Read(filepath.Join(c.Folder, e.File))
		if err != nil {
			return nil, err
		}
		clip := Clip{Name: strings.TrimSuffix(filepath.Base(e.File), filepath.Ext(e.File)), Samples: x}
		if e.RTTM != "" {
			if clip.Labels, err = turns(filepath.Join(c.Folder, e.RTTM), len(x)/Frame); err != nil {
				return nil, err
			}
		}
		out = append(out, clip)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no recordings %s* in the manifest", prefix)
	}
	return out, nil
}

// Read decodes a file to mono 16 kHz, whole frames: raw files and WAV files of that
// very kind by itself, all others by running ffmpeg.
func Read(path string) ([]float64, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pcm, ok := raw, filepath.Ext(path) == ".raw"
	if !ok {
		pcm, ok = plainWAV(raw)
	}
	if !ok {
		cmd := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-i", path, "-ac", "1", "-ar", "16000", "-f", "s16le", "-")
		if pcm, err = cmd.Output(); err != nil {
			return nil, fmt.Errorf("decode %s: %w", filepath.Base(path), err)
		}
	}
	out := make([]float64, len(pcm)/2/Frame*Frame)
	for i := range out {
		out[i] = float64(int16(binary.LittleEndian.Uint16(pcm[2*i:]))) / 32768
	}
	return out, nil
}

// plainWAV returns the samples of a WAV file that is mono, 16 kHz and 16 bit.
func plainWAV(b []byte) ([]byte, bool) {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" {
		return nil, false
	}
	plain := false
	for b = b[12:]; len(b) >= 8; {
		name, size := string(b[:4]), int(binary.LittleEndian.Uint32(b[4:]))
		b = b[8:]
		size = min(size, len(b))
		switch {
		case name == "data":
			return b[:size], plain
		case name == "fmt " && size >= 16:
			plain = binary.LittleEndian.Uint16(b) == 1 && binary.LittleEndian.Uint16(b[2:]) == 1 &&
				binary.LittleEndian.Uint32(b[4:]) == Rate && binary.LittleEndian.Uint16(b[14:]) == 16
		}
		b = b[min(size+size%2, len(b)):]
	}
	return nil, false
}

// turns labels the union of the speaker turns of an RTTM file as speech.
func turns(path string, frames int) ([]Label, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	labels := make([]Label, frames)
	for line := range strings.Lines(string(raw)) {
		var start, long float64
		if n, _ := fmt.Sscanf(line, "SPEAKER %s %s %f %f", new(string), new(string), &start, &long); n < 4 {
			continue
		}
		for i := max(0, int(start*100)); i < min(frames, int((start+long)*100)); i++ {
			labels[i] = Speech
		}
	}
	return labels, nil
}
