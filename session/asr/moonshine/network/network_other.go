//go:build !linux || !cgo || !(amd64 || arm64)

package network

// Supported is set if this build has the library.
const Supported = false

// Network is a loaded model, of which this build has none.
type Network struct{}

// Load returns [ErrUnsupported].
func Load(string) (*Network, error) { return nil, ErrUnsupported }

// Tokens returns how many tokens the model knows.
func (*Network) Tokens() int { return 0 }

// NewDecoder returns [ErrUnsupported].
func (*Network) NewDecoder() (*Decoder, error) { return nil, ErrUnsupported }

// Close does nothing.
func (*Network) Close() error { return nil }

// Decoder decodes one piece of audio at a time.
type Decoder struct{}

// Close does nothing.
func (*Decoder) Close() error { return nil }

// Encode returns [ErrUnsupported].
func (*Decoder) Encode([]float32) error { return ErrUnsupported }

// Length returns how many tokens the decoder has taken.
func (*Decoder) Length() int { return 0 }

// Restart does nothing.
func (*Decoder) Restart() {}

// Truncate does nothing.
func (*Decoder) Truncate(int) {}

// Branch returns [ErrUnsupported].
func (*Decoder) Branch(from, ids []int) ([]float32, error) { return nil, ErrUnsupported }

// Take returns [ErrUnsupported].
func (*Decoder) Take([]int) ([]float32, error) { return nil, ErrUnsupported }
