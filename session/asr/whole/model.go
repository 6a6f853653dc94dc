package whole

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// ErrRetired is the ErrUnavailable of a model that was retired.
var ErrRetired = fmt.Errorf("model removed: %w", asr.ErrUnavailable)

// ErrYielded is what a [Decoder] returns for work that it gave up because [Piece.Yield] asked for
// it.
var ErrYielded = errors.New("gave way to more urgent work")

// Decoder decodes the pieces of utterances. Its methods are called on the slots of a scheduler,
// several at a time unless [Config.Parallel] limits them, except Result, which must be quick.
type Decoder interface {
	// Decode decodes a piece. Equal pieces have equal outcomes. An error wraps ErrUnavailable if
	// the same audio may succeed another time or elsewhere.
	Decode(p Piece) (outcome any, err error)
	// Partial decodes a piece that has not ended. before is what the last Partial of the same piece
	// returned as after, nil at first.
	Partial(p Piece, before any) (outcome, after any, err error)
	// Result makes an utterance's result of the outcomes of its pieces, the last of which may be a
	// Partial's. Words have times from the utterance's first sample; it sets language and engine.
	Result(p asr.Params, outcomes []any) asr.Result
}

// Piece is a stretch of an utterance that is decoded in one.
type Piece struct {
	// Samples are the utterance's up to the piece's end, and those that follow as far as they have
	// decided where it ends: up to the longest piece from its beginning, or what follows the
	// utterance ([asr.Follower]). They are only read, and not after the call.
	Samples []int16
	// From and To are where the piece begins and ends in Samples.
	From, To int
	// Before are the outcomes of the utterance's pieces before this one, in order.
	Before []any
	Params asr.Params
	// Spare is true if a partial may take longer to be better: no more people speak than the slots
	// can easily serve.
	Spare bool
	// Yield reports whether the decoder should stop, because its outcome is not wanted any more or
	// more urgent work waits. It is cheap enough to be asked every millisecond.
	Yield func() bool
}

// Config describes a model. Name, Decoder and Slots are required.
type Config struct {
	Name    string // in errors and figures
	Decoder Decoder
	Slots   *schedule.Scheduler
	// Parallel is how many decodes run at a time; 0: as many as there are slots.
	Parallel int
	// Utterances is how many may be open at a time; further ones are refused. 0: 256.
	Utterances int
	// Longest is the longest piece, in samples, 1 s at least: longer utterances are decoded in
	// pieces, see [Cut]. 0: no limit.
	Longest int
	// LongestRecorded is the longest piece of recordings ([asr.Params].Recorded); 0: Longest.
	LongestRecorded int
	// Every is the audio between two partials at least, in samples; 0: 0.3 s.
	Every int
	// Stubborn is true if the decoder never abandons work, whatever [Piece.Yield] returns. Guesses
	// leave one of several slots free then.
	Stubborn bool
	// OneThread is true if the decoder computes only on the goroutine that calls it. Its decodes
	// count as heavy ([schedule.Model]).
	OneThread bool
}

// Model opens streams. Any goroutine may call its methods.
type Model struct {
	config Config
	queue  *schedule.Queue
	pace   pace
	hooks  sync.WaitGroup // functions that wait for the end of a stream's context

	mu      sync.Mutex
	open    map[*stream]struct{}
	refused int
	retired bool
	vacated chan struct{} // closed when the model is retired and has no stream open
}

// New returns a model, which must be closed before the scheduler.
func New(c Config) *Model {
	if c.Utterances < 1 {
		c.Utterances = 256
	}
	if c.Every < 1 {
		c.Every = shortestStep
	}
	m := &Model{config: c, open: map[*stream]struct{}{}, vacated: make(chan struct{})}
	slots, _ := c.Slots.Slots()
	m.pace = pace{every: c.Every, slots: slots, speaking: map[string]int{}}
	m.queue = c.Slots.Add(schedule.Model{
		Name: c.Name, Parallel: c.Parallel, OneThread: c.OneThread, Heavy: c.OneThread, GivesWay: !c.Stubborn,
		Patience: partialPatience, Decode: m.decode, Late: m.late,
	})
	return m
}

// Open starts an utterance. Errors: the context's, or [asr.ErrUnavailable] where the model is
// retired or has too many.
func (m *Model) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.Partials = p.Partials && p.Priority == asr.Live
	u := &stream{m: m, params: p, sure: -1, division: division{most: m.longest(p)}}
	u.news = sync.NewCond(&u.mu)
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := m.enter(u); err != nil {
		return nil, err
	}
	u.forget = context.AfterFunc(ctx, func() {
		defer m.hooks.Done()
		u.fail(ctx.Err())
	})
	return u, nil
}

func (m *Model) enter(u *stream) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.retired {
		return fmt.Errorf("%s: %w", m.config.Name, ErrRetired)
	}
	if len(m.open) >= m.config.Utterances {
		m.refused++
		return fmt.Errorf("%s: %d utterances open: %w", m.config.Name, len(m.open), asr.ErrBusy)
	}
	m.open[u] = struct{}{}
	m.hooks.Add(1)
	if u.params.Priority != asr.Replay {
		m.config.Slots.Live(u.params.Party, 1)
	}
	return nil
}

func (m *Model) leave(u *stream) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.open, u)
	if u.params.Priority != asr.Replay {
		m.config.Slots.Live(u.params.Party, -1)
	}
	if m.retired && len(m.open) == 0 {
		close(m.vacated)
	}
}

// Retire makes the model accept no more utterances. The channel is closed when the last open one is
// over. It may be called again.
func (m *Model) Retire() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.retired && len(m.open) == 0 {
		close(m.vacated)
	}
	m.retired = true
	return m.vacated
}

// Close fails the open utterances with ErrUnavailable and waits for the decodes under way.
func (m *Model) Close() {
	m.Retire()
	m.mu.Lock()
	var open []*stream
	for u := range m.open {
		open = append(open, u)
	}
	m.mu.Unlock()
	for _, u := range open {
		u.fail(fmt.Errorf("%s: closed: %w", m.config.Name, asr.ErrUnavailable))
	}
	m.queue.Close()
	m.hooks.Wait()
}

// Figures are the cost of decoding, and how many utterances are open and were refused.
func (m *Model) Figures() (f schedule.Figures, open, refused int) {
	m.mu.Lock()
	open, refused = len(m.open), m.refused
	m.mu.Unlock()
	return m.queue.Figures(), open, refused
}
