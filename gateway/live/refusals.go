package live

import (
	"net/http"
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

// refusals are the newest refusals. Its methods may be called from any goroutine.
type refusals struct {
	mu   sync.Mutex
	list []Refusal // oldest first
}

// note adds an error of a request for a session if it is a refusal.
func (f *refusals) note(p web.Principal, err error) {
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
