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
	"steno/session/asr/whole"
)

// Engine is the beginning of engines' names in results: "sherpa/" and the model's name.
const Engine = "sherpa"

// Config specifies which models to serve and how much of the machine to use. Dir is required.
type Config struct {
	// Dir holds a folder for each model. It may be empty or missing: models are loaded as they are
	// installed. Folders whose names begin with a dot are ignored.
	Dir string
	// Models are the names of the folders to serve, the preferred first; empty: all, those for
	// fewer languages first, then the larger.
	Models []string

	Slots int // decodes at a time; 0: by the number of processors
	// Batch is how many utterances a streaming model decodes in one call at most; 0: 8. With
	// Threads it is one: otherwise results would depend on which utterances are decoded together.
	Batch int
	// BatchWait is how long a step waits for others while a slot is free; 0: not at all.
	BatchWait time.Duration
	Threads   int // of one decode, 1 to 64; 0: 1
	// Utterances is how many each model has open at a time, with their audio; further ones are
	// refused. 0: 256.
	Utterances int
	// Greedy makes transducers search the best path only: some tenths faster, and without
	// vocabularies.
	Greedy bool

	// Rescan is how often Dir is checked for installed and removed models; 0: 3 s.
	Rescan time.Duration
	// Probe tries the model of a folder, or two that are used together, by [Probe] in another
	// process, since a bad one can end the process; nil: no trial. What passed is recorded in
	// .probed of Dir, if that can be written.
	Probe func(ctx context.Context, dirs ...string) error
	// OnProblem is called for each folder that cannot be served, once until the folder changes, by
	// one goroutine at a time. It may be nil.
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

// Recognizer implements [asr.Recognizer] and [asr.Lister], and offers the capabilities of the
// installed models.
type Recognizer struct {
	asr.Delegate
	config Config
	slots  *schedule.Scheduler
	pair   *twopass.Recognizer

	stop    context.CancelFunc
	watcher sync.WaitGroup

	mu           sync.Mutex // guards what follows; only the watcher changes models and capabilities
	serving      []*model   // the preferred first
	retired      []*model
	capabilities []loadedCapability // the preferred first
	problems     map[string]error   // by folder
	closed       bool
}

// New loads the installed models, and watches for others. It fails for a bad Config, and in a build
// without the library; a model that cannot be served is a problem, not an error. Cancelling ctx
// ends the loading only.
func New(ctx context.Context, c Config) (*Recognizer, error) {
	if !supported {
		return nil, errUnsupported
	}
	if err := c.fill(); err != nil {
		return nil, err
	}
	r := &Recognizer{config: c, slots: schedule.New(c.Slots), problems: map[string]error{}}
	r.Delegate = r.delegate
	r.pair = twopass.New(side{r, true}, side{r, false})
	k := &watcher{r: r, states: map[string]folderState{}, parts: map[string]part{}, failed: map[string]bool{}}
	k.scan(ctx, true)
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	var running context.Context
	running, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	r.watcher.Go(func() { k.run(running) })
	return r, nil
}

// Open implements [asr.Recognizer]. A language that no model has now is ErrLanguage.
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

// open chooses models, and chooses again if one was retired meanwhile.
func (r *Recognizer) open(p asr.Params, with func(choice) (asr.Stream, error)) (asr.Stream, error) {
	var u asr.Stream
	err := whole.ErrRetired
	for range 3 {
		if !errors.Is(err, whole.ErrRetired) {
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

// side is the recognizer of one of the two passes.
type side struct {
	r        *Recognizer
	partials bool
}

func (s side) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	return s.r.open(p, func(c choice) (asr.Stream, error) {
		switch {
		case !s.partials:
			return c.final.Open(ctx, p, false)
		case c.partials == nil: // removed meanwhile
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
			Name: m.name, Languages: slices.Clone(m.spec.Languages), Partials: true, Detects: m.spec.Can.Detect,
		})
	}
	return out, nil
}

// Problems returns why folders cannot be served now, by folder. The map is the caller's.
func (r *Recognizer) Problems() map[string]error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.problems)
}

// Close fails the open utterances with ErrUnavailable, waits for the decodes under way and frees
// the models. It may be called again.
func (r *Recognizer) Close() error {
	if r.stop != nil {
		r.stop()
	}
	r.watcher.Wait()
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
