package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
)

// jsonBody is a request as JSON with the file in it, which some clients send instead of a form.
type jsonBody struct {
	Model          string     `json:"model"`
	Language       string     `json:"language"`
	Prompt         string     `json:"prompt"`
	ResponseFormat string     `json:"response_format" enum:"json,text,srt,verbose_json,vtt,diarized_json"`
	InputAudio     inputAudio `json:"input_audio" required:"true"`
}

// inputAudio is a file within JSON.
type inputAudio struct {
	Data   string `json:"data" required:"true" doc:"The recording, in base64"`
	Format string `json:"format" doc:"Its extension, such as wav"`
}

// fields returns the body as the fields of a form.
func (b jsonBody) fields() map[string][]string {
	return map[string][]string{
		"model": {b.Model}, "language": {b.Language}, "prompt": {b.Prompt}, "response_format": {b.ResponseFormat},
	}
}

const (
	// maxHeld is the length, in bytes, from which on a string is not held in memory: it is the
	// file.
	maxHeld = 64 << 10
	// maxText bounds everything else of a body.
	maxText = 1 << 20
	// apart stands in the JSON for the string that was not held.
	apart = "(apart)"
	// maxOverhead is how much longer than its file a body may be: base64 is a third longer.
	maxOverhead = 1 << 29
)

// readJSON reads a body, and writes its file, which it does not hold in memory.
func readJSON(body io.Reader, file io.Writer) (jsonBody, error) {
	var b jsonBody
	s := &splitter{from: body, file: newDecoder(file)}
	err := json.NewDecoder(s).Decode(&b)
	switch {
	case s.err != nil && !errors.Is(s.err, io.EOF):
		return b, s.err
	case err != nil:
		return b, badBody("the body must be a form (multipart/form-data), or JSON with input_audio")
	case s.apart && b.InputAudio.Data != apart:
		return b, badBody("no string but input_audio.data may be so long")
	case !s.apart:
		audio, err := dialect.DecodeBase64([]byte(b.InputAudio.Data))
		if err != nil {
			return b, errBase64()
		}
		_, err = file.Write(audio)
		return b, err
	}
	return b, s.file.close()
}

func badBody(why string) error { return openai.Invalid("body", "cannot be read: "+why) }

// splitter reads JSON, and takes the one long string out of it: that goes to the file. In its place
// is [apart].
type splitter struct {
	from io.Reader
	file *decoder
	err  error // of from, or why nothing more is read

	in      [32 << 10]byte
	out     []byte // not read yet
	held    []byte // of a string, after its quote
	quoted  bool   // within a string
	escaped bool   // after a backslash
	away    bool   // the string is the file
	apart   bool   // there was such a string
	n       int    // bytes of everything else
}

// Read implements io.Reader.
func (s *splitter) Read(p []byte) (int, error) {
	for len(s.out) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.out = s.out[:0]
		n, err := s.from.Read(s.in[:])
		if split := s.split(s.in[:n]); split != nil {
			err = split
		}
		s.err = err
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// split divides bytes among what is read and the file.
func (s *splitter) split(p []byte) error {
	for len(p) > 0 {
		if !s.quoted {
			p = s.outside(p)
		} else {
			rest, err := s.inside(p)
			if err != nil {
				return err
			}
			p = rest
		}
		if s.n > maxText {
			return badBody("beside the audio it is too long")
		}
	}
	return nil
}

// outside takes what is before the next string, and its quote.
func (s *splitter) outside(p []byte) (rest []byte) {
	for i, c := range p {
		if c == '"' {
			s.quoted = true
			s.out, s.n = append(s.out, p[:i+1]...), s.n+i+1
			return p[i+1:]
		}
	}
	s.out, s.n = append(s.out, p...), s.n+len(p)
	return nil
}

// inside takes what is left of a string, and its quote.
func (s *splitter) inside(p []byte) (rest []byte, err error) {
	end := len(p)
	for i, c := range p {
		if c == '"' && !s.escaped {
			end, s.quoted = i, false
			break
		}
		s.escaped = c == '\\' && !s.escaped
	}
	if err := s.take(p[:end]); err != nil || s.quoted {
		return nil, err
	}
	text := s.held
	if s.away {
		text, s.away = []byte(apart), false
	}
	s.out, s.n = append(append(s.out, text...), '"'), s.n+len(text)+1
	s.held = s.held[:0]
	return p[end+1:], nil
}

// take takes a piece of a string.
func (s *splitter) take(p []byte) error {
	if s.away {
		return s.file.write(p)
	}
	s.held = append(s.held, p...)
	if len(s.held) <= maxHeld {
		return nil
	}
	if s.apart {
		return badBody("only one string may be so long")
	}
	s.away, s.apart = true, true
	err := s.file.write(s.held)
	s.held = s.held[:0]
	return err
}

// decoder writes what base64 within JSON stands for.
type decoder struct {
	base64 dialect.Base64
	err    error // of writing
}

func newDecoder(to io.Writer) *decoder {
	d := &decoder{}
	d.base64.Give = func(p []byte) {
		if d.err == nil {
			_, d.err = to.Write(p)
		}
	}
	return d
}

// write decodes a piece of a string. Its errors are those of writing, and problems.
func (d *decoder) write(p []byte) error {
	_, _, err := d.base64.Decode(p)
	switch {
	case d.err != nil:
		return fmt.Errorf("write file: %w", d.err)
	case err != nil:
		return errBase64()
	}
	return nil
}

// close decodes the end of the string.
func (d *decoder) close() error { return d.write([]byte{'"'}) }

func errBase64() error { return openai.Invalid("input_audio.data", "must be base64") }
