package activity

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"steno/gateway/web"
)

// maxRefusals bounds the kept refusals.
const maxRefusals = 200

// Refusal is a session that was not admitted.
type Refusal struct {
	At         time.Time
	Account    string
	Key        web.KeyHash
	Status     int // 429 or 503
	Message    string
	RetryAfter time.Duration
}

// Refusals are the newest refusals. Its methods may be called from any goroutine. The zero value is
// ready.
type Refusals struct {
	mu   sync.Mutex
	list []Refusal // oldest first
}

// Note adds an error of a request for a session if it is a refusal.
func (f *Refusals) Note(p web.Principal, err error) {
	problem := web.AsProblem(err)
	if problem.Status != http.StatusTooManyRequests && problem.Status != http.StatusServiceUnavailable {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list[max(0, len(f.list)-maxRefusals+1):], Refusal{
		At: time.Now(), Account: p.Account, Key: p.Key, Status: problem.Status, Message: problem.Message,
		RetryAfter: problem.RetryAfter,
	})
}

// Since returns the refusals since a time, newest first: those of an account, or all if account is
// empty.
func (f *Refusals) Since(account string, since time.Time) []Refusal {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []Refusal
	for _, r := range slices.Backward(f.list) {
		if r.At.Before(since) {
			break
		}
		if account == "" || r.Account == account {
			list = append(list, r)
		}
	}
	return list
}
