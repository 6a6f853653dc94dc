package records

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
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

// stream answers with what write writes, JSON unless the header states its type, as it is written.
// An error before the first byte was sent is returned. After that the answer is cut off, so that
// the client does not take it for complete. The slot is not held while the client is waited for.
func (s *Service) stream(w http.ResponseWriter, r *http.Request, at *slot, write func(io.Writer) error) error {
	answer := &lazyAnswer{ResponseWriter: w}
	out := bufio.NewWriterSize(at.during(answer), 32<<10)
	err := write(out)
	if err == nil {
		err = out.Flush()
	}
	if err == nil || !answer.begun {
		return err
	}
	if r.Context().Err() == nil {
		s.LogProblem(r, web.AsProblem(err))
	}
	panic(http.ErrAbortHandler)
}

// lazyAnswer is an answer whose header is written with the first byte: of JSON, unless that states
// something else.
type lazyAnswer struct {
	http.ResponseWriter
	begun bool
}

func (a *lazyAnswer) Write(p []byte) (int, error) {
	if !a.begun {
		a.begun = true
		if a.Header().Get("Content-Type") == "" {
			a.Header().Set("Content-Type", "application/json")
		}
		a.WriteHeader(http.StatusOK)
	}
	return a.ResponseWriter.Write(p)
}

// encodedJob is a job as clients see it, as JSON around the place of its result.
type encodedJob struct {
	record        store.Record
	shows         messages.Filter // what of the result its client is shown
	result        *result         // to be let go when the job was written
	before, after []byte
}

// read finds a record, and encodes it with a result that is held. Where results that others read
// leave no room for it, it waits without the slot and without the record, which it finds again.
// Errors: those of find and of the slot, semaphore.ErrFull, context.DeadlineExceeded, and
// store.ErrNotFound where the job was deleted meanwhile. The caller lets the result go.
func (s *Service) read(r *http.Request, at *slot, find func() (store.Record, error)) (encodedJob, error) {
	for reserved := int64(0); ; {
		record, err := find()
		if err != nil {
			s.results.room.Release(at.party, reserved)
			return encodedJob{}, err
		}
		record = readable(r, record)
		if held := s.results.hold(&record, at.party, reserved); held != nil {
			job, err := s.encode(r, record, held)
			if err != nil {
				held.letGo()
			}
			return job, err
		}
		reserved = cost(&record)
		record = store.Record{} // it is not held while others are waited for
		at.release()
		ctx, cancel := context.WithTimeout(r.Context(), at.patience)
		err = s.results.room.Acquire(ctx, at.party, reserved)
		cancel()
		if err != nil {
			return encodedJob{}, s.busy(err)
		}
		if err := at.acquire(); err != nil {
			s.results.room.Release(at.party, reserved)
			return encodedJob{}, s.busy(err)
		}
	}
}

// encode reads what a job shows beside its record, and encodes it.
func (s *Service) encode(r *http.Request, record store.Record, held *result) (encodedJob, error) {
	p := web.PrincipalOf(r)
	job, err := s.Job(r.Context(), record)
	if err != nil {
		return encodedJob{}, err
	}
	job.Result = json.RawMessage(`"` + rand.Text() + `"`) // in the place of the result; no text of a client holds it
	text, err := marshal(job)
	if err != nil {
		return encodedJob{}, err
	}
	before, after, _ := bytes.Cut(text, job.Result)
	return encodedJob{record, p.Shows(), held, before, after}, nil
}

// writeJob writes a job. Its result and messages, which may be large, are not copied in memory.
func (s *Service) writeJob(ctx context.Context, out io.Writer, j encodedJob) error {
	if _, err := out.Write(j.before); err != nil {
		return err
	}
	if err := s.writeResult(ctx, out, j); err != nil {
		return err
	}
	_, err := out.Write(j.after)
	return err
}

func (s *Service) writeResult(ctx context.Context, out io.Writer, j encodedJob) error {
	switch r := j.record; {
	case len(r.Result) == 0:
		_, err := io.WriteString(out, "null")
		return err
	case r.Kind == messages.JobLive && r.Finished():
		return s.writeLiveResult(ctx, out, j)
	}
	_, err := out.Write(j.record.Result)
	return err
}

// writeLiveResult writes a live job's result with the logged messages, each as JSON text.
func (s *Service) writeLiveResult(ctx context.Context, out io.Writer, j encodedJob) error {
	result, err := j.result.object()
	if err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	if result == nil {
		_, err := out.Write(j.record.Result)
		return err
	}
	names := slices.DeleteFunc(slices.Collect(maps.Keys(result)), func(name string) bool {
		return name == "messages" ||
			!j.shows.ShowsPart(name)
	})
	before := "{"
	for _, key := range slices.Sorted(slices.Values(append(names, "messages"))) {
		name, err := marshal(key)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s%s:", before, name); err != nil {
			return err
		}
		before = ","
		if key == "messages" {
			err = s.writeMessages(ctx, out, j)
		} else {
			_, err = out.Write(result[key])
		}
		if err != nil {
			return err
		}
	}
	_, err = io.WriteString(out, "}")
	return err
}

// writeMessages writes the list of a session's logged messages.
func (s *Service) writeMessages(ctx context.Context, out io.Writer, j encodedJob) error {
	before := "["
	err := eachEvent(ctx, s.Store, j.record.Account, j.record.ID, func(e messages.Event) error {
		if !j.shows.Has(e.Kind) {
			return nil
		}
		text, err := marshal(string(e.Body))
		if err != nil {
			return fmt.Errorf("encode message: %w", err)
		}
		_, err = io.WriteString(out, before)
		if err == nil {
			_, err = out.Write(text)
		}
		before = ","
		return err
	})
	if err != nil {
		return err
	}
	if before == "[" {
		_, err = io.WriteString(out, "[]")
		return err
	}
	_, err = io.WriteString(out, "]")
	return err
}

// eachEvent calls f with the logged events of a session in their order, until it fails.
func eachEvent(ctx context.Context, from Store, account, id string, f func(messages.Event) error) error {
	for after := int64(0); ; {
		events, err := from.Events(ctx, account, id, after, eventsPage)
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		for _, e := range events {
			after = e.Seq
			if err := f(e); err != nil {
				return err
			}
		}
		if len(events) < eventsPage {
			return nil
		}
	}
}
