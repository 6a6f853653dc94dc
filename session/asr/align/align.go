// Package align finds out when words were spoken: forced alignment of a text with audio, by
// PocketSphinx's acoustic model of US English, which is loaded at run time. It works on
// linux/amd64; elsewhere, and without the libraries, only [New] fails, and [Proportional] estimates
// the times.
//
// Words may be written as neural recognizers write them, with case, punctuation and numbers: "Mr.",
// "$5", "1462". Each is mapped to the words that it may be said with, and back.
package align

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"steno/session/asr"
	"steno/session/asr/align/estimate"
	"steno/session/asr/sphinx/pronounce"
)

// Debian's US English model, package pocketsphinx-en-us.
const (
	DefaultModel = "/usr/share/pocketsphinx/model/en-us/en-us"
	DefaultDict  = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"
)

// Config specifies what to align with. Zero values take the defaults.
type Config struct {
	Model string // folder of the acoustic model; default Debian's
	Dict  string // pronunciation dictionary file; default Debian's
	// Aligners is how many alignments run at the same time: default the processors Go may use, 2 at
	// least.
	Aligners int
}

// Span is where a word lies in the samples that it was aligned with.
type Span = estimate.Span

// Proportional estimates the times of words, as [estimate.Spans] does.
func Proportional(samples []int16, words []string) []Span { return estimate.Spans(samples, words) }

// frame is the acoustic model's, in samples: 10 ms.
const frame = asr.Rate / 100

// Pool aligns texts. Any goroutine may use it.
type Pool struct {
	speaker speaker
	load    func() (*aligner, error)
	slots   chan struct{} // one for each alignment that runs

	learning sync.WaitGroup // of pronunciations, in the background

	mu     sync.Mutex
	idle   []*aligner
	closed bool
}

// ErrClosed means that a pool was closed.
var ErrClosed = errors.New("align: closed")

// New opens the library and the dictionary, and loads an aligner to see that it works; others are
// loaded when they are first needed. Meanwhile it learns to pronounce words that are not in the
// dictionary, half a second of work; alignments of such words wait for it. It fails, naming the
// Debian package, where something is missing.
func New(c Config) (*Pool, error) {
	if c.Model == "" {
		c.Model = DefaultModel
	}
	if c.Dict == "" {
		c.Dict = DefaultDict
	}
	if c.Aligners == 0 {
		c.Aligners = max(runtime.GOMAXPROCS(0), 2)
	}
	if c.Aligners < 1 {
		return nil, fmt.Errorf("align: aligners %d, want 1 at least", c.Aligners)
	}
	dict, err := pronounce.Read(c.Dict)
	if err != nil {
		return nil, fmt.Errorf("align (Debian package pocketsphinx-en-us): %w", err)
	}
	e, err := openEngine(c.Model)
	if err != nil {
		return nil, fmt.Errorf("align: %w", err)
	}
	p := &Pool{speaker: speaker{dict, newGuesses(dict)}, load: e.load, slots: make(chan struct{}, c.Aligners)}
	a, err := p.load()
	if err != nil {
		return nil, fmt.Errorf("align: %w", err)
	}
	p.idle = append(p.idle, a)
	p.learning.Go(func() { p.speaker.guesses.model() })
	return p, nil
}

// Close waits for what runs and frees all memory.
func (p *Pool) Close() {
	p.learning.Wait()
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, a := range p.idle {
		a.free()
	}
	p.idle = nil
	for range cap(p.slots) {
		<-p.slots
	}
}

// acquire waits for an aligner.
func (p *Pool) acquire() (*aligner, error) {
	p.slots <- struct{}{}
	p.mu.Lock()
	closed := p.closed
	var a *aligner
	if n := len(p.idle); n > 0 {
		a, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	p.mu.Unlock()
	var err error
	switch {
	case closed:
		err = ErrClosed
	case a == nil:
		a, err = p.load()
	}
	if err != nil {
		<-p.slots
		return nil, err
	}
	return a, nil
}

// release returns an aligner to the pool. One with too many words is freed instead; a new one
// replaces it when it is needed.
func (p *Pool) release(a *aligner, keep bool) {
	if keep && len(a.words) < maxWords {
		p.mu.Lock()
		p.idle = append(p.idle, a)
		p.mu.Unlock()
	} else {
		a.free()
	}
	<-p.slots
}

// maxWords is how many words an aligner learns before it is replaced.
const maxWords = 10000

// Align returns the span of each word in samples of 16 kHz, the words in the order spoken. Audio of
// 0.2 s before the first word and after the last makes their times better. Spans do not overlap;
// those of words with sound are 10 ms at least where there is room, those of words without, such as
// a dash, are empty. Words that are not known are spread over what the others leave, all of them if
// the text does not fit the audio. With an error, which is the library's, all are.
//
// The spans depend on the samples and the words alone. It takes 0.02 of the audio's duration; more
// than [asr.MaxSamples] are not aligned.
func (p *Pool) Align(samples []int16, words []string) ([]Span, error) {
	found, _, err := p.find(samples, p.speaker.speak(words), false)
	if err != nil || found == nil {
		return Proportional(samples, words), err
	}
	return fill(samples, words, found), nil
}

// AlignEnd is Align for samples in which only the end of a text is spoken: it finds the first word
// of that end. skipped is how many words come before it, and the spans are those of the others, nil
// where no end of the text fits the samples. Samples that begin within a word may have its rest as
// another word.
func (p *Pool) AlignEnd(samples []int16, words []string) (skipped int, spans []Span, err error) {
	found, skipped, err := p.find(samples, p.speaker.speak(words), true)
	if err != nil || found == nil {
		return 0, nil, err
	}
	return skipped, fill(samples, words[skipped:], found), nil
}

// maxRate is how many words a second can be spoken.
const maxRate = 12

// plausible reports whether words, or an end of them, can be aligned with samples.
func plausible(samples []int16, said []spoken, anywhere bool) bool {
	n := 0
	for _, s := range said {
		n += len(s.parts)
	}
	return n > 0 && len(samples) >= warmUp && len(samples) <= asr.MaxSamples &&
		(anywhere || n <= maxRate*(len(samples)/asr.Rate+1))
}

// retries are how many words at the end are left out, one try after the other.
var retries = []int{0, 1}

// find returns the spans of the words that could be aligned, Known; the others are zero; nil where
// the text does not fit. If anywhere is set speech may begin with any of the words: those before it
// are skipped.
func (p *Pool) find(samples []int16, said []spoken, anywhere bool) (spans []Span, skipped int, err error) {
	if !plausible(samples, said, anywhere) {
		return nil, 0, nil
	}
	a, err := p.acquire()
	if err != nil {
		return nil, 0, fmt.Errorf("align: %w", err)
	}
	defer func() { p.release(a, err == nil) }()
	for _, without := range retries {
		n := len(said)
		for ; without > 0 && n > 0; n-- {
			if len(said[n-1].parts) > 0 {
				without--
			}
		}
		spans, skipped, err = p.try(a, samples, said[:n], anywhere)
		if err != nil {
			return nil, 0, fmt.Errorf("align: %w", err)
		}
		if spans != nil {
			return append(spans, make([]Span, len(said)-n)...), skipped, nil
		}
	}
	return nil, 0, nil
}

// try aligns words as find does.
func (p *Pool) try(a *aligner, samples []int16, said []spoken, anywhere bool) (spans []Span, skipped int, err error) {
	t := newText(said)
	if len(t.parts) == 0 {
		return nil, 0, nil
	}
	begins := t.begins[:1]
	if anywhere {
		begins = t.begins
	}
	g := newGraph(t.parts, begins)
	for _, c := range g.arcs {
		if err := a.learn(c.word, p.speaker.sounds); err != nil {
			return nil, 0, err
		}
	}
	path, err := a.align(samples, g)
	if err != nil {
		return nil, 0, err
	}
	path = slices.DeleteFunc(path, func(s segment) bool { return !s.spoken() })
	for i, first := range begins {
		if ends, ok := match(t.parts[first:], path); ok {
			skipped = t.words[i]
			return located(said[skipped:], path, ends, len(samples)), skipped, nil
		}
	}
	return nil, 0, nil
}

// text is the parts of all words, one after the other.
type text struct {
	parts  []ways
	begins []int // the parts that words with sound begin with
	words  []int // and which words those are
}

func newText(said []spoken) (t text) {
	for i, s := range said {
		if len(s.parts) > 0 {
			t.begins, t.words = append(t.begins, len(t.parts)), append(t.words, i)
		}
		t.parts = append(t.parts, s.parts...)
	}
	if len(t.words) > 0 {
		t.words[0] = 0 // what comes before the first word and has no sound belongs to it
	}
	return t
}

// located returns the spans of words of which each part begins at a segment of a path. Words
// without sound lie where the word before ends.
func located(said []spoken, path []segment, ends []int, samples int) []Span {
	out := make([]Span, len(said))
	at, border := 0, path[0].start*frame
	for i, s := range said {
		switch n := len(s.parts); {
		case n > 0:
			first, last := path[ends[at]], path[ends[at+n]-1]
			border = min(last.end*frame, samples)
			out[i] = Span{Start: first.start * frame, End: border, Known: true}
			at += n
		case !s.foreign:
			out[i] = Span{Start: border, End: border, Known: true}
		}
	}
	return out
}

// fill spreads the words that are not known over the gaps between those that are.
func fill(samples []int16, words []string, spans []Span) []Span {
	weights := make([]float64, len(words))
	for i, w := range words {
		weights[i] = estimate.Letters(w)
		if spans[i].Known && spans[i].Start < spans[i].End {
			weights[i] = max(weights[i], 1)
		}
	}
	end := 0 // of the known word before
	for i := 0; i < len(spans); {
		if spans[i].Known {
			end = spans[i].End
			i++
			continue
		}
		j := i
		for j < len(spans) && !spans[j].Known {
			j++
		}
		next := len(samples)
		if j < len(spans) {
			next = max(spans[j].Start, end)
		}
		for k, s := range Proportional(samples[end:next], words[i:j]) {
			spans[i+k] = Span{Start: end + s.Start, End: end + s.End}
		}
		i = j
	}
	estimate.Settle(spans, weights, len(samples))
	return spans
}
