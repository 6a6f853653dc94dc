// Package dialecttest helps to test dialects.
package dialecttest

import (
	"bytes"

	"steno/gateway/dialect"
	"steno/messages"
)

// Input keeps what a parser asks for.
type Input struct {
	Heard    []byte // all audio
	Messages int    // of audio
	Marks    []messages.Mark
	Updates  []messages.Update
	Answers  [][]byte
	Faults   []error
	Ended    []dialect.Ending
	Stopped  int
	Alive    int // how often a sign of life was asked for
}

// Audio implements dialect.Input.
func (i *Input) Audio(p []byte) { i.Heard = append(i.Heard, p...) }

// EndAudio implements dialect.Input.
func (i *Input) EndAudio() { i.Messages++ }

// KeepAlive implements dialect.Input.
func (i *Input) KeepAlive() { i.Alive++ }

// Mark implements dialect.Input.
func (i *Input) Mark(m messages.Mark) { i.Marks = append(i.Marks, m) }

// Update implements dialect.Input.
func (i *Input) Update(u messages.Update) { i.Updates = append(i.Updates, u) }

// Answer implements dialect.Input.
func (i *Input) Answer(text []byte) { i.Answers = append(i.Answers, bytes.Clone(text)) }

// Stop implements dialect.Input.
func (i *Input) Stop() { i.Stopped++ }

// Reject implements dialect.Input.
func (i *Input) Reject(fault error) { i.Faults = append(i.Faults, fault) }

// End implements dialect.Input.
func (i *Input) End(e dialect.Ending) { i.Ended = append(i.Ended, e) }
