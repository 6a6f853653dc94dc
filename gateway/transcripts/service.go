package transcripts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"steno/gateway/limits"
	"steno/gateway/lru"
	"steno/gateway/records"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/semaphore"
	"steno/session/store"
)

const (
	cacheBytes   = 64 << 20 // of results
	previewBytes = 8 << 20  // of previews

	readAtATime  = 4 // requests that read results, in all
	readEach     = 2 // of one key
	readWaiting  = 256
	readPatience = 30 * time.Second
)

// Deps are the parts that a Service works with. None may be nil.
type Deps struct {
	Store     store.Store
	Records   *records.Service
	Addresses *web.Addresses
	Limits    limits.Limits
	// Heard returns how much of a job's recording was transcribed, in seconds, where that is known.
	Heard func(job string) (seconds float64, ok bool)
}

// Service answers requests for transcripts. Its methods may be called from any goroutine.
type Service struct {
	Deps
	reading  *semaphore.Fair // requests that read results, by key
	results  *lru.Cache[*result]
	previews *lru.Cache[*preview]
}

// New returns a service.
func New(d Deps) *Service {
	return &Service{
		Deps: d, reading: semaphore.NewFair(readAtATime, readEach, readWaiting),
		results: lru.New[*result](cacheBytes), previews: lru.New[*preview](previewBytes),
	}
}

// begin waits until a request of a key may read results. The caller calls end.
func (s *Service) begin(r *http.Request) (end func(), err error) {
	ctx, cancel := context.WithTimeout(r.Context(), readPatience)
	defer cancel()
	p := web.PrincipalOf(r)
	party := string(p.Key[:])
	err = s.reading.Acquire(ctx, party)
	if errors.Is(err, semaphore.ErrFull) || errors.Is(err, context.DeadlineExceeded) {
		return nil, web.Refuse(http.StatusServiceUnavailable, "too many transcripts are being read", s.Limits.RetryAfter)
	}
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { s.reading.Release(party) }), nil
}

// resultOf returns the result of a record, which has none before it is finished. It must not be changed.
func (s *Service) resultOf(ctx context.Context, record store.Record) (*result, error) {
	if len(record.Result) == 0 {
		return new(result), nil
	}
	var r *result
	err := s.results.Use(ctx, record.ID, func(kept **result) (int64, error) {
		if *kept == nil {
			parsed, err := newResult(record.Result)
			if err != nil {
				return 0, fmt.Errorf("read result: %w", err)
			}
			*kept = parsed
		}
		r = *kept
		return 3 * int64(len(record.Result)), nil // as measured: words take the most, and more than their JSON
	})
	return r, err
}

// endedWriter is an answer with whose first bytes the work on it has ended: the client may take its time.
type endedWriter struct {
	http.ResponseWriter
	end func()
}

func (w endedWriter) Write(p []byte) (int, error) {
	w.end()
	return w.ResponseWriter.Write(p)
}

// handler returns the handler of an operation on a job of a kind, which reads its result.
func (s *Service) handler(
	kind messages.JobKind, answer func(w http.ResponseWriter, r *http.Request, record store.Record, of *result) error,
) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		end, err := s.begin(r)
		if err != nil {
			return err
		}
		defer end()
		record, err := s.Records.Find(r, kind)
		if err != nil {
			return err
		}
		of, err := s.resultOf(r.Context(), record)
		if err != nil {
			return err
		}
		p := web.PrincipalOf(r)
		return answer(endedWriter{w, end}, r, record, of.shown(p.Shows()))
	}
}
