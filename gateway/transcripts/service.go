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

	heldBytes = 256 << 20 // of results that answers are made of, and of the answers
	heldShare = heldBytes / 4
)

// Store is what the package needs of the store.
type Store interface {
	store.Records
	store.Outbox
}

// Deps are the parts that a Service works with. None may be nil.
type Deps struct {
	Store     Store
	Records   *records.Service
	Addresses *web.Addresses
	Limits    limits.Limits
	// Heard returns how much of a job's recording was transcribed, in seconds, where that is known.
	Heard func(job string) (seconds float64, ok bool)
}

// Service answers requests for transcripts. Its methods may be called from any goroutine.
type Service struct {
	Deps
	reading  *semaphore.Semaphore // requests that read results, by key
	room     *semaphore.Semaphore // for what is held until a client has its answer
	results  *lru.Cache[*result]
	previews *lru.Cache[*preview]
}

// New returns a service.
func New(d Deps) *Service {
	return &Service{
		Deps: d, reading: semaphore.New(readAtATime, readEach, readWaiting),
		room:    semaphore.New(heldBytes, heldShare, readWaiting),
		results: lru.New[*result](cacheBytes), previews: lru.New[*preview](previewBytes),
	}
}

// begin waits until a request of a key may read results. The caller calls end.
func (s *Service) begin(r *http.Request) (end func(), err error) {
	ctx, cancel := context.WithTimeout(r.Context(), readPatience)
	defer cancel()
	p := web.PrincipalOf(r)
	party := string(p.Key[:])
	err = s.reading.Acquire(ctx, party, 1)
	if err != nil {
		return nil, s.busy(err)
	}
	return sync.OnceFunc(func() { s.reading.Release(party, 1) }), nil
}

// busy returns an error of waiting in the form for clients.
func (s *Service) busy(err error) error {
	if errors.Is(err, semaphore.ErrFull) || errors.Is(err, context.DeadlineExceeded) {
		return web.Refuse(http.StatusServiceUnavailable, "too many transcripts are being read", s.Limits.RetryAfter)
	}
	return err
}

// sizeOf is about how many bytes a record takes while it is read and what is made of it, as
// measured: words take the most, and more than their JSON.
func sizeOf(record store.Record) int64 { return 3 * int64(len(record.Result)) }

// find finds a record for a request that may read results. Where what others read leaves no room
// for it, it waits without the record, and lets others read. The caller calls end when nothing more
// is read, and release when the client has its answer.
func (s *Service) find(r *http.Request, kind messages.JobKind) (record store.Record, end, release func(), err error) {
	p := web.PrincipalOf(r)
	party := string(p.Key[:])
	for reserved := int64(0); ; {
		if end, err = s.begin(r); err == nil {
			if record, err = s.Records.Find(r, kind); err != nil {
				end()
			}
		}
		if err != nil {
			s.room.Release(party, reserved)
			return record, nil, nil, err
		}
		needed := sizeOf(record)
		if needed > reserved {
			s.room.Release(party, reserved)
			reserved = needed
			if !s.room.TryAcquire(party, needed) {
				record = store.Record{}
				end()
				if err := s.waitForRoom(r, party, needed); err != nil {
					return record, nil, nil, err
				}
				continue
			}
		}
		return record, end, func() { s.room.Release(party, reserved) }, nil
	}
}

func (s *Service) waitForRoom(r *http.Request, party string, bytes int64) error {
	ctx, cancel := context.WithTimeout(r.Context(), readPatience)
	defer cancel()
	return s.busy(s.room.Acquire(ctx, party, bytes))
}

// resultOf returns the result of a record, which has none before it is finished. It must not be
// changed.
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
		return sizeOf(record), nil
	})
	return r, err
}

// endedWriter is an answer with whose first bytes the work on it has ended: the client may take its
// time.
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
		record, end, release, err := s.find(r, kind)
		if err != nil {
			return err
		}
		defer release()
		defer end()
		of, err := s.resultOf(r.Context(), record)
		if err != nil {
			return err
		}
		p := web.PrincipalOf(r)
		return answer(endedWriter{w, end}, r, record, of.shown(p.Shows()))
	}
}
