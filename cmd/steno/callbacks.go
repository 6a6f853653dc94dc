package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"steno/cmd/steno/stores"
	calls "steno/gateway/callbacks"
	"steno/session/store"
)

// callbacksCmd lists and redelivers the callbacks of the store, which a gateway may be using.
type callbacksCmd struct {
	List      callbacksListCmd      `cmd:"" help:"List callbacks that were given up, or wait to be sent."`
	Redeliver callbacksRedeliverCmd `cmd:"" help:"Send callbacks now that were given up, or wait for their next attempt."`
	Secret    secretCmd             `cmd:"" help:"Make, list and remove what an account's callbacks are signed with."`
}

// outboxFolder is the flags for the store that has the outbox.
type outboxFolder struct{ storePlace }

// open opens the outbox of the configured store.
func (f outboxFolder) open(ctx context.Context, p *process) (stores.Outbox, error) {
	cfg, err := f.existing(p.environ)
	if err != nil {
		return nil, err
	}
	return stores.OpenOutbox(ctx, cfg)
}

// make opens it too, and makes a data folder that is not there yet, as the first start of a gateway
// does.
func (f outboxFolder) make(ctx context.Context, p *process) (stores.Outbox, error) {
	cfg, err := f.lasting(p.environ, p.stderr, "secret")
	if err != nil {
		return nil, err
	}
	return stores.OpenOutbox(ctx, cfg)
}

// mostListed bounds the deliveries that are listed.
const mostListed = 100_000

type callbacksListCmd struct {
	outboxFolder
	State   string `default:"all" enum:"all,dead,pending" help:"dead: given up; pending: waiting; all: both."`
	Account string `help:"Only those of an account." placeholder:"NAME"`
	Limit   int    `default:"1000" help:"At most so many, the oldest."`
}

// Run prints a line for each delivery.
func (c callbacksListCmd) Run(ctx context.Context, p *process) (err error) {
	if c.Limit < 1 || c.Limit > mostListed {
		return fmt.Errorf("--limit must be between 1 and %d", mostListed)
	}
	outbox, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer closing(&err, "outbox", outbox)
	list, err := c.deliveries(ctx, outbox)
	if err == nil && len(list) == 0 {
		fmt.Fprintln(p.stdout, "none")
	}
	for _, d := range list {
		printDelivery(p.stdout, d)
	}
	return err
}

// deliveries returns those in the states asked for, oldest first.
func (c callbacksListCmd) deliveries(ctx context.Context, outbox store.Outbox) ([]store.Delivery, error) {
	states := []store.DeliveryState{store.DeliveryState(c.State)}
	if c.State == "all" {
		states = []store.DeliveryState{store.DeliveryDead, store.DeliveryPending}
	}
	var all []store.Delivery
	for _, state := range states {
		list, err := outbox.Deliveries(ctx, c.Account, state, c.Limit)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	slices.SortStableFunc(all, func(a, b store.Delivery) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return all[:min(len(all), c.Limit)], nil
}

func printDelivery(w io.Writer, d store.Delivery) {
	fmt.Fprintf(w, "%s  %s  %-7s  %s  %-10s %-28s %s %s  attempts %d", d.ID, d.CreatedAt.UTC().Format(time.DateTime),
		d.State,
		d.Job, d.Account, d.Event, d.Method, cmp.Or(calls.WithoutQuery(d.URL), "?"), d.Attempts)
	if d.Failure != "" {
		fmt.Fprintf(w, "  %s", d.Failure)
	}
	fmt.Fprintln(w)
}

type callbacksRedeliverCmd struct {
	outboxFolder
	IDs     []string `arg:"" optional:"" name:"id" help:"Of the deliveries, as listed."`
	AllDead bool     `help:"All that were given up."`
	Account string   `help:"With --all-dead: only those of an account." placeholder:"NAME"`
}

// Run makes deliveries due again. A gateway that is running sends them within seconds, otherwise
// the next one that starts.
func (c callbacksRedeliverCmd) Run(ctx context.Context, p *process) (err error) {
	if c.AllDead == (len(c.IDs) > 0) {
		return errors.New("give either the ids of deliveries or --all-dead")
	}
	outbox, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer closing(&err, "outbox", outbox)
	ids := c.IDs
	if c.AllDead {
		list, err := outbox.Deliveries(ctx, c.Account, store.DeliveryDead, mostListed)
		if err != nil {
			return err
		}
		for _, d := range list {
			ids = append(ids, d.ID)
		}
	}
	n, err := redeliver(ctx, outbox, ids, c.AllDead)
	if err == nil || n > 0 {
		fmt.Fprintf(p.stdout, "%d to be sent again\n", n)
	}
	return err
}

// redeliver makes deliveries due again and returns their number. If one cannot be, it continues
// with the others; if listed is set, deliveries that have been deleted meanwhile are skipped.
func redeliver(ctx context.Context, outbox store.Outbox, ids []string, listed bool) (n int, err error) {
	var faults []error
	for _, id := range ids {
		err := outbox.Redeliver(ctx, id)
		switch {
		case err == nil:
			n++
		case listed && (errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrSent)):
		default:
			faults = append(faults, fmt.Errorf("%s: %w", id, err))
		}
	}
	return n, errors.Join(faults...)
}
