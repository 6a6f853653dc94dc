package sherpa

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"steno/session/asr"
	"steno/session/asr/schedule"
	"steno/session/asr/sherpa/folder"
	"steno/session/asr/whole"
)

var (
	errUnsupported = errors.New("sherpa: this build is without the library: it takes Linux on amd64, arm64 or arm, " +
		"and cgo")
	errRefused = errors.New("the library does not take it")
	errNoModel = errors.New("no such model")
	errNever   = errors.New("a minute of silence is not enough for its first step")
	errRetired = fmt.Errorf("sherpa: %w", whole.ErrRetired)
	errClosed  = fmt.Errorf("sherpa: closed: %w", asr.ErrUnavailable)
	errBehind  = fmt.Errorf("sherpa: too far behind for partials: %w", asr.ErrUnavailable)
)

// model is a loaded model, streaming or not.
type model struct {
	name    string // of its folder
	engine  string // of its results
	spec    folder.Model
	bytes   int64 // of its files
	offline offline
	streams *whole.Model // utterances in offline
	online  online       // what follows is for online only
	pace    pace
	words   *vocabulary // nil: it accepts no hotwords
	queue   *schedule.Queue
	slots   *schedule.Scheduler
	most    int // utterances open at a time

	hooks sync.WaitGroup // functions that wait for the end of an utterance's context

	mu      sync.Mutex
	open    map[*liveStream]struct{}
	refused int
	retired bool
}

// load loads the model that folder.Read described.
func load(name string, spec folder.Model, c Config) (*model, error) {
	if !c.Greedy {
		with, remove, err := withPieces(spec)
		if err != nil {
			return nil, err
		}
		defer remove()
		spec = with
	}
	m := &model{name: name, engine: Engine + "/" + name, spec: spec, bytes: weights(spec.Dir), most: c.Utterances,
		open: map[*liveStream]struct{}{}}
	var err error
	if spec.Can.Hotwords && !c.Greedy {
		if m.words, err = readVocabulary(spec.Files.Tokens); err != nil {
			return nil, err
		}
	}
	if spec.Can.Stream {
		err = m.loadOnline(c)
	} else {
		m.offline, err = loadOffline(spec, c)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (m *model) loadOnline(c Config) (err error) {
	if m.online, err = loadOnline(m.spec, c); err != nil {
		return err
	}
	if m.pace, err = measure(m.online); err != nil {
		m.online.Free()
	}
	return err
}

// measure finds out when a model runs its steps, by feeding it silence.
func measure(o online) (pace, error) {
	s := o.Stream("")
	defer s.Free()
	window, err := quiet(s)
	if err != nil {
		return pace{}, err
	}
	o.Decode([]libraryStream{s})
	if s.Ready() { // one call takes as much as two steps
		return pace{}, errNever
	}
	stride, err := quiet(s)
	return pace{window, stride}, err
}

// quiet feeds a stream 10 ms of silence at a time until it is ready, and returns how many samples
// it took.
func quiet(s libraryStream) (int, error) {
	silence := make([]float32, asr.Rate/100)
	for n := len(silence); n < asr.MaxSamples; n += len(silence) {
		s.Feed(silence)
		if s.Ready() {
			return n, nil
		}
	}
	return 0, errNever
}

// serve adds the model's queue to the scheduler.
func (m *model) serve(s *schedule.Scheduler, c Config) {
	if m.offline != nil {
		m.serveWhole(s, c)
		return
	}
	m.slots = s
	work := schedule.Model{Name: m.name, Decode: m.step}
	if c.Threads == 1 { // otherwise an utterance's result depends on how many others are decoded with it
		work.Batch, work.Wait = c.Batch, c.BatchWait
	}
	m.queue = s.Add(work)
}

func (m *model) serveWhole(s *schedule.Scheduler, c Config) {
	config := whole.Config{
		Name: m.name, Decoder: decoder{m}, Slots: s, Utterances: c.Utterances, Longest: m.spec.Longest, Stubborn: true,
	}
	if m.acceptsLanguage() {
		config.Parallel = 1
	}
	m.streams = whole.New(config)
}

// try runs the model on a second of silence.
func (m *model) try() error {
	if m.offline != nil {
		_, err := m.decodeWhole(make([]int16, asr.Rate), "", "")
		return err
	}
	s := m.online.Stream("")
	defer s.Free()
	s.Feed(make([]float32, m.pace.due(1)))
	for s.Ready() {
		m.online.Decode([]libraryStream{s})
	}
	s.Result()
	return nil
}

// Open starts an utterance.
func (m *model) Open(ctx context.Context, p asr.Params, partialsOnly bool) (asr.Stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.online != nil {
		return m.follow(ctx, p, partialsOnly)
	}
	return m.streams.Open(ctx, p)
}

func (m *model) hotwords(terms []asr.Term) string {
	if m.words == nil {
		return ""
	}
	return m.words.hotwords(terms)
}

// enter counts an utterance whose context is watched from now on.
func (m *model) enter(u *liveStream) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.retired {
		return errRetired
	}
	if len(m.open) >= m.most {
		m.refused++
		return fmt.Errorf("sherpa: %s: %d utterances open: %w", m.name, len(m.open), asr.ErrBusy)
	}
	m.open[u] = struct{}{}
	m.hooks.Add(1)
	if !u.replay() {
		m.slots.Live(u.params.Party, 1)
	}
	return nil
}

func (m *model) leave(u *liveStream) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.open, u)
	if !u.replay() {
		m.slots.Live(u.params.Party, -1)
	}
}

// retire makes the model accept no more utterances.
func (m *model) retire() {
	if m.streams != nil {
		m.streams.Retire()
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.retired = true
}

// close fails the open utterances, waits for the decodes under way, and frees the model.
func (m *model) close() {
	if m.streams != nil {
		m.streams.Close()
	} else {
		m.closeLive()
	}
	m.free()
}

func (m *model) closeLive() {
	m.retire()
	m.mu.Lock()
	var open []*liveStream
	for u := range m.open {
		open = append(open, u)
	}
	m.mu.Unlock()
	for _, u := range open {
		u.fail(errClosed)
	}
	m.queue.Close()
	m.hooks.Wait()
}

func (m *model) free() {
	if m.online != nil {
		m.online.Free()
	}
	if m.offline != nil {
		m.offline.Free()
	}
}
