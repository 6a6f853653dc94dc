package sherpa

import (
	"steno/session/asr/schedule"
	"steno/session/asr/twopass"
)

// Figures are current counts, and sums since New. The sums of a model that was freed are lost.
type Figures struct {
	Slots, Busy int
	Open        int // utterances in all models: one with two passes counts twice
	Refused     int // utterances beyond Config.Utterances
	Problems    int // folders that cannot be served
	Models      []schedule.Figures
	Dropped     map[twopass.Drop]int64 // partials left out where two models work together
}

// Figures returns the current figures.
func (r *Recognizer) Figures() Figures {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := Figures{Problems: len(r.problems), Dropped: r.pair.Drops()}
	f.Slots, f.Busy = r.slots.Slots()
	for _, m := range r.serving {
		work, open, refused := m.figures()
		f.Open += open
		f.Refused += refused
		f.Models = append(f.Models, work)
	}
	for _, m := range r.retired {
		_, open, _ := m.figures()
		f.Open += open
	}
	return f
}

// figures returns the cost of the model's decodes, and how many utterances are open and were
// refused.
func (m *model) figures() (work schedule.Figures, open, refused int) {
	if m.streams != nil {
		return m.streams.Figures()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.queue.Figures(), len(m.open), m.refused
}
