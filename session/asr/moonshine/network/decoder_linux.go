//go:build linux && cgo && (amd64 || arm64)

package network

import (
	"errors"
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// Decoder decodes one piece of audio at a time and keeps its memory for the next. One goroutine at
// a time may use it.
type Decoder struct {
	net *Network
	io  *ort.IoBinding

	samples, hidden buffer[float32]
	mask            buffer[int64]
	frames          int64

	cross      []buffer[float32] // keys and values of the audio, by layer
	past, next []buffer[float32] // of the tokens, before and after a pass
	ids        buffer[int64]
	logits     buffer[float32]
	length     int64       // tokens in past
	texts      int64       // that past holds, side by side
	begun      bool        // the audio's keys and values are there
	audio      []ort.Value // tensors that live as long as the audio
}

// NewDecoder returns a decoder, which must be closed before the network.
func (n *Network) NewDecoder() (*Decoder, error) {
	io, err := n.decoder.CreateIoBinding()
	if err != nil {
		return nil, fmt.Errorf("make a decoder: %w", err)
	}
	caches := 2 * len(n.layers)
	return &Decoder{
		net: n, io: io,
		cross: make([]buffer[float32], caches), past: make([]buffer[float32], caches), next: make([]buffer[float32],
			caches),
	}, nil
}

// Close frees the decoder's memory.
func (d *Decoder) Close() error {
	d.forget()
	for _, list := range [][]buffer[float32]{d.cross, d.past, d.next} {
		for i := range list {
			list[i].free()
		}
	}
	d.samples.free()
	d.hidden.free()
	d.logits.free()
	d.mask.free()
	d.ids.free()
	return d.io.Destroy()
}

// forget releases the tensors of the last piece of audio.
func (d *Decoder) forget() {
	d.io.ClearBoundInputs()
	d.io.ClearBoundOutputs()
	for _, v := range d.audio {
		_ = v.Destroy()
	}
	d.audio, d.begun, d.length, d.texts = d.audio[:0], false, 0, 1
}

// Encode begins a piece of audio: mono samples of 16 kHz between -1 and 1, which it copies. It
// needs at least a tenth of a second.
func (d *Decoder) Encode(samples []float32) error {
	d.forget()
	n := len(samples)
	copy(d.samples.size(n), samples)
	ones(d.mask.size(n))
	in, err := d.samples.tensor(1, int64(n))
	if err != nil {
		return err
	}
	defer func() { _ = in.Destroy() }()
	mask, err := d.mask.tensor(1, int64(n))
	if err != nil {
		return err
	}
	defer func() { _ = mask.Destroy() }()
	out := []ort.Value{nil}
	if err := d.net.encoder.Run([]ort.Value{in, mask}, out); err != nil {
		return fmt.Errorf("encode %d samples: %w", n, err)
	}
	defer func() { _ = out[0].Destroy() }()
	return d.keep(out[0])
}

// keep copies the encoder's output.
func (d *Decoder) keep(v ort.Value) error {
	t, ok := v.(*ort.Tensor[float32])
	shape := v.GetShape()
	if !ok || len(shape) != 3 || shape[2] != d.net.width || shape[1] < 1 {
		return fmt.Errorf("encoder returned a tensor of %v", shape)
	}
	d.frames = shape[1]
	copy(d.hidden.size(len(t.GetData())), t.GetData())
	return nil
}

// Restart forgets all tokens. There is one text again.
func (d *Decoder) Restart() { d.length, d.texts = 0, 1 }

// Length returns how many tokens the decoder has taken.
func (d *Decoder) Length() int { return int(d.length) }

// Truncate forgets all tokens but the first n.
func (d *Decoder) Truncate(n int) {
	keep, size := int64(n), d.net.size
	if keep >= d.length {
		return
	}
	for i := range d.past {
		c := d.past[i].data
		for h := range d.net.heads {
			copy(c[h*keep*size:(h+1)*keep*size], c[h*d.length*size:])
		}
	}
	d.length = keep
}

// Take appends tokens, of which the first of all must be [Begin], and returns the logits of the
// token after each of them: a row of [Network.Tokens] for each, one after the other, valid until
// the next call. There must be one text.
func (d *Decoder) Take(ids []int) (logits []float32, err error) { return d.pass(ids, int64(len(ids))) }

// Branch makes texts of those there are, each of the text from and one more token, and returns the
// rows of logits of the tokens after these, valid until the next call. There must be a text with
// [Begin] already. Until the next Encode there are as many texts as there were tokens in the last
// call of Branch.
func (d *Decoder) Branch(from, ids []int) (logits []float32, err error) {
	d.gather(from)
	return d.pass(ids, 1)
}

// gather makes texts of copies of those there are.
func (d *Decoder) gather(from []int) {
	n := int64(len(from))
	same := n == d.texts
	for i, f := range from {
		same = same && f == i
	}
	if same {
		return
	}
	size := int(d.net.heads * d.length * d.net.size)
	for i := range d.past {
		to, old := d.next[i].size(len(from)*size), d.past[i].data
		for j, f := range from {
			copy(to[j*size:(j+1)*size], old[f*size:])
		}
	}
	d.past, d.next = d.next, d.past
	d.texts = n
}

// pass appends n tokens to each text.
func (d *Decoder) pass(ids []int, n int64) (logits []float32, err error) {
	p := pass{d: d}
	defer p.release()
	for i, id := range ids {
		d.ids.size(len(ids))[i] = int64(id)
	}
	if d.begun {
		p.in("use_cache_branch", d.net.cached, nil)
	} else {
		p.bindAudio()
	}
	p.bindTokens(n)
	if p.err == nil {
		p.err = d.net.decoder.RunWithBinding(d.io)
	}
	if p.err == nil && !d.begun {
		p.err = d.bindCross()
	}
	if p.err != nil {
		return nil, fmt.Errorf("decode %d tokens: %w", n, p.err)
	}
	d.past, d.next = d.next, d.past
	d.length += n
	return d.logits.data[:d.texts*n*d.net.tokens], nil
}

// bindCross makes the audio's keys and values, which the first pass has computed, inputs of those
// that follow.
func (d *Decoder) bindCross() error {
	d.begun = true
	d.io.ClearBoundOutputs()
	var errs []error
	i := 0
	for _, l := range d.net.layers {
		for _, name := range l.cross() {
			errs = append(errs, d.io.BindInput("past_key_values."+name, d.audio[fixed+i]))
			i++
		}
	}
	return errors.Join(errs...)
}

// fixed is how many of a decoder's audio tensors come before the keys and values.
const fixed = 2

// pass collects the tensors of one pass and the first error.
type pass struct {
	d     *Decoder
	short []ort.Value
	err   error
}

func (p *pass) release() {
	for _, v := range p.short {
		_ = v.Destroy()
	}
}

func (p *pass) in(name string, v ort.Value, err error) {
	if p.err == nil {
		p.err = err
	}
	if p.err == nil {
		p.err = p.d.io.BindInput(name, v)
	}
}

func (p *pass) out(name string, v ort.Value, err error) {
	if p.err == nil {
		p.err = err
	}
	if p.err == nil {
		p.err = p.d.io.BindOutput(name, v)
	}
}

// brief keeps a tensor until the end of the pass, audio until that of the audio.
func (p *pass) brief(v ort.Value, err error) (ort.Value, error) {
	if err == nil {
		p.short = append(p.short, v)
	}
	return v, err
}

func (p *pass) audio(v ort.Value, err error) (ort.Value, error) {
	if err == nil {
		p.d.audio = append(p.d.audio, v)
	}
	return v, err
}

// bindAudio binds the audio for the first pass, which computes its keys and values.
func (p *pass) bindAudio() {
	d, n := p.d, p.d.net
	ones(d.mask.size(int(d.frames * Frame)))
	v, err := p.audio(d.mask.tensor(1, d.frames*Frame))
	p.in("encoder_attention_mask", v, err)
	v, err = p.audio(d.hidden.tensor(1, d.frames, n.width))
	p.in("encoder_hidden_states", v, err)
	i := 0
	for _, l := range n.layers {
		for _, name := range l.cross() {
			v, err = p.brief(ort.NewTensor(ort.NewShape(1, n.heads, 0, n.size), []float32(nil)))
			p.in("past_key_values."+name, v, err)
			v, err = p.audio(d.cross[i].tensor(1, n.heads, d.frames, n.size))
			p.out("present."+name, v, err)
			i++
		}
	}
	p.in("use_cache_branch", n.uncached, nil)
}

// bindTokens binds n new tokens of each text, the cache of those before, and what the pass
// computes.
func (p *pass) bindTokens(n int64) {
	d, net := p.d, p.d.net
	v, err := p.brief(d.ids.tensor(d.texts, n))
	p.in("input_ids", v, err)
	v, err = p.brief(d.logits.tensor(d.texts, n, net.tokens))
	p.out("logits", v, err)
	i := 0
	for _, l := range net.layers {
		for _, name := range l.self() {
			v, err = p.brief(d.past[i].tensor(d.texts, net.heads, d.length, net.size))
			p.in("past_key_values."+name, v, err)
			v, err = p.brief(d.next[i].tensor(d.texts, net.heads, d.length+n, net.size))
			p.out("present."+name, v, err)
			i++
		}
	}
}

func ones(s []int64) {
	for i := range s {
		s[i] = 1
	}
}
