package session

import (
	"context"
	"io"
	"maps"
	"math"
	"slices"
	"sync"

	"steno/messages"
)

// Memory is a Ledger that lives as long as its process: for recorded jobs, whose sessions are not
// resumed, and for tests. The zero value is empty and ready. All audio written stays in memory.
type Memory struct {
	// NoAudio, set before use, drops the audio: it is counted, but cannot be read.
	NoAudio bool

	mu          sync.Mutex
	audio       []byte
	size        int64
	events      []messages.Event
	known       map[messages.Key]int64
	checkpoints map[int][]byte
	silences    []int64
	notes       []Note
	stopped     bool
	outcome     *Outcome
}

func (m *Memory) AppendAudio(_ context.Context, p []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.size += int64(len(p))
	if !m.NoAudio {
		m.audio = append(m.audio, p...)
	}
	return nil
}

func (m *Memory) AudioSize() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size
}

func (m *Memory) ReadAudioAt(_ context.Context, p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if off >= int64(len(m.audio)) {
		return 0, io.EOF
	}
	n := copy(p, m.audio[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Local reports whether audio is kept.
func (m *Memory) Local() bool { return !m.NoAudio }

func (m *Memory) AppendEvent(_ context.Context, e messages.Event, lane int, checkpoint []byte) (int64, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if lane >= 0 {
		if m.checkpoints == nil {
			m.checkpoints = map[int][]byte{}
		}
		m.checkpoints[lane] = checkpoint
	}
	if seq, ok := m.known[e.Key]; ok {
		return seq, false, nil
	}
	if m.known == nil {
		m.known = map[messages.Key]int64{}
	}
	e.Seq = int64(len(m.events)) + 1
	m.events = append(m.events, e)
	m.known[e.Key] = e.Seq
	return e.Seq, true, nil
}

func (m *Memory) Events(_ context.Context, after int64, limit int) ([]messages.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rest := m.events[min(max(after, 0), int64(len(m.events))):]
	return append([]messages.Event(nil), rest[:min(limit, len(rest))]...), nil
}

func (m *Memory) Checkpoints(context.Context) (map[int][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.checkpoints), nil
}

// Sync does nothing: accepted audio does not become more durable.
func (m *Memory) Sync(int64) error { return nil }

// Durable returns everything that was accepted.
func (m *Memory) Durable() Progress { return Progress{math.MaxInt64, math.MaxInt64} }

// Notify does nothing: Durable does not grow.
func (m *Memory) Notify(func()) {}

// Cause is nil: no other process has the ledger.
func (m *Memory) Cause() error { return nil }

func (m *Memory) MarkSilence(_ context.Context, at int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i, known := slices.BinarySearch(m.silences, at); !known {
		m.silences = slices.Insert(m.silences, i, at)
	}
	return nil
}

func (m *Memory) Silences(context.Context) ([]int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.silences), nil
}

func (m *Memory) AddNote(_ context.Context, n Note) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notes = append(m.notes, n)
	return nil
}

func (m *Memory) Notes(context.Context) ([]Note, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.notes), nil
}

func (m *Memory) SetStopped(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped = true
	return nil
}

func (m *Memory) Stopped(context.Context) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stopped, nil
}

func (m *Memory) Finish(_ context.Context, o Outcome) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.outcome = &o
	return nil
}

// Outcome returns the session's outcome, nil before its end.
func (m *Memory) Outcome() *Outcome {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.outcome
}
