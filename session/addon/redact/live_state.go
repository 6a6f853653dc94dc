package redact

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// liveState is what a session's checkpoints hold of its redaction, as JSON: what was said and
// hidden, which nothing else stores as text.
type liveState struct {
	Count   int64                `json:"count"`
	Past    []pastTurn           `json:"past"`
	Markers map[string]string    `json:"markers,omitempty"`
	Counts  map[string]int       `json:"counts,omitempty"`
	Plain   map[string][2]string `json:"plain,omitempty"` // type and marker
}

// AppendState implements [addon.LiveRedaction].
func (l *Live) AppendState(b []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := liveState{Count: l.count, Past: l.past, Markers: l.known.markers, Counts: l.known.counts,
		Plain: map[string][2]string{}}
	for text, h := range l.known.plain {
		s.Plain[text] = [2]string{h.kind, h.marker}
	}
	text, err := json.Marshal(s)
	if err != nil { // of texts and finite numbers there is none
		return b
	}
	return append(b, text...)
}

// RestoreState implements [addon.LiveRedaction].
func (l *Live) RestoreState(b []byte) error {
	var s liveState
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("read redaction: %w", err)
	}
	if s.Count < 0 || len(s.Past) > liveTurns {
		return errors.New("read redaction: not a state")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.Count <= l.count {
		return nil
	}
	l.count, l.past, l.known = s.Count, s.Past, newValues()
	l.known.limit = liveValues
	maps.Copy(l.known.markers, s.Markers)
	maps.Copy(l.known.counts, s.Counts)
	for text, h := range s.Plain {
		l.known.plain[text] = hit{kind: h[0], marker: h[1]}
	}
	return nil
}
