package doctor

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"steno/cmd/steno/config"
	"steno/cmd/steno/stores"
	"steno/cmd/steno/terminal"
	"steno/session/store/valkey"
)

// valkeyAnswer bounds the wait for all answers of the Valkey server.
const valkeyAnswer = 20 * time.Second

// checkValkey asks the Valkey server, if one is configured, for its state and settings.
func checkValkey(ctx context.Context, d Deployment) []Finding {
	if d.Valkey.Address == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, valkeyAnswer)
	defer cancel()
	options, err := stores.ValkeyOptions(d.Config)
	if err != nil {
		return []Finding{{"valkey", Failure, terminal.OneLine(err), "valkey.tls"}}
	}
	facts, err := valkey.Ask(ctx, options)
	if err != nil {
		return []Finding{{"valkey", Failure, terminal.OneLine(err),
			"valkey.address and valkey.tls, or start the server"}}
	}
	return judgeValkey(facts, d.Config)
}

// judgeValkey compares a server with what gateways need of it.
func judgeValkey(f valkey.Facts, c config.Config) []Finding {
	if len(f.Denied) > 0 {
		return []Finding{judgeAccess(f)} // the rest is not reported, or not true
	}
	all := []Finding{judgeAccess(f), judgeVersion(f, c.Valkey.Durability), judgeRole(f), judgeClock(f),
		judgeLatency(f), judgePolicy(f), judgeMemory(f)}
	all = append(all, judgeNodes(f), judgeClocks(f))
	all = append(all, judgeFile(f, c.Valkey.Durability)...)
	return append(all, judgeReplicas(f, c)...)
}

// judgeAccess wants the user to be allowed what gateways do.
func judgeAccess(f valkey.Facts) Finding {
	const name = "valkey ACL"
	switch {
	case len(f.Denied) > 0:
		list := strings.Join(f.Denied, ", ")
		return Finding{name, Failure, "this user may not use " + list, "ACL SETUSER of this user with +" +
			strings.ToLower(strings.Join(f.Denied, " +")) + "; all rules are in OPERATIONS.md"}
	case f.NoRewrite:
		return Finding{name, Warning,
			"this user may not use BGREWRITEAOF: what was deleted stays in the append-only file until the server " +
				"rewrites that", "ACL SETUSER of this user with +bgrewriteaof, or valkey.rewrite 0"}
	}
	return Finding{Check: name, Level: Fine, Detail: "this user may use all commands that are needed"}
}

// judgeClocks compares the clocks of the gateways that are up.
func judgeClocks(f valkey.Facts) Finding {
	const name, fix = "gateway clocks", "synchronize the clocks of these machines: timedatectl set-ntp true"
	var first, last string
	for _, node := range f.Nodes {
		clock, told := f.Clocks[node]
		if !told {
			continue
		}
		if first == "" || clock < f.Clocks[first] {
			first = node
		}
		if last == "" || clock > f.Clocks[last] {
			last = node
		}
	}
	if first == last {
		return Finding{Check: name, Level: Fine, Detail: "there are no two to compare"}
	}
	apart := f.Clocks[last] - f.Clocks[first]
	detail := fmt.Sprintf("differ by %s at most (%s is behind, %s ahead)", apart.Round(time.Millisecond), first, last)
	switch {
	case apart > clockFailure:
		return Finding{name, Failure, detail, fix}
	case apart > clockWarning:
		return Finding{name, Warning, detail, fix}
	}
	return Finding{Check: name, Level: Fine, Detail: detail}
}

// judgeVersion wants Valkey 8 or Redis 7.2, and of the others what the tier needs.
func judgeVersion(f valkey.Facts, tier valkey.Durability) Finding {
	const name, fix = "valkey version", "install Valkey 8"
	is := f.Program + " " + f.Version
	supported := f.Program == "valkey" && atLeast(f.Version, 8, 0) || f.Program == "redis" && atLeast(f.Version, 7, 2)
	switch {
	case tier == valkey.DurableDisk && !f.Waits && !f.Hidden:
		return Finding{name, Failure, is + " has no WAITAOF, which valkey.durability disk needs", fix}
	case supported:
		return Finding{Check: name, Level: Fine, Detail: is}
	case f.Program == "redis" && !atLeast(f.Version, 7, 0):
		return Finding{name, Failure, is + " is too old", fix}
	}
	return Finding{name, Warning, is + " is not among those that are tested", fix}
}

// atLeast compares the beginning of a version such as 8.0.1.
func atLeast(version string, major, minor int) bool {
	parts := strings.SplitN(version+".0", ".", 3)
	is, _ := strconv.Atoi(parts[0])
	below, _ := strconv.Atoi(parts[1])
	return is > major || is == major && below >= minor
}

func judgeRole(f valkey.Facts) Finding {
	const name = "valkey role"
	switch {
	case f.Cluster:
		return Finding{name, Failure, "is part of a cluster with several primaries", "cluster-enabled no"}
	case !f.Primary:
		return Finding{name, Failure, "is a replica, which takes no changes", "valkey.address: the primary's"}
	}
	return Finding{Check: name, Level: Fine, Detail: fmt.Sprintf("is the primary, with %d replicas", f.Replicas)}
}

// judgeNodes tells which gateways are up.
func judgeNodes(f valkey.Facts) Finding {
	up := "none is up"
	if len(f.Nodes) > 0 {
		up = "up are " + strings.Join(f.Nodes, ", ")
	}
	return Finding{Check: "gateways", Level: Fine, Detail: up}
}

// The bounds of the difference of the clocks. Leases go by the server's, times of creation by the
// gateway's.
const (
	clockWarning = 500 * time.Millisecond
	clockFailure = 30 * time.Second
)

func judgeClock(f valkey.Facts) Finding {
	const name, fix = "valkey clock", "synchronize both machines' clocks: timedatectl set-ntp true"
	detail := fmt.Sprintf("differs by %s from this machine's", f.Clock.Abs().Round(time.Millisecond))
	switch off := f.Clock.Abs(); {
	case off > clockFailure:
		return Finding{name, Failure, detail, fix}
	case off > clockWarning:
		return Finding{name, Warning, detail, fix}
	}
	return Finding{Check: name, Level: Fine, Detail: detail}
}

// The bounds of the time of a script. A session makes its audio durable at most every 83 ms.
const (
	latencyWarning = 10 * time.Millisecond
	latencyFailure = 200 * time.Millisecond
)

func judgeLatency(f valkey.Facts) Finding {
	const name, fix = "valkey latency", "a server in the same network; look with valkey-cli --latency and SLOWLOG GET"
	detail := fmt.Sprintf("a script takes %s, at most %s", f.Median.Round(time.Microsecond),
		f.Slowest.Round(time.Microsecond))
	switch {
	case f.Refusal != "":
		return Finding{name, Failure, "a script that writes is refused: " + f.Refusal,
			"see valkey role, memory and min-replicas-to-write"}
	case f.Median > latencyFailure:
		return Finding{name, Failure, detail, fix}
	case f.Median > latencyWarning || f.Slowest > latencyFailure:
		return Finding{name, Warning, detail, fix}
	}
	return Finding{Check: name, Level: Fine, Detail: detail}
}

func judgePolicy(f valkey.Facts) Finding {
	const name = "valkey maxmemory-policy"
	if f.Policy == "noeviction" {
		return Finding{Check: name, Level: Fine, Detail: "is noeviction"}
	}
	return Finding{name, Failure, "is " + f.Policy + ": the server would forget sessions and jobs",
		configSet("maxmemory-policy", "noeviction")}
}

// configSet is the command for a setting. It must be kept in the server's configuration file as
// well.
func configSet(name, value string) string { return "valkey-cli CONFIG SET " + name + " " + value }

func judgeMemory(f valkey.Facts) Finding {
	const name = "valkey memory"
	bound := f.MaxMemory
	if bound == 0 {
		bound = f.Machine
	}
	detail := fmt.Sprintf("%s of %s are used", size(f.Memory), size(bound))
	most := configSet("maxmemory", strconv.FormatInt(f.Machine/10*7, 10))
	switch used := float64(f.Memory) / float64(max(bound, 1)); {
	case used > 0.9:
		return Finding{name, Failure, detail, "more memory, or retention.finished"}
	case used > 0.7:
		return Finding{name, Warning, detail, "more memory, or retention.finished"}
	case f.MaxMemory == 0:
		return Finding{name, Warning, detail + ", and nothing bounds them: the system would end the server", most}
	case f.Machine > 0 && f.MaxMemory > f.Machine:
		return Finding{name, Warning, detail + ", more than the machine has (" + size(f.Machine) + ")", most}
	}
	return Finding{Check: name, Level: Fine, Detail: detail}
}

// leastRewrite is from which size on the append-only file is rewritten: at less, the traffic of
// speaking sessions has it rewritten all the time.
const leastRewrite = 4 << 30

// judgeFile wants the append-only file that the tier needs.
func judgeFile(f valkey.Facts, tier valkey.Durability) []Finding {
	needed := Warning
	if tier == valkey.DurableDisk {
		needed = Failure
	}
	if !f.AppendOnly {
		return []Finding{{"valkey appendonly", needed, "is off: a server that is restarted has lost everything",
			configSet("appendonly", "yes")}}
	}
	all := []Finding{{Check: "valkey appendonly", Level: Fine, Detail: "is on"}}
	if f.Hidden {
		return append(all, Finding{"valkey settings", Warning, "are not told to this user",
			"look yourself: appendfsync everysec, auto-aof-rewrite-min-size 4gb, min-replicas-to-write"})
	}
	sync := Finding{Check: "valkey appendfsync", Level: Fine, Detail: "is " + f.AppendSync}
	switch {
	case f.AppendSync != "everysec" && f.AppendSync != "always":
		sync.Level, sync.Detail, sync.Fix = needed, sync.Detail+": the system decides when changes reach the disk",
			configSet("appendfsync", "everysec")
	case f.AppendSync == "everysec" && tier == valkey.DurableDisk:
		sync.Level, sync.Fix = Warning, configSet("appendfsync", "always")
		sync.Detail += ": with valkey.durability disk, acknowledgements and finals wait for it, up to a second"
	}
	rewrite := Finding{Check: "valkey auto-aof-rewrite-min-size", Level: Fine, Detail: "is " + size(f.RewriteMin)}
	if f.RewriteMin < leastRewrite {
		rewrite.Level, rewrite.Detail = Warning, rewrite.Detail+": the file would be rewritten all the time"
		rewrite.Fix = configSet("auto-aof-rewrite-min-size", "4gb")
	}
	return append(all, sync, rewrite)
}

const (
	// sessionTraffic is the bytes a second of a speaking session of 16 kHz and 16 bits, with what
	// goes around them.
	sessionTraffic = 36_000
	// replicaAway is how many seconds of traffic are kept for a replica that was away.
	replicaAway = 60
)

// judgeReplicas wants the replicas that the tier needs, and that they can catch up.
func judgeReplicas(f valkey.Facts, c config.Config) []Finding {
	if f.Replicas == 0 && c.Valkey.Durability != valkey.DurableReplica {
		return nil
	}
	var all []Finding
	if f.Replicas == 0 {
		all = append(all, Finding{"valkey replicas", Failure, "there are none, which valkey.durability replica needs",
			"REPLICAOF on another server"})
	}
	if c.Valkey.Durability == valkey.DurableReplica && !f.Hidden {
		least := Finding{Check: "valkey min-replicas-to-write", Level: Fine, Detail: "is " +
			strconv.Itoa(f.ReplicasToWrite)}
		if f.ReplicasToWrite == 0 {
			least.Level, least.Detail = Warning, "is 0: a primary that is cut off goes on taking changes that are lost"
			least.Fix = configSet("min-replicas-to-write", "1")
		}
		all = append(all, least)
	}
	sessions := c.Limits.Sessions
	if sessions == 0 {
		sessions = 1000
	}
	want := int64(sessions) * sessionTraffic * replicaAway
	backlog := Finding{Check: "valkey repl-backlog-size", Level: Fine, Detail: "is " + size(f.Backlog)}
	if f.Backlog < want {
		backlog.Level = Warning
		backlog.Detail += fmt.Sprintf(", less than %d s of the traffic of %d sessions", replicaAway, sessions)
		backlog.Fix = configSet("repl-backlog-size", strconv.FormatInt(want, 10))
	}
	return append(all, backlog)
}
