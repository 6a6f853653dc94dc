package callbacks

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const account = "a"

// answerFunc is a receiver without a network, for fake time: it returns the status, what
// Retry-After asks for, or an error.
type answerFunc func(ctx context.Context, url, id string, n int) (int, time.Duration, error)

// dispatcherFixture is a dispatcher with a real outbox in fake time.
type dispatcherFixture struct {
	*testing.T
	store      *embedded.Store
	dispatcher *Dispatcher
	answer     answerFunc

	mu      sync.Mutex
	asked   []request
	settled []Attempt
	busy    map[string]int // requests under way, by URL
	most    map[string]int
	trouble []error
	pending int
}

type request struct {
	at      time.Time
	url, id string
	body    string
}

// inBubble runs a test in fake time with a dispatcher whose requests are answered by answer.
func inBubble(t *testing.T, cfg Config, answer answerFunc, test func(*dispatcherFixture)) {
	t.Helper()
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		s, err := embedded.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		b := &dispatcherFixture{T: t, store: s, answer: answer, busy: map[string]int{}, most: map[string]int{}}
		cfg.Outbox, cfg.Sender, cfg.Watcher = s, b, b
		if b.dispatcher, err = New(cfg); err != nil {
			t.Fatal(err)
		}
		test(b)
		b.dispatcher.Stop(t.Context())
		for _, err := range b.trouble {
			t.Error(err)
		}
	})
}

// Send is the receiver.
func (b *dispatcherFixture) Send(ctx context.Context, _, url string, header http.Header, body []byte) (int,
	time.Duration, error) {
	b.mu.Lock()
	b.asked = append(b.asked, request{time.Now(), url, header.Get("webhook-id"), string(body)})
	n := len(b.asked)
	b.busy[url]++
	b.most[url] = max(b.most[url], b.busy[url])
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		b.busy[url]--
		b.mu.Unlock()
	}()
	return b.answer(ctx, url, header.Get("webhook-id"), n)
}

func (b *dispatcherFixture) Attempted(a Attempt) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settled = append(b.settled, a)
}

func (b *dispatcherFixture) Pending(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending = n
}

func (b *dispatcherFixture) Trouble(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trouble = append(b.trouble, err)
}

// requests are those so far.
func (b *dispatcherFixture) requests() []request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.asked)
}

func (b *dispatcherFixture) outcomes() map[Outcome]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := map[Outcome]int{}
	for _, a := range b.settled {
		all[a.Outcome]++
		if a.Err != nil {
			all["unsettled"]++
		}
	}
	return all
}

// counted returns what Pending last reported.
func (b *dispatcherFixture) counted() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pending
}

// atOnce is the most requests to a URL that were under way together.
func (b *dispatcherFixture) atOnce(url string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.most[url]
}

// attempts are all that were settled.
func (b *dispatcherFixture) attempts() []Attempt {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.settled)
}

// enqueue makes a job with so many deliveries to a URL.
func (b *dispatcherFixture) enqueue(job, url string, n int) {
	b.Helper()
	b.enqueueFor(account, job, url, n)
}

// enqueueFor is enqueue for an account.
func (b *dispatcherFixture) enqueueFor(account, job, url string, n int) {
	b.Helper()
	err := b.store.Create(b.Context(), store.Record{
		ID: job, Account: account, Kind: messages.JobLive, Status: messages.StatusQueued, Version: 2,
		CreatedAt: time.Now().UTC(),
		Params:    []byte("{}"), PostSessionMetadata: []byte("{}"),
	})
	if err != nil {
		b.Fatal(err)
	}
	var list []store.Delivery
	for i := range n {
		list = append(list, store.Delivery{
			Account: account, Job: job, Seq: int64(i) + 1, Event: "e", URL: url, Method: "POST",
			Body: fmt.Append(nil, job, " ", i),
		})
	}
	if err := b.store.Enqueue(b.Context(), list...); err != nil {
		b.Fatal(err)
	}
}

// pass lets fake time pass, and everything happen that is due by then.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (b *dispatcherFixture) in(state store.DeliveryState) []store.Delivery {
	b.Helper()
	list, err := b.store.Deliveries(b.Context(), "", state, 10_000)
	if err != nil {
		b.Fatal(err)
	}
	return list
}
