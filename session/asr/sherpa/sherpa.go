package sherpa

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
	"steno/session/asr/twopass"
)

// Engine is what names of engines begin with: "sherpa/" and the model's name.
const Engine = "sherpa"

// Config says which models to serve and how much of the machine to use. Dir is needed.
type Config struct {
	// Dir holds a folder for each model. It may be empty or missing: models are taken in as they come. Folders with
	// names that begin with a dot are none of them.
	Dir string
	// Models are the names of the folders to serve, the preferred first; empty: all, those for fewer languages first, then
	// the larger.
	Models []string

	Slots int // decodes at a time; 0: by the number of processors
	// Batch is how many utterances a streaming model decodes in one call at most; 0: 8. With Threads it is one: results
	// would depend on who else is being decoded.
	Batch int
	// BatchWait is how long a step waits for company while a slot is free; 0: not at all.
	BatchWait time.Duration
	Threads   int // of one decode, 1 to 64; 0: 1
	// Utterances is how many each model has open at a time, audio kept for each; beyond that it refuses. 0: 256.
	Utterances int
	// Greedy has transducers search by the best path only: faster by some tenths, and vocabularies are passed over.
	Greedy bool

	// Rescan is how often Dir is looked at for models that came or went; 0: 3 s.
	Rescan time.Duration
	// Probe tries the model of a folder, or two that are used together, by [Probe] in another process, since one that is
	// bad can end the process; nil: no trial. What passed is remembered in .probed of Dir, where that can be written.
	Probe func(ctx context.Context, dirs ...string) error
	// OnProblem is told of each folder that cannot be served, once until the folder changes; nil: nobody. It is called
	// by one goroutine at a time.
	OnProblem func(folder string, err error)
}

func (c *Config) fill() error {
	for field, value := range map[*int]int{&c.Batch: 8, &c.Threads: 1, &c.Utterances: 256} {
		if *field == 0 {
			*field = value
		}
	}
	if c.Rescan == 0 {
		c.Rescan = 3 * time.Second
	}
	switch {
	case c.Dir == "":
		return errors.New("sherpa: no folder of models")
	case c.Slots < 0 || c.Slots > 64:
		return fmt.Errorf("sherpa: slots %d, want 0 to 64", c.Slots)
	case c.Batch < 1 || c.Batch > 64:
		return fmt.Errorf("sherpa: batch %d, want 1 to 64", c.Batch)
	case c.BatchWait < 0 || c.BatchWait > time.Second:
		return fmt.Errorf("sherpa: wait for a batch %v, want 0 to 1 s", c.BatchWait)
	case c.Threads < 1 || c.Threads > 64:
		return fmt.Errorf("sherpa: threads %d, want 1 to 64", c.Threads)
	case c.Utterances < 1 || c.Utterances > 4096:
		return fmt.Errorf("sherpa: utterances %d, want 1 to 4096", c.Utterances)
	case c.Rescan < time.Millisecond:
		return fmt.Errorf("sherpa: rescan every %v, want 1 ms at least", c.Rescan)
	}
	return nil
}

// Recognizer implements [asr.Recognizer] and [asr.Lister], and offers the capabilities of the installed models.
type Recognizer struct {
	asr.Delegate
	config Config
	slots  *schedule.Scheduler
	pair   *twopass.Recognizer

	stop   context.CancelFunc
	keeper sync.WaitGroup
	vacant chan struct{} // holds a token when a retired model may be without utterances

	mu           sync.Mutex // guards what follows; only the keeper changes models and capabilities
	serving      []*model   // the preferred first
	retired      []*model
	capabilities []loadedCapability // likewise
	problems     map[string]error   // by folder
	closed       bool
}

// New loads the models that are there, and goes on looking for others. It fails for a bad Config, and in a build without
// the library; a model that cannot be served is a problem, not an error. Cancelling ctx stops the loading only.
func New(ctx context.Context, c Config) (*Recognizer, error) {
	if !supported {
		return nil, errUnsupported
	}
	if err := c.fill(); err != nil {
		return nil, err
	}
	r := &Recognizer{
		config: c, slots: schedule.New(c.Slots), vacant: make(chan struct{}, 1), problems: map[string]error{},
	}
	r.Delegate = r.delegate
	r.pair = twopass.New(side{r, true}, side{r, false})
	k := &keeper{r: r, known: map[string]known{}, parts: map[string]part{}, failed: map[string]bool{}}
	k.scan(ctx, true)
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	var running context.Context
	running, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	r.keeper.Go(func() { k.run(running) })
	return r, nil
}

// Open starts an utterance; errors are those of [asr.Recognizer]. A language that no model has now is ErrLanguage.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	return r.open(p, func(c choice) (asr.Stream, error) {
		p := p
		p.Language = c.language
		if c.partials != nil && c.partials != c.final {
			return r.pair.Open(ctx, p)
		}
		return c.final.Open(ctx, p, false)
	})
}

// open chooses models, and chooses again where one was retired just then.
func (r *Recognizer) open(p asr.Params, with func(choice) (asr.Stream, error)) (asr.Stream, error) {
	var u asr.Stream
	err := errRetired
	for range 3 {
		if !errors.Is(err, errRetired) {
			break
		}
		var c choice
		if c, err = r.choose(p); err != nil {
			return nil, err
		}
		u, err = with(c)
	}
	return u, err
}

// side is one of the two passes.
type side struct {
	r        *Recognizer
	partials bool
}

func (s side) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	return s.r.open(p, func(c choice) (asr.Stream, error) {
		switch {
		case !s.partials:
			return c.final.Open(ctx, p, false)
		case c.partials == nil: // gone since
			return nil, errRetired
		}
		return c.partials.Open(ctx, p, true)
	})
}

// Models implements [asr.Lister].
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []asr.Model
	for _, m := range r.serving {
		out = append(out, asr.Model{
			Name: m.name, Languages: slices.Clone(m.spec.Languages), Partials: m.online != nil, Detects: m.spec.Can.Detect,
		})
	}
	return out, nil
}

// Problems returns what keeps folders from being served now, by folder. The map is the caller's.
func (r *Recognizer) Problems() map[string]error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.problems)
}

// Close fails the open utterances with ErrUnavailable, waits for the decodes under way and frees the models. It may be
// called again.
func (r *Recognizer) Close() error {
	if r.stop != nil {
		r.stop()
	}
	r.keeper.Wait()
	r.mu.Lock()
	models, capabilities := slices.Concat(r.serving, r.retired), r.capabilities
	r.serving, r.retired, r.capabilities, r.closed = nil, nil, nil, true
	r.mu.Unlock()
	for _, m := range models {
		m.close()
	}
	err := r.pair.Close()
	for _, a := range capabilities {
		err = errors.Join(err, a.Close())
	}
	r.slots.Close()
	return err
}
