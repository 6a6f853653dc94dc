package media

import (
	"context"
	"errors"
	"io"
)

// Measure looks at a file as Probe does and decodes it to its end, so that its duration is that of
// a Stream, whatever the header states. WAV that needs no decoder is not read. Errors are those of
// Open and Read.
func (d *Decoder) Measure(ctx context.Context, path string) (Info, error) {
	s, err := d.Open(ctx, path)
	if err != nil {
		return Info{}, err
	}
	defer s.Close()
	info := s.Info()
	if info.Exact {
		return info, nil
	}
	buf := make([]byte, 256<<10)
	for {
		_, err := s.Read(buf)
		if errors.Is(err, io.EOF) {
			info.Seconds, info.Exact = s.Seconds(), true
			return info, nil
		}
		if err != nil {
			return Info{}, err
		}
	}
}
