package server

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valkey-io/valkey-go"
)

const (
	// figuresAge is how old Figures may be: the server is asked no more often, however often
	// somebody looks.
	figuresAge = 15 * time.Second
	// figuresWait bounds the wait for them.
	figuresWait = time.Second
)

// Figures are what a server reports about its state.
type Figures struct {
	Primary           bool
	Memory, MaxMemory int64 // bytes; 0 for no bound
	Evicted           int64 // keys, since its start
	AppendOnly        bool
	AppendFaults      bool // the last write to its append-only file, or rewriting that, has failed
	// syncs that writing has not waited for, since its start: what appendfsync everysec may lose
	DelayedSyncs int64
	Replicas     int
	ReplicaLag   int64 // bytes of changes that the replica that lags most has not confirmed
}

// figures are those asked for last.
type figures struct {
	mu    sync.Mutex
	asked time.Time
	last  Figures
	err   error
}

// get returns the figures, and asks for them where they are old.
func (f *figures) get(ctx context.Context, client valkey.Client) (Figures, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.asked) < figuresAge {
		return f.last, f.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), figuresWait)
	defer cancel()
	text, err := client.Do(ctx, client.B().Info().Build()).ToString()
	f.last, f.err = figuresOf(ParseInfo(text)), nil
	if err != nil {
		f.last, f.err = Figures{}, fmt.Errorf("ask valkey for its state: %w", Error(context.WithoutCancel(ctx), err))
	}
	f.asked = time.Now()
	return f.last, f.err
}

func figuresOf(info Info) Figures {
	f := Figures{
		Primary: info["role"] == "master", Memory: info.Number("used_memory"), MaxMemory: info.Number("maxmemory"),
		Evicted: info.Number("evicted_keys"), AppendOnly: info["aof_enabled"] == "1",
		DelayedSyncs: info.Number("aof_delayed_fsync"),
		Replicas:     int(info.Number("connected_slaves")),
	}
	f.AppendFaults = info["aof_last_write_status"] == "err" || info["aof_last_bgrewrite_status"] == "err"
	for i := range f.Replicas {
		for part := range strings.SplitSeq(info[fmt.Sprint("slave", i)], ",") {
			if offset, ok := strings.CutPrefix(part, "offset="); ok {
				confirmed, _ := strconv.ParseInt(offset, 10, 64) // it is a number
				f.ReplicaLag = max(f.ReplicaLag, info.Number("master_repl_offset")-confirmed)
			}
		}
	}
	return f
}

// LatencyBounds are the upper bounds of the buckets of Latencies, in seconds.
var LatencyBounds = [...]float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5}

// latencies count the calls of the server by how long they took. Its methods may be called from any
// goroutine.
type latencies struct {
	buckets [len(LatencyBounds) + 1]atomic.Uint64 // the last one is of longer calls
	nanos   atomic.Int64
}

// since counts a call that began at a time.
func (l *latencies) since(began time.Time) {
	took := time.Since(began)
	i := 0
	for i < len(LatencyBounds) && took.Seconds() > LatencyBounds[i] {
		i++
	}
	l.buckets[i].Add(1)
	l.nanos.Add(int64(took))
}

func (l *latencies) counts() (upTo [len(LatencyBounds)]uint64, all uint64, took time.Duration) {
	for i := range l.buckets {
		all += l.buckets[i].Load()
		if i < len(upTo) {
			upTo[i] = all
		}
	}
	return upTo, all, time.Duration(l.nanos.Load())
}
