package corpus

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// Read decodes a file to mono 16 kHz, whole frames: raw files and WAV files in that format
// directly, all others by running ffmpeg.
func Read(path string) ([]float64, error) {
	out, err := readAll([]string{path})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// together is how many files one run of ffmpeg decodes: starting it takes longer than decoding a
// word.
const together = 50

func readAll(paths []string) ([][]float64, error) {
	out := make([][]float64, len(paths))
	var foreign []int
	for i, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		pcm, ok := raw, filepath.Ext(path) == ".raw"
		if !ok {
			pcm, ok = plainWAV(raw)
		}
		if !ok {
			foreign = append(foreign, i)
			continue
		}
		out[i] = wholeFrames(pcm)
	}
	for len(foreign) > 0 {
		n := min(together, len(foreign))
		if err := decode(paths, foreign[:n], out); err != nil {
			return nil, err
		}
		foreign = foreign[n:]
	}
	return out, nil
}

// decode runs ffmpeg over the paths of the given numbers.
func decode(paths []string, numbers []int, out [][]float64) error {
	folder, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	args := []string{"-nostdin", "-v", "error"}
	for _, i := range numbers {
		args = append(args, "-i", paths[i])
	}
	target := func(k int) string { return filepath.Join(folder, strconv.Itoa(k)) }
	for k := range numbers {
		args = append(args, "-map", strconv.Itoa(k)+":a:0", "-ac", "1", "-ar", "16000", "-f", "s16le", target(k))
	}
	cmd := exec.Command("ffmpeg", args...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("decode %s and %d more: %w: %s", filepath.Base(paths[numbers[0]]), len(numbers)-1, err, said)
	}
	for k, i := range numbers {
		pcm, err := os.ReadFile(target(k))
		if err != nil {
			return err
		}
		out[i] = wholeFrames(pcm)
	}
	return nil
}

// wholeFrames are the samples of full scale 1, without the rest of a frame.
func wholeFrames(pcm []byte) []float64 {
	out := make([]float64, len(pcm)/2/Frame*Frame)
	for i := range out {
		out[i] = float64(int16(binary.LittleEndian.Uint16(pcm[2*i:]))) / 32768
	}
	return out
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
