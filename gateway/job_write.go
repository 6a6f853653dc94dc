package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// eventsPage is how many logged messages are read at a time.
const eventsPage = 64

// stream answers with what write writes, JSON, as it comes. An error before anything has gone out is answered as all are; one
// after that cuts the answer off, so that nobody takes it for whole.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, write func(io.Writer) error) error {
	begun := &begun{ResponseWriter: w}
	out := bufio.NewWriterSize(begun, 32<<10)
	err := write(out)
	if err == nil {
		err = out.Flush()
	}
	if err == nil || !begun.yes {
		return err
	}
	if r.Context().Err() == nil {
		s.logProblem(r, web.AsProblem(err))
	}
	panic(http.ErrAbortHandler)
}

// begun is an answer of JSON that begins when it is first written to.
type begun struct {
	http.ResponseWriter
	yes bool
}

func (b *begun) Write(p []byte) (int, error) {
	if !b.yes {
		b.yes = true
		b.Header().Set("Content-Type", "application/json")
		b.WriteHeader(http.StatusOK)
	}
	return b.ResponseWriter.Write(p)
}

// shown is a job as clients see it, but for its result.
type shown struct {
	record store.Record
	text   []byte // its JSON
	place  int    // where the result, null, stands in it
}

// show reads what is shown of a job beside its record. Errors: store.ErrNotFound where it was deleted meanwhile.
func (s *Server) show(ctx context.Context, record store.Record) (shown, error) {
	job, err := s.jobOf(ctx, record)
	if err != nil {
		return shown{}, err
	}
	job.Result = nil
	j := shown{record: record}
	if j.text, err = encoded(job); err != nil {
		return shown{}, err
	}
	// No other key of that name follows it: what does holds strings alone.
	const empty = `"result":null`
	if j.place = bytes.LastIndex(j.text, []byte(empty)); j.place < 0 {
		return shown{}, errors.New("job has no place for its result")
	}
	j.place += len(empty) - len("null")
	return j, nil
}

// writeJob writes a job. What may be large of it, result and messages, is not held in memory once more.
func (s *Server) writeJob(ctx context.Context, out io.Writer, j shown) error {
	if len(j.record.Result) == 0 {
		_, err := out.Write(j.text)
		return err
	}
	if _, err := out.Write(j.text[:j.place]); err != nil {
		return err
	}
	write := func() error { return s.writeLiveResult(ctx, out, j.record) }
	if j.record.Kind != messages.JobLive || !j.record.Finished() {
		write = func() error { _, err := out.Write(j.record.Result); return err }
	}
	if err := write(); err != nil {
		return err
	}
	_, err := out.Write(j.text[j.place+len("null"):])
	return err
}

// writeLiveResult writes a live job's result with the logged messages in it, each as JSON text.
func (s *Server) writeLiveResult(ctx context.Context, out io.Writer, record store.Record) error {
	var result map[string]json.RawMessage
	if err := json.Unmarshal(record.Result, &result); err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	if result == nil {
		_, err := out.Write(record.Result)
		return err
	}
	result["messages"] = nil
	before := "{"
	for _, key := range slices.Sorted(maps.Keys(result)) {
		name, err := encoded(key)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s%s:", before, name); err != nil {
			return err
		}
		before = ","
		if key == "messages" {
			err = s.writeMessages(ctx, out, record)
		} else {
			_, err = out.Write(result[key])
		}
		if err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, "}")
	return err
}

// writeMessages writes the list of a session's logged messages.
func (s *Server) writeMessages(ctx context.Context, out io.Writer, record store.Record) error {
	before := "["
	for after := int64(0); ; {
		events, err := s.deps.Store.Events(ctx, record.Account, record.ID, after, eventsPage)
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		for _, e := range events {
			text, err := encoded(string(e.Body))
			if err != nil {
				return fmt.Errorf("encode message: %w", err)
			}
			if _, err := io.WriteString(out, before); err != nil {
				return err
			}
			if _, err := out.Write(text); err != nil {
				return err
			}
			before, after = ",", e.Seq
		}
		if len(events) < eventsPage {
			break
		}
	}
	if before == "[" {
		_, err := io.WriteString(out, "[]")
		return err
	}
	_, err := io.WriteString(out, "]")
	return err
}
