package callbacks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"steno/gateway/outbound"
	"steno/session/panics"
	"steno/session/retry"
	"steno/session/store"
)

// Outcome is how a claimed delivery was settled.
type Outcome string

// The outcomes.
const (
	Delivered Outcome = "delivered"
	Failed    Outcome = "failed" // to be tried again
	Dead      Outcome = "dead"
	Postponed Outcome = "postponed" // not tried
)

// Attempt is what became of one claim.
type Attempt struct {
	Delivery store.Delivery // without its body
	Host     string         // name and port of the URL
	Outcome  Outcome
	Status   int           // of the answer, 0 where none came
	Failure  string        // why it was not delivered; names no more than the host
	Took     time.Duration // the request
	Next     time.Time     // when it is due again; zero where it is not
	// Err is why the outcome was not stored: the delivery is claimed again when its claim has
	// expired. It is store.ErrLost if the job was deleted meanwhile.
	Err error
	// Fault is a panic during the attempt, which failed or was postponed as with any other error;
	// nil: none.
	Fault *panics.Error
}

// errFault reports a panic during an attempt.
var errFault = errors.New("internal error")

// maxRetryAfter bounds the Retry-After of a receiver.
const maxRetryAfter = time.Hour

// handle attempts one claimed delivery and settles it.
func (d *Dispatcher) handle(life context.Context, v store.Delivery, at *place) {
	a := Attempt{Delivery: v, Host: hostOf(v.URL)}
	a.Delivery.Body = nil
	body, shown, err := d.prepare(life, v)
	if err != nil {
		a.Fault = panics.In(err)
		a.postpone(time.Now().Add(untilBody(time.Since(v.CreatedAt))), "not ready to be sent")
	} else {
		v.Body = body
		d.try(life, v, shown, &a, at)
	}
	a.Err = d.settle(life, a)
	d.cfg.Watcher.Attempted(a)
}

// prepare returns what a request is made of. A panic of the store or of the configuration's
// functions is an error.
func (d *Dispatcher) prepare(ctx context.Context, v store.Delivery) (body []byte, shown credentials, err error) {
	defer panics.To(&err)
	if body, err = d.body(ctx, v); err == nil {
		shown.secrets, err = d.secrets(ctx, v.Account)
	}
	if err == nil && d.cfg.Auth != nil {
		ctx, cancel := context.WithTimeout(ctx, settleTimeout)
		defer cancel()
		shown.auth, err = d.cfg.Auth(ctx, v)
	}
	return body, shown, err
}

func (a *Attempt) postpone(next time.Time, why string) {
	a.Outcome, a.Next, a.Failure = Postponed, next, why
}

func (d *Dispatcher) body(ctx context.Context, v store.Delivery) ([]byte, error) {
	if len(v.Body) > 0 || d.cfg.Body == nil {
		return v.Body, nil
	}
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	return d.cfg.Body(ctx, v)
}

// untilBody returns how long to wait for a body that does not exist yet, by the age of the
// delivery.
func untilBody(age time.Duration) time.Duration {
	return min(max(age/4, 20*time.Millisecond), time.Minute)
}

// pace returns how long a request for an account must wait at least by its quota; 0: not at all.
// Those that wait are spread, so that they do not all come back together.
func (d *Dispatcher) pace(ctx context.Context, account string, now time.Time) time.Duration {
	if d.cfg.Pace == nil {
		return 0
	}
	wait, each := d.cfg.Pace(ctx, account)
	if wait == 0 {
		return 0
	}
	return d.accounts.queue(account, now.Add(wait), each).Sub(now)
}

// enter lets a request to a host for an account begin, or returns how long it must wait at least.
func (d *Dispatcher) enter(host, account string, now time.Time) (wait time.Duration, ok bool) {
	if wait, ok = d.accounts.enter(account, now); !ok {
		return wait, false
	}
	if wait, ok = d.hosts.enter(host, now); !ok {
		d.accounts.leave(account, now)
	}
	return wait, ok
}

// try makes the request, if its host may be asked now, and decides what becomes of the delivery.
func (d *Dispatcher) try(life context.Context, v store.Delivery, shown credentials, a *Attempt, at *place) {
	began := time.Now()
	if wait := d.pace(life, v.Account, began); wait > 0 {
		a.postpone(began.Add(wait), "the quota of the account is used up")
		return
	}
	if wait, ok := d.enter(a.Host, v.Account, began); !ok {
		a.postpone(began.Add(wait), "host is busy or does not answer")
		if v.Attempts > 1 && !began.Before(d.deadline(v)) {
			a.Outcome, a.Status, a.Failure = Dead, v.Status, gaveUp(v.Failure)
		}
		return
	}
	slow := time.AfterFunc(slowAfter, func() {
		d.accounts.slow(v.Account, time.Now())
		at.move()
	})
	status, retryAfter, err := d.send(life, v, shown, began)
	slow.Stop()
	now := time.Now()
	d.accounts.leave(v.Account, now)
	a.Took = now.Sub(began)
	if err != nil && life.Err() != nil {
		d.hosts.leave(a.Host, unknown, a.Took, now)
		a.postpone(now, "gateway is shutting down")
		return
	}
	if a.Fault = panics.In(err); a.Fault != nil {
		d.hosts.leave(a.Host, unknown, a.Took, now)
		d.judge(a, v, now, 0, 0, errFault)
		return
	}
	d.hosts.leave(a.Host, healthOf(status, err), a.Took, now)
	d.judge(a, v, now, status, retryAfter, err)
}

func (d *Dispatcher) send(ctx context.Context, v store.Delivery, shown credentials, now time.Time) (status int,
	after time.Duration, err error) {
	defer panics.To(&err)
	ctx, cancel := context.WithTimeout(ctx, d.cfg.Timeout)
	defer cancel()
	h, err := header(v, shown, now)
	if err != nil {
		return 0, 0, err
	}
	return d.cfg.Sender.Send(ctx, v.Method, v.URL, h, v.Body)
}

// judge decides what becomes of a delivery after an attempt.
func (d *Dispatcher) judge(a *Attempt, v store.Delivery, now time.Time, status int, retryAfter time.Duration,
	err error) {
	a.Status, a.Failure = status, explain(status, err)
	deadline := d.deadline(v)
	switch {
	case err == nil && status/100 == 2:
		a.Outcome, a.Failure = Delivered, ""
	case errors.Is(err, outbound.ErrRefusedAddress), errors.Is(err, outbound.ErrURL), status == http.StatusGone:
		a.Outcome = Dead
	case !now.Before(deadline):
		a.Outcome, a.Failure = Dead, gaveUp(a.Failure)
	default:
		wait := max(backoff(d.cfg.FirstRetry, d.cfg.LongestRetry, v.ID, v.Attempts), min(retryAfter, maxRetryAfter))
		a.Outcome, a.Next = Failed, now.Add(wait)
		if a.Next.After(deadline) {
			a.Next = deadline
		}
	}
}

// deadline returns the time after which a delivery is not attempted again.
func (d *Dispatcher) deadline(v store.Delivery) time.Time {
	first := time.Now()
	if v.FirstAttempt != nil {
		first = *v.FirstAttempt
	}
	return first.Add(d.cfg.GiveUp)
}

func gaveUp(last string) string { return "given up: " + last }

// explain returns why an attempt failed, in a text that names no address.
func explain(status int, err error) string {
	switch {
	case err != nil:
		return outbound.Message(err)
	case status == http.StatusGone:
		return "receiver answered 410: it wants no more"
	case status/100 == 3:
		return fmt.Sprintf("receiver answered %d: redirects are not followed", status)
	}
	return fmt.Sprintf("receiver answered %d", status)
}

// healthOf returns what an answer means for the host, rather than for the one request.
func healthOf(status int, err error) health {
	switch {
	case errors.Is(err, outbound.ErrRefusedAddress), errors.Is(err, outbound.ErrURL):
		return unknown
	case err != nil, status == http.StatusTooManyRequests, status == http.StatusBadGateway,
		status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		return sick
	}
	return well
}

const (
	settleTimeout = 5 * time.Second        // for the store to keep an outcome
	settlePause   = 100 * time.Millisecond // between attempts at that
)

// settle stores the outcome, even while the dispatcher stops. It tries again if the store is busy.
func (d *Dispatcher) settle(life context.Context, a Attempt) (err error) {
	for try := range 4 {
		if try > 0 {
			_ = retry.Sleep(life, settlePause)
		}
		if err = d.settleOnce(context.WithoutCancel(life), a); err == nil || errors.Is(err, store.ErrLost) {
			return err
		}
	}
	return err
}

func (d *Dispatcher) settleOnce(ctx context.Context, a Attempt) (err error) {
	defer panics.To(&err)
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	switch a.Outcome {
	case Delivered:
		return d.cfg.Outbox.Sent(ctx, a.Delivery)
	case Dead:
		return d.cfg.Outbox.Dead(ctx, a.Delivery, a.Status, a.Failure)
	case Postponed:
		return d.cfg.Outbox.Postpone(ctx, a.Delivery, a.Next)
	default:
		return d.cfg.Outbox.Failed(ctx, a.Delivery, a.Next, a.Status, a.Failure)
	}
}

// hostOf returns the name by which the breaker and the limit count a host.
func hostOf(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}
