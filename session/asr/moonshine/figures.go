package moonshine

import (
	"maps"

	"steno/session/asr/schedule"
)

// Figures are current counts, and sums since New.
type Figures struct {
	Slots, Busy int
	Open        int // utterances
	Refused     int // utterances beyond Config.Utterances
	Models      []schedule.Figures
	Dropped     map[string]int64 // texts dropped on purpose, by reason
}

// Figures returns the current figures. The result is the caller's.
func (r *Recognizer) Figures() Figures {
	var f Figures
	f.Slots, f.Busy = r.slots.Slots()
	for _, s := range r.served {
		figures, open, refused := s.streams.Figures()
		f.Models = append(f.Models, figures)
		f.Open += open
		f.Refused += refused
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Dropped = maps.Clone(r.drops)
	return f
}
