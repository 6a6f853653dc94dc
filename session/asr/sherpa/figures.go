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
		open, refused := m.count()
		f.Open += open
		f.Refused += refused
		f.Models = append(f.Models, m.queue.Figures())
	}
	for _, m := range r.retired {
		open, _ := m.count()
		f.Open += open
	}
	return f
}

func (m *model) count() (open, refused int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.open), m.refused
}
