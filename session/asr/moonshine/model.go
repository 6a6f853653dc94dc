package moonshine

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"steno/session/asr/moonshine/network"
)

// model is a loaded model and the decoders that were made for it. Any goroutine may call its
// methods.
type model struct {
	net    *network.Network
	tokens tokens

	mu   sync.Mutex
	idle []*network.Decoder
	all  []*network.Decoder
}

// loadModel loads the model of a folder.
func loadModel(dir string) (*model, error) {
	t, err := readTokens(dir)
	if err != nil {
		return nil, err
	}
	net, err := network.Load(dir)
	if err != nil {
		return nil, err
	}
	if len(t) > net.Tokens()+special {
		return nil, errors.Join(fmt.Errorf("%d tokens for a model of %d", len(t), net.Tokens()), net.Close())
	}
	return &model{net: net, tokens: t}, nil
}

// decoder returns a decoder that nobody uses. There are as many as were ever used together: one for
// each slot.
func (m *model) decoder() (*network.Decoder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.idle); n > 0 {
		d := m.idle[n-1]
		m.idle = m.idle[:n-1]
		return d, nil
	}
	d, err := m.net.NewDecoder()
	if err == nil {
		m.all = append(m.all, d)
	}
	return d, err
}

func (m *model) release(d *network.Decoder) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.idle = append(m.idle, d)
}

// close frees the model. Nothing may be decoding.
func (m *model) close() error {
	var errs []error
	for _, d := range m.all {
		errs = append(errs, d.Close())
	}
	return errors.Join(append(errs, m.net.Close())...)
}

// decode encodes audio and looks for its most probable text, and in that for places where a phrase
// of the vocabulary fits.
func (m *model) decode(d *network.Decoder, audio []float32, l *lexis, yield func() bool) (hypothesis, error) {
	if err := d.Encode(audio); err != nil {
		return hypothesis{}, err
	}
	b := beam{net: d, width: m.net.Tokens(), limit: limit(len(audio)), yield: yield}
	h, err := b.run()
	if err != nil || l == nil {
		return h, err
	}
	d.Restart()
	s := m.search(d, audio, append(slices.Clone(h.ids), network.End), l, yield)
	s.follow = true
	return s.run()
}

// decodeDraft encodes audio and takes the likeliest token after the other. It is quick where they
// are those of a draft.
func (m *model) decodeDraft(d *network.Decoder, audio []float32, draft []int, l *lexis, yield func() bool) (hypothesis,
	error) {
	if err := d.Encode(audio); err != nil {
		return hypothesis{}, err
	}
	s := m.search(d, audio, draft, l, yield)
	return s.run()
}

func (m *model) search(d *network.Decoder, audio []float32, draft []int, l *lexis, yield func() bool) search {
	return search{net: d, width: m.net.Tokens(), limit: limit(len(audio)), draft: draft, lexis: l, yield: yield}
}
