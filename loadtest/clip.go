package loadtest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"steno/audio"
)

// MaxClipBytes bounds the audio of all recordings together: they are held in memory, shared by all
// clients.
const MaxClipBytes = 1 << 30

// Clip is one recording, held in memory and never changed.
type Clip struct {
	Name       string // for people
	Format     audio.Format
	Data       []byte // the bytes a client streams, a whole number of frames
	Transcript string // what is said in it; empty: not known

	pause [][]byte // played after it
}

// LoadClips reads a WAV file, or every file named *.wav below a folder in the order of their paths.
// Files of a folder without audio that the service understands are left out, and skipped lists them
// with the reasons; such a single file is an error, and so is a folder without any usable file.
// Transcripts are taken from a file NAME.txt beside NAME.wav, or else from manifest.jsonl in the
// folder of the recording or one above, up to path: one JSON object a line, of which "file"
// (relative to the manifest) and "transcript" are read.
func LoadClips(path string) (clips []*Clip, skipped []error, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("find recordings: %w", err)
	}
	if !info.IsDir() {
		c, err := loadClip(path, filepath.Base(path), MaxClipBytes)
		if err != nil {
			return nil, nil, err
		}
		c.Transcript, err = newTranscripts(filepath.Dir(path)).of(path)
		return []*Clip{c}, nil, err
	}
	room := int64(MaxClipBytes)
	texts := newTranscripts(path)
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(p), ".wav") {
			return err
		}
		name, err := filepath.Rel(path, p)
		if err != nil {
			return err
		}
		c, err := loadClip(p, name, room)
		if errors.Is(err, errTooMuch) {
			return err
		}
		if err != nil {
			skipped = append(skipped, err)
			return nil
		}
		if c.Transcript, err = texts.of(p); err != nil {
			return err
		}
		room -= int64(len(c.Data))
		clips = append(clips, c)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read recordings: %w", err)
	}
	if len(clips) == 0 {
		return nil, skipped, fmt.Errorf("no usable WAV file in %s (%d left out)", path, len(skipped))
	}
	return clips, skipped, nil
}

// Join returns one recording that consists of all of them, one after the other. They must have the
// same format. It has a transcript if each of them has one.
func Join(clips []*Clip) (*Clip, error) {
	var names, texts []string
	one := &Clip{}
	for _, c := range clips {
		if len(names) > 0 && c.Format != one.Format {
			return nil, fmt.Errorf("%s has another format than %s: %v, not %v", c.Name, names[0], c.Format, one.Format)
		}
		one.Format, one.Data = c.Format, append(one.Data, c.Data...)
		names = append(names, c.Name)
		if c.Transcript != "" {
			texts = append(texts, c.Transcript)
		}
	}
	one.Name = strings.Join(names, " + ")
	if len(texts) == len(clips) {
		one.Transcript = strings.Join(texts, " ")
	}
	return one, nil
}

var errTooMuch = fmt.Errorf("recordings larger than %d MiB together", MaxClipBytes>>20)

func loadClip(path, name string, room int64) (*Clip, error) {
	w, err := audio.OpenWAV(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer w.Close()
	if w.DataBytes > room {
		return nil, errTooMuch
	}
	data, err := io.ReadAll(w)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("%s holds no audio", name)
	}
	return &Clip{Name: name, Format: w.Format, Data: data}, nil
}
