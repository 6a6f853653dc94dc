package valkey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store/valkey/server"
)

// Facts is what a server reports about itself, for those who judge a deployment.
type Facts struct {
	Program string // valkey or redis, or what else speaks their protocol
	Version string // such as 8.0.1
	Primary bool   // takes writes, as far as its role goes
	Cluster bool   // one of several primaries

	Clock     time.Duration // how far its clock is ahead of this machine's, within half of Median
	Median    time.Duration // of the time until a script that writes is answered
	Slowest   time.Duration
	Refusal   string // why it takes no changes, empty if it does
	Waits     bool   // it can wait until a change is synced to its disk
	Memory    int64  // bytes used
	MaxMemory int64  // their bound, 0 for none
	Machine   int64  // memory of its machine, bytes
	Policy    string // maxmemory-policy

	AppendOnly bool
	Replicas   int   // that are connected
	Backlog    int64 // bytes of changes kept for replicas that were away

	Nodes  []string                 // names of the gateways that share the server and are up
	Clocks map[string]time.Duration // how far the clocks of these gateways are ahead of the server's

	Denied    []string // commands that gateways need and the user may not use
	NoRewrite bool     // the user may not ask for a rewrite of the append-only file

	// Settings that INFO does not tell; Hidden where the server does not tell them at all.
	Hidden          bool
	AppendSync      string // appendfsync
	RewriteMin      int64  // auto-aof-rewrite-min-size, bytes
	ReplicasToWrite int    // min-replicas-to-write
}

// probes is how often Ask measures the time of a script.
const probes = 21

// Ask connects to a server and asks for facts about it. It writes one small value. Errors:
// store.ErrAway, the context's.
func Ask(ctx context.Context, o Options) (Facts, error) {
	s, err := server.Connect(ctx, o.server())
	if err != nil {
		return Facts{}, err
	}
	defer s.Close()
	var f Facts
	q := inquiry{s}
	for _, ask := range []func(context.Context, *Facts) error{q.askAccess, q.askInfo, q.askSettings, q.askClock,
		q.measure, q.askNodes} {
		err := ask(ctx, &f)
		if denied := deniedCommand(err); denied != "" {
			f.Denied = append(f.Denied, denied)
			continue
		}
		if err != nil {
			return f, err
		}
	}
	return f, nil
}

// inquiry asks a server for facts.
type inquiry struct{ server *server.Conn }

// askInfo reads what INFO tells.
func (q inquiry) askInfo(ctx context.Context, f *Facts) error {
	text, err := q.server.Client.Do(ctx, q.server.Client.B().Info().Build()).ToString()
	if err != nil {
		return fmt.Errorf("ask valkey for its state: %w", server.Error(ctx, err))
	}
	info := server.ParseInfo(text)
	number := info.Number
	f.Program, f.Version = programOf(info)
	f.Primary, f.Cluster = info["role"] == "master", info["cluster_enabled"] == "1"
	f.Policy, f.Memory, f.MaxMemory, f.Machine = info["maxmemory_policy"], number("used_memory"), number("maxmemory"),
		number("total_system_memory")
	f.AppendOnly, f.Replicas, f.Backlog = info["aof_enabled"] == "1", int(number("connected_slaves")),
		number("repl_backlog_size")
	return nil
}

// programOf returns name and version of the server. Valkey tells the version of Redis whose
// protocol it speaks as well.
func programOf(info server.Info) (name, version string) {
	for _, key := range []string{"valkey_version", "dragonfly_version", "kvrocks_version", "redis_version"} {
		if version, ok := info[key]; ok {
			return strings.TrimSuffix(key, "_version"), strings.TrimPrefix(version, "df-v")
		}
	}
	return "unknown", ""
}

// askSettings reads settings, which hosted servers do not tell everybody.
func (q inquiry) askSettings(ctx context.Context, f *Facts) error {
	names := []string{"appendfsync", "auto-aof-rewrite-min-size", "min-replicas-to-write"}
	settings, err := q.server.Client.Do(ctx, q.server.Client.B().ConfigGet().Parameter(names...).Build()).AsStrMap()
	if _, refused := valkey.IsValkeyErr(err); refused {
		f.Hidden = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("ask valkey for its settings: %w", server.Error(ctx, err))
	}
	f.AppendSync = settings["appendfsync"]
	f.RewriteMin, _ = strconv.ParseInt(settings["auto-aof-rewrite-min-size"], 10, 64)
	f.ReplicasToWrite, _ = strconv.Atoi(settings["min-replicas-to-write"])
	waits, err := q.server.Client.Do(ctx, q.server.Client.B().CommandInfo().CommandName("waitaof").Build()).ToArray()
	f.Waits = err == nil && len(waits) == 1 && !waits[0].IsNil()
	return nil
}

// askClock compares the clocks. It assumes that the server read its clock in the middle between
// question and answer.
func (q inquiry) askClock(ctx context.Context, f *Facts) error {
	began := time.Now()
	parts, err := q.server.Client.Do(ctx, q.server.Client.B().Time().Build()).AsStrSlice()
	took := time.Since(began)
	if err != nil {
		return fmt.Errorf("ask valkey for the time: %w", server.Error(ctx, err))
	}
	var seconds, micros int64
	if _, err := fmt.Sscan(strings.Join(parts, " "), &seconds, &micros); err != nil {
		return fmt.Errorf("read time of valkey: %w", err)
	}
	f.Clock = time.Unix(seconds, micros*1000).Sub(began.Add(took / 2))
	return nil
}

// measure runs a script that writes, several times.
func (q inquiry) measure(ctx context.Context, f *Facts) error {
	err := q.server.Ping(ctx)
	var refusal *valkey.ValkeyError
	if errors.As(err, &refusal) {
		f.Refusal = refusal.Error()
		return nil
	}
	if err != nil {
		return err
	}
	var took []time.Duration
	for range probes {
		began := time.Now()
		if err := q.server.Ping(ctx); err != nil {
			return err
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	f.Median, f.Slowest = took[probes/2], took[probes-1]
	return nil
}

// askNodes lists the gateways.
func (q inquiry) askNodes(ctx context.Context, f *Facts) error {
	list, err := server.NewNodes(q.server).Peers(ctx)
	if err != nil {
		return err
	}
	clocks, err := q.server.Hash(ctx, "clocks")
	f.Clocks = map[string]time.Duration{}
	for _, n := range list {
		f.Nodes = append(f.Nodes, n.Name)
		// versions before the first with clocks tell none
		if ms, err := strconv.ParseInt(clocks[n.Name], 10, 64); err == nil {
			f.Clocks[n.Name] = time.Duration(ms) * time.Millisecond
		}
	}
	return err
}
