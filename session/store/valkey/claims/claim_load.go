package claims

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session"
	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

// load takes the answer of session_claim. It returns how long the lease lasts.
func (c *claim) load(m valkey.ValkeyMessage) (left time.Duration, err error) {
	answer, err := m.ToArray()
	if err != nil || len(answer) != 11 {
		return 0, fmt.Errorf("%w: answer to a claim: %w", store.ErrAway, err)
	}
	var r server.Reader
	a := &c.accepted
	c.generation, left = r.Integer(answer[0]), time.Duration(r.Integer(answer[1]))*time.Millisecond
	state := r.Integers(answer[2])
	if len(state) != 7 {
		return 0, fmt.Errorf("%w: answer to a claim: %d fields", store.ErrAway, len(state))
	}
	a.durable, a.seq, a.marks.Boundary, a.marks.Seq = state[0], state[3], state[4], state[5]
	a.archived = state[6] > 0
	checkpoints := r.Texts(answer[3])
	for i := 0; i+1 < len(checkpoints); i += 2 {
		lane, err := strconv.Atoi(checkpoints[i])
		r.Keep(err)
		a.saved[lane], a.checkpoints[lane] = []byte(checkpoints[i+1]), []byte(checkpoints[i+1])
	}
	a.loadSent(r.Integers(answer[4]))
	a.silences = r.Integers(answer[5])
	slices.Sort(a.silences)
	a.notes = notesOf(&r, r.Texts(answer[10]))
	c.record, err = answer[8].AsStrMap()
	r.Keep(err)
	c.folder, c.limit = c.record["folder"], bytesOf(c.record["params"], fullAfter)
	a.stopped = c.record["stopped"] == "1"
	record, err := c.room.records.Decode(c.id, c.record)
	r.Keep(err)
	c.losses = record.Losses
	c.told.Seq = a.seq
	a.pages = tier.ParseSegments(&r, answer[9])
	if r.Err != nil {
		return 0, r.Err
	}
	a.pieces = pieceEnds(state[1], r.Texts(answer[7]))
	a.segments, a.journal, err = tier.ReadJournal(state[1], a.durable, answer[6], answer[7])
	return left, err
}

// SessionNotes returns the notes of a session of an account that are durable. It needs no claim.
func (s *Sessions) SessionNotes(ctx context.Context, account, id string) ([]session.Note, error) {
	owner, err := s.room.tier.AccountOf(ctx, id)
	if err == nil && (owner == "" || owner != account) {
		err = store.ErrNotFound
	}
	var fields map[string]string
	if err == nil {
		fields, err = s.room.tier.Notes(ctx, id)
	}
	if err != nil {
		return nil, fmt.Errorf("list notes: %w", err)
	}
	var list []string
	for number, text := range fields {
		list = append(list, number, text)
	}
	var r server.Reader
	return notesOf(&r, list), r.Err
}

// notesOf reads notes, each of which follows its number.
func notesOf(r *server.Reader, fields []string) []session.Note {
	notes := make([]session.Note, len(fields)/2)
	for i := 0; i+1 < len(fields); i += 2 {
		number, err := strconv.Atoi(fields[i])
		at, body, _ := strings.Cut(fields[i+1], " ")
		place, fault := strconv.ParseInt(at, 10, 64)
		if err == nil && (number < 1 || number > len(notes)) {
			err = fmt.Errorf("note %d of %d", number, len(notes))
		}
		if err = errors.Join(err, fault); err != nil {
			r.Keep(err)
			return nil
		}
		notes[number-1] = session.Note{At: place, Body: []byte(body)}
	}
	return notes
}

// pieceEnds are the ends of the pieces of a tail that begins at start.
func pieceEnds(start int64, pieces []string) []int64 {
	ends := make([]int64, len(pieces))
	for i, piece := range pieces {
		start += int64(len(piece))
		ends[i] = start
	}
	return ends
}

// loadEvents learns the keys of the events that are logged, and keeps the last events themselves:
// the server may have confirmed them to the former holder alone, and lose them with it.
func (c *claim) loadEvents(ctx context.Context) error {
	const page = 256
	now := time.Now()
	for after := int64(0); after < c.accepted.seq; {
		events, err := c.room.tier.ListEvents(ctx, "", c.id, after, page)
		if err != nil {
			return err
		}
		for _, e := range events {
			c.accepted.seqs[e.Key] = e.Seq
			c.accepted.keep(e, now)
			after = e.Seq
		}
		c.accepted.forget(now)
		if len(events) < page {
			break
		}
	}
	return nil
}

// bytesOf is how many bytes of a live request's audio are as long as d, by its format; those of the
// default format where the request cannot be read.
func bytesOf(params string, d time.Duration) int64 {
	format := struct {
		BitDepth   int `json:"bit_depth"`
		SampleRate int `json:"sample_rate"`
		Channels   int `json:"channels"`
	}{16, 16000, 1}
	_ = json.Unmarshal([]byte(params), &format)
	rate := int64(format.BitDepth) / 8 * int64(format.SampleRate) * int64(format.Channels)
	if rate <= 0 || rate > 8*4*48000 {
		rate = 32000
	}
	return rate * int64(d/time.Second)
}
