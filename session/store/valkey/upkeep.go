package valkey

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

var (
	takeScript    = scripts.Script("archive_take")
	removalScript = scripts.Script("removal_list")
	arrivalScript = scripts.Script("upload_expire", "record")
	eraseScript   = scripts.Script("erase_due")
)

const (
	// upkeepPause is between two rounds, unless one is wanted before.
	upkeepPause = 10 * time.Second
	// archiveTime is how long one node has a record to itself that it archives.
	archiveTime = time.Minute
	// removalPause is how long the node that deleted something has for emptying its folder.
	removalPause = 30 * time.Second
	// arrivalTime is how long an upload may take from its first byte in blob storage to its commit.
	arrivalTime = 24 * time.Hour
)

// upkeep does what is no caller's business, in rounds, on every node: it moves what is large of
// finished records to blob storage, removes blobs that deletions and dead processes have left, and
// has the server forget what was deleted. What fails is tried again in a later round. A goroutine
// of its own runs until close.
type upkeep struct {
	server *server.Conn
	tier   *tier.Tier
	// of a finished record, one after another; each may be done again
	archives []func(ctx context.Context, id string) error
	erase    time.Duration               // least time between two rewrites; below 0: never
	failed   func(error)                 // nil: nothing is reported
	keepKeys func(context.Context) error // writes the API keys to blob storage where they have changed

	looked    int64 // finished records that were looked at for a description; of the rounds, as described
	described bool  // all were

	rounds  sync.Mutex    // held for each
	wanted  chan struct{} // has room for one
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// start begins the rounds.
func (u *upkeep) start() {
	ctx, cancel := context.WithCancel(context.Background())
	u.cancel, u.wanted = cancel, make(chan struct{}, 1)
	u.running.Go(func() { u.run(ctx) })
}

// close ends a round that is under way.
func (u *upkeep) close() {
	u.cancel()
	u.running.Wait()
}

// wake has a round begin soon.
func (u *upkeep) wake() {
	select {
	case u.wanted <- struct{}{}:
	default:
	}
}

func (u *upkeep) run(ctx context.Context) {
	tick := time.NewTicker(upkeepPause)
	defer tick.Stop()
	for {
		if err := u.round(ctx); err != nil && u.failed != nil && ctx.Err() == nil {
			u.failed(fmt.Errorf("upkeep of the store: %w", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-u.wanted:
		}
	}
}

// round does what is due, after a round that is under way. Where something is away the rest waits
// for the next round.
func (u *upkeep) round(ctx context.Context) error {
	u.rounds.Lock()
	defer u.rounds.Unlock()
	var errs []error
	for _, task := range []func(context.Context) error{u.expireUploads, u.keepKeys, u.askForErasure, u.describeOld,
		u.archiveFinished, u.removeFolders} {
		err := task(ctx)
		if errs = append(errs, err); errors.Is(err, store.ErrAway) {
			break
		}
	}
	return errors.Join(errs...)
}

// list runs a script that answers a list of names.
func (u *upkeep) list(ctx context.Context, s server.Script, args ...string) ([]string, error) {
	m, err := u.server.Run(ctx, s, args...)
	if err != nil {
		return nil, err
	}
	return m.AsStrSlice()
}

const (
	// archivesAtOnce bounds the records that this process archives at a time, and archivesRest the
	// pause that follows: as long as these took, so that sessions find the processor free, but no
	// longer, since blob storage may answer slowly.
	archivesAtOnce = 4
	archivesRest   = 50 * time.Millisecond
	// archivesTurn is after which time the other tasks of a round have their turn.
	archivesTurn = 5 * time.Second
)

// archiveFinished archives finished records.
func (u *upkeep) archiveFinished(ctx context.Context) error {
	for began := time.Now(); ; {
		batch := time.Now()
		ids, err := u.list(ctx, takeScript, strconv.Itoa(archivesAtOnce), server.Milliseconds(archiveTime))
		if err != nil {
			return err
		}
		errs := make([]error, len(ids))
		var all sync.WaitGroup
		for i, id := range ids {
			all.Go(func() { errs[i] = u.archiveOne(ctx, id) })
		}
		all.Wait()
		if err := errors.Join(errs...); err != nil || len(ids) < archivesAtOnce {
			return err // where blob storage is away the next round is soon enough
		}
		if time.Since(began) > archivesTurn {
			u.wake()
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(time.Since(batch), archivesRest)):
		}
	}
}

// archiveOne archives a record. One that a handle still holds is archived in a later round, one
// that was deleted meanwhile never.
func (u *upkeep) archiveOne(ctx context.Context, id string) error {
	for _, archive := range u.archives {
		err := archive(ctx, id)
		if errors.Is(err, store.ErrClaimed) || errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// expireUploads discards uploads that were begun long ago and never committed: their process has
// died.
func (u *upkeep) expireUploads(ctx context.Context) error {
	_, err := u.server.Run(ctx, arrivalScript, server.Milliseconds(arrivalTime))
	return err
}

// removeFolders empties the folders of what was deleted.
func (u *upkeep) removeFolders(ctx context.Context) error {
	var errs []error
	folders, err := u.list(ctx, removalScript, server.Milliseconds(removalPause), strconv.Itoa(server.MaxRows))
	errs = append(errs, err)
	for _, folder := range folders {
		errs = append(errs, u.tier.RemoveFolder(ctx, folder))
	}
	return errors.Join(errs...)
}

// askForErasure has the server rewrite its append-only file after deletions, which drops what was
// deleted from it. A server without such a file is not asked: it would make one.
func (u *upkeep) askForErasure(ctx context.Context) error {
	if u.erase < 0 {
		return nil
	}
	m, err := u.server.Run(ctx, eraseScript, server.Milliseconds(u.erase))
	if err != nil || m.IsNil() {
		return err
	}
	since, err := m.ToString() // of the last deletion that this rewrite is for
	if err != nil {
		return err
	}
	facts, err := u.server.Client.Do(ctx, u.server.Client.B().Info().Section("persistence").Build()).ToString()
	if err == nil && strings.Contains(facts, "aof_enabled:1") {
		err = u.server.Client.Do(ctx, u.server.Client.B().Bgrewriteaof().Build()).Error()
	}
	if answer, ok := valkey.IsValkeyErr(err); ok && strings.Contains(answer.Error(), "already in progress") {
		return nil // it may have begun before the deletion; the next round asks
	}
	if err != nil {
		since = "" // it is asked again, after the usual pause
	}
	_, noted := u.server.Run(ctx, eraseScript, server.Milliseconds(u.erase), "begun", since)
	if err != nil {
		return fmt.Errorf("ask for a rewrite of the append-only file: %w", server.Error(ctx, err))
	}
	return noted
}

var undescribedScript = scripts.Script("record_undescribed", "record")

// describeOld has finished records archived that an earlier version has not described: some with
// each call, those that ended first before others. It runs once in the life of a process, as far as
// it can tell.
func (u *upkeep) describeOld(ctx context.Context) error {
	if u.described {
		return nil
	}
	m, err := u.server.Run(ctx, undescribedScript, server.Decimal(u.looked), server.Decimal(server.MaxRows))
	if err != nil {
		return err
	}
	n, err := m.AsInt64()
	if err != nil {
		return err
	}
	u.looked += n
	u.described = n < server.MaxRows
	return nil
}
