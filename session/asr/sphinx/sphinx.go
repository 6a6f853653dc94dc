// Package sphinx recognizes speech with Debian's PocketSphinx and its US English model, which are
// loaded at run time: nothing is linked, and without the libraries only [New] fails. It works on
// linux/amd64.
//
// Each utterance is searched twice. While it is spoken a cheap live pass makes partials, without
// times and confidences and with about ten words in a hundred more wrong than in the final. A
// second pass, at two seconds' distance from the speech, makes the final: by then it knows a
// cepstral mean that is almost as good as that of the whole utterance (see runningMean). What is
// left for the end are those two seconds at most, for speech of more than three a few hundredths.
// Each search has decoders of its own. The means are functions of frame numbers, and the calls are
// chosen so that no state of an utterance affects the next: the same samples produce the same
// words, times and confidences on every decoder, in any order, however they are written, and
// whether they are decoded while they are spoken or afterwards.
//
// Speech that is too long is cut at a place found afterwards. The second pass decodes only what is
// sure to stay, which the writer tells ([asr.Cutter]), so that a cut takes nothing back. Where it
// does the utterance is decoded again. It is decoded with half a second of what follows
// ([asr.Follower]), so that its last word is heard whole.
//
// Words of an utterance's vocabulary that the models do not know are added to a decoder, for the
// final only. They stay in that decoder, so each of the most recent vocabularies has a decoder to
// itself, loaded when it is first needed. Added words are pronounced as they are respelled, or else
// like the dictionary's words of similar spelling. The utterance is then decoded twice, both times
// while it is spoken, and its final is that of a plain decoder except where an added word was
// recognized clearly: words that are not spoken change nothing.
//
// Loud noise is sometimes recognized as a word, mostly of low confidence. Words are not filtered by
// confidence: on read and spontaneous English every threshold that removed much of the noise
// removed as many correct words. Feed speech only.
//
// The library is C and ends the process on some errors, such as a frame count far above
// [asr.MaxSamples]: run it in a process of its own.
//
// # Goroutines and locks
//
// A Recognizer has one lock, never held while decoding, and no goroutines of its own but those that
// load a decoder when all are in use: it decodes on the slots of a scheduler, taking its lock
// before the scheduler's. A decode cannot be interrupted; live work is split into chunks of
// Config.PartialEvery of audio, and the second pass into blocks of 100 ms, so a final waits some 30
// ms for them. Finals come first, then first partials, the second pass, and later partials: where
// slots are short these come late and are dropped. Of finals the shorter ones, and those that have
// waited for longer, come before others, which leave their slots to them between two blocks.
//
// Vocabularies are learned in a queue of their own, on one slot at a time and step by step
// (learning.go): those who wait for other finals do not wait for the words of one session.
//
// The second pass of an utterance holds a decoder while the utterance is in progress. A finished
// utterance, for which no decoder is idle, takes that of one in progress, which is decoded later
// from its samples: with too few decoders finals are later, but the same. In a pause the final of
// an utterance too short for the second pass is decoded while slots have nothing else to do; if
// speech continues, that was in vain.
package sphinx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// Debian's US English model, package pocketsphinx-en-us.
const (
	DefaultModel = "/usr/share/pocketsphinx/model/en-us/en-us"
	DefaultLM    = "/usr/share/pocketsphinx/model/en-us/en-us.lm.bin"
	DefaultDict  = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"
)

// Config specifies what to recognize with and how much of the machine to use. Zero values take the
// defaults.
type Config struct {
	Model string // folder of the acoustic model, with -cmn batch and -cmninit in its feat.params; default Debian's
	LM    string // language model file; default Debian's
	Dict  string // pronunciation dictionary file; default Debian's

	Language string // code of the language these files are for; default "en"
	Name     string // Engine of the results; default "sphinx", with Accurate "sphinx-accurate"

	// Scheduler has the slots to decode on, shared with other models; nil: one of its own, with
	// Slots slots.
	Scheduler *schedule.Scheduler
	// Slots is how many decodes run at a time where no Scheduler is given: default the processors
	// Go may use, 2 at least (so that a recording cannot stand in the way of live speech), 32 at
	// most.
	Slots int
	// Decoders is how many decoders there are in all, each about 100 MB: default 8 for every slot,
	// 64 at most. What FinalDecoders leaves is for partials, one for each utterance being spoken:
	// more simultaneous speakers have none. One is loaded by New, another in the background
	// whenever none is idle.
	Decoders int
	// FinalDecoders is how many of them are for finals: default five of eight, but one for each
	// slot at least; Decoders at most. One per slot is loaded by New, the others in the background
	// when all are in use. Each decodes for one speaker while that one talks: more simultaneous
	// speakers have later finals, of the same words.
	FinalDecoders int
	// Utterances is how many may be open at a time, audio kept for each; beyond that Open refuses.
	// Default 256.
	Utterances int

	// Vocabularies is how many decoders hold the vocabularies of utterances, 100 MB each, loaded
	// when first needed: default 4, 32 at most. An utterance with another vocabulary waits until a
	// decoder has learned it: 0.5 s, and about 6 ms for each word.
	Vocabularies int

	// Accurate searches finals with wider beams: one or two words in a hundred fewer wrong, for
	// about twice the work.
	Accurate bool
	// PartialEvery is the audio between partials, rounded down to 10 ms: default 100 ms, from 100
	// ms to 5 s.
	PartialEvery time.Duration
}

func (c *Config) fill() error {
	for field, value := range map[*string]string{
		&c.Model: DefaultModel, &c.LM: DefaultLM, &c.Dict: DefaultDict, &c.Language: "en", &c.Name: c.defaultName(),
	} {
		if *field == "" {
			*field = value
		}
	}
	if c.Scheduler != nil {
		c.Slots, _ = c.Scheduler.Slots()
	}
	if c.Slots == 0 {
		c.Slots = schedule.DefaultSlots()
	}
	if c.Decoders == 0 {
		c.Decoders = min(max(8*c.Slots, c.FinalDecoders), 64)
	}
	if c.FinalDecoders == 0 {
		c.FinalDecoders = max(min(c.Slots, c.Decoders), c.Decoders*5/8)
	}
	if c.Utterances == 0 {
		c.Utterances = 256
	}
	if c.Vocabularies == 0 {
		c.Vocabularies = 4
	}
	if c.PartialEvery == 0 {
		c.PartialEvery = 100 * time.Millisecond
	}
	return c.check()
}

func (c *Config) check() error {
	switch {
	case c.Scheduler == nil && (c.Slots < 1 || c.Slots > 32):
		return fmt.Errorf("sphinx: slots %d, want 1 to 32", c.Slots)
	case c.Decoders < 1 || c.Decoders > 64:
		return fmt.Errorf("sphinx: decoders %d, want 1 to 64", c.Decoders)
	case c.FinalDecoders < 1 || c.FinalDecoders > c.Decoders:
		return fmt.Errorf("sphinx: decoders for finals %d, want 1 to %d", c.FinalDecoders, c.Decoders)
	case c.Utterances < 1 || c.Utterances > 4096:
		return fmt.Errorf("sphinx: utterances %d, want 1 to 4096", c.Utterances)
	case c.Vocabularies < 1 || c.Vocabularies > 32:
		return fmt.Errorf("sphinx: vocabularies %d, want 1 to 32", c.Vocabularies)
	case c.PartialEvery < 100*time.Millisecond || c.PartialEvery > 5*time.Second:
		return fmt.Errorf("sphinx: partials every %v, want 100 ms to 5 s", c.PartialEvery)
	}
	return nil
}

func (c *Config) defaultName() string {
	if c.Accurate {
		return "sphinx-accurate"
	}
	return "sphinx"
}

// finalDecoder decodes an utterance for its final. The same samples always produce the same path,
// in whatever pieces they are added.
type finalDecoder interface {
	Begin() error                 // abandons the utterance before
	Add(samples []int16) error    // takes samples and decodes none
	End() error                   // reports that no samples follow
	Step() (more bool, err error) // decodes a block if there is one, and reports whether there is another
	Path() ([]segment, error)     // of the utterance, once it has ended and there is no block left
	Free()
}

// liveDecoder decodes an utterance chunk by chunk. Begin abandons the previous one.
type liveDecoder interface {
	Begin() error
	Feed(chunk []int16) (text string, err error)
	Free()
}

// Recognizer implements [asr.Recognizer] and [asr.Lister].
type Recognizer struct {
	config Config
	every  int // samples between partials

	scheduler  *schedule.Scheduler
	liveQueue  *schedule.Queue // of *stream, for partials
	learning   *schedule.Queue // of *search and *preload, for vocabularies
	from       loader
	workers    []*worker      // for utterances with a vocabulary
	background sync.WaitGroup // functions that wait for the end of an utterance's context, and loads in the background

	mu             sync.Mutex    // guards all below and every utterance's fields
	plain          pool          // decoders without a vocabulary
	lives          []liveDecoder // not in use by an utterance
	unloaded       int           // live decoders that are not loaded
	open           map[*stream]struct{}
	speaking       int // open utterances of live speech
	closed         bool
	refused        int
	speculations   Speculations
	loads          VocabularyLoads
	puts           int  // choices of a worker
	loadingDecoder bool // a decoder of the plain pool, in the background
	loadingLive    bool // a live decoder, in the background
}

// loader loads decoders.
type loader interface {
	Final() (finalDecoder, error)
	Live() (liveDecoder, error)
	Learn(l lexicon) learner
	Dictionary() *dictionary // nil: none, and no vocabularies
}

// New loads the first decoders, 0.3 s of work each. It fails, naming the Debian package, where a
// library or a model file is missing, and where the library's build is not the one whose structures
// are known. Cancelling ctx stops the loading only.
func New(ctx context.Context, c Config) (*Recognizer, error) {
	if err := c.fill(); err != nil {
		return nil, err
	}
	m, err := loadModels(c)
	if err != nil {
		return nil, fmt.Errorf("sphinx: %w", err)
	}
	r, err := newRecognizer(ctx, c, m)
	if err != nil {
		return nil, fmt.Errorf("sphinx: %w", err)
	}
	return r, nil
}

// newRecognizer expects a configuration with its defaults.
func newRecognizer(ctx context.Context, c Config, from loader) (*Recognizer, error) {
	r := &Recognizer{
		config:    c,
		every:     int(c.PartialEvery/(10*time.Millisecond)) * frame,
		scheduler: c.Scheduler,
		from:      from,
		open:      map[*stream]struct{}{},
	}
	if err := r.load(ctx, from); err != nil {
		r.free()
		return nil, err
	}
	if r.scheduler == nil {
		r.scheduler = schedule.New(c.Slots)
	}
	r.plain.finals = r.scheduler.Add(schedule.Model{
		Name: c.Name, Parallel: c.FinalDecoders, OneThread: true, GivesWay: true, Decode: r.runSearch,
	})
	r.plain.lagged = r.scheduler.Add(schedule.Model{Name: c.Name + "-lagged", OneThread: true, Decode: r.runSearch})
	r.plain.more = r.loadAnother
	r.liveQueue = r.scheduler.Add(schedule.Model{
		Name: c.Name + "-partials", OnlyPartials: true, OneThread: true, Decode: r.decodeChunk,
	})
	r.addWorkers()
	r.addLearning()
	return r, nil
}

func (r *Recognizer) load(ctx context.Context, from loader) error {
	for i := range r.config.Decoders {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i >= r.config.Slots && i < r.config.FinalDecoders {
			r.plain.decoders = append(r.plain.decoders, &pooledDecoder{}) // loaded when it is needed
			continue
		}
		if i < r.config.FinalDecoders {
			d, err := from.Final()
			if err != nil {
				return err
			}
			r.plain.decoders = append(r.plain.decoders, &pooledDecoder{decoder: d})
			continue
		}
		if len(r.lives) > 0 {
			r.unloaded++
			continue
		}
		d, err := from.Live()
		if err != nil {
			return err
		}
		r.lives = append(r.lives, d)
	}
	return nil
}

// free is called without the lock, when nothing is decoded any more.
func (r *Recognizer) free() {
	r.mu.Lock()
	decoders, lives := r.plain.decoders, r.lives
	r.plain.decoders, r.lives = nil, nil
	r.mu.Unlock()
	for _, d := range decoders {
		if d.decoder != nil {
			d.decoder.Free()
		}
	}
	for _, d := range lives {
		d.Free()
	}
	for _, w := range r.workers {
		w.free()
	}
}

var errClosed = fmt.Errorf("sphinx: closed: %w", asr.ErrUnavailable)

// Open implements [asr.Recognizer]. It fails with ErrBusy if Config.Utterances are open, and with
// ErrUnavailable after Close. Words of Params.Vocabulary affect the final, not partials; of a term
// of several words only those that the models do not know. Recordings (asr.Replay) get no partials.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.Language != "" && p.Language != r.config.Language {
		return nil, fmt.Errorf("sphinx: %q: %w", p.Language, asr.ErrLanguage)
	}
	words := r.from.Dictionary().lexicon(p.Vocabulary)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed
	}
	if len(r.open) >= r.config.Utterances {
		r.refused++
		return nil, fmt.Errorf("sphinx: %d utterances open: %w", len(r.open), asr.ErrBusy)
	}
	u := &stream{
		r: r, lexicon: words, party: p.Party, replay: p.Priority == asr.Replay, partials: p.Partials, sure: math.MaxInt,
	}
	u.searches = u.newSearches()
	if u.replay && u.partials {
		u.partials = false
		r.drop(DropReplay)
	}
	u.news = sync.NewCond(&r.mu)
	r.open[u] = struct{}{}
	if !u.replay {
		r.speaking++
		r.scheduler.Live(u.party, 1)
		if words.key != "" {
			r.prepare(words, p.Party)
		}
	}
	r.background.Add(1)
	u.forget = context.AfterFunc(ctx, func() {
		defer r.background.Done()
		r.mu.Lock()
		defer r.mu.Unlock()
		u.fail(ctx.Err())
	})
	return u, nil
}

// Models implements [asr.Lister].
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errClosed
	}
	return []asr.Model{{
		Name: r.config.Name, Languages: []string{r.config.Language}, Partials: r.config.Decoders >
			r.config.FinalDecoders,
	}}, ctx.Err()
}

// Close fails the open utterances with ErrUnavailable, waits for the decodes under way (a 60-s
// final takes some seconds) and frees the decoders. It may be called again.
func (r *Recognizer) Close() error {
	r.mu.Lock()
	r.closed = true
	for u := range r.open {
		u.fail(errClosed)
	}
	r.mu.Unlock()
	r.plain.finals.Close()
	r.plain.lagged.Close()
	r.liveQueue.Close()
	for _, p := range r.workers {
		p.finals.Close()
	}
	r.learning.Close()
	if r.config.Scheduler == nil {
		r.scheduler.Close()
	}
	r.background.Wait()
	r.free()
	return nil
}

var errEnded = errors.New("sphinx: utterance already ended")
