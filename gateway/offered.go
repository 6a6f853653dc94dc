package gateway

import (
	"context"
	"slices"
	"time"

	"steno/messages"
)

// offerTime is how long servers are asked what they translate, when a client wants to know.
const offerTime = time.Second

// addons are the add-ons that requests may ask for, and what does them here.
func (s *Server) addons(ctx context.Context) []messages.Addon {
	ctx, cancel := context.WithTimeout(ctx, offerTime)
	defer cancel()
	list := s.deps.Ways.Offered(ctx)
	for i := range list {
		a := &list[i]
		if a.Name == "diarization" && s.deps.Diarizer != nil {
			a.By = append(messages.List[string]{"engine"}, a.By...)
		}
		if s.deps.Media == nil { // no recorded files at all
			a.Modes = slices.DeleteFunc(a.Modes, func(mode string) bool { return mode == string(messages.JobPreRecorded) })
			a.Available = a.Available && len(a.Modes) > 0
		}
	}
	return list
}
