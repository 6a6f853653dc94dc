package doctor

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/cmd/steno/config"
	"steno/cmd/steno/recognizers"
	"steno/gateway/limits"
	"steno/session/store/valkey"
	"steno/session/store/valkeytest"
)

// onValkey asks a server and judges it.
func onValkey(t *testing.T, addr string, tier valkey.Durability) examined {
	t.Helper()
	all := examined{}
	c := config.Config{Node: "node", Valkey: config.Valkey{Address: addr, Durability: tier},
		Limits: limits.Limits{Sessions: 100}}
	for _, f := range checkValkey(t.Context(), Deployment{Setup: recognizers.Setup{Config: c}}) {
		all[f.Check] = f
	}
	return all
}

// What the user of a server may not do is found, command by command, and a user with the rules of
// the manual lacks nothing.
func TestDoctorAccess(t *testing.T) {
	server := valkeytest.Start(t, valkeytest.Deployed()...)
	addr := "valkey://steno:secret@" + server.Addr()
	set := func(rules ...string) {
		t.Helper()
		server.Must("ACL", "DELUSER", "steno")
		server.Must(append([]string{"ACL", "SETUSER", "steno", ">secret", valkey.DefaultRules()}, rules...)...)
	}
	manual, err := os.ReadFile("../OPERATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	rules := strings.Fields(strings.Replace(valkey.DefaultRules(), "on ", "on >PASSWORD ", 1))
	if text := strings.Join(strings.Fields(strings.ReplaceAll(string(manual), "\\\n", " ")),
		" "); !strings.Contains(text, strings.Join(rules, " ")) {
		t.Errorf("the manual lacks the rules %s", strings.Join(rules, " "))
	}
	set()
	onValkey(t, addr, valkey.DurableDisk).wants(t, "valkey ACL", Fine, "all commands")
	for _, command := range []string{"zadd", "hgetall", "publish", "subscribe", "xadd", "evalsha", "eval", "info",
		"time"} {
		set("-" + command)
		onValkey(t, addr, valkey.DurableProcess).wants(t, "valkey ACL", Failure, strings.ToUpper(command))
	}
	set("-hset", "-lrange")
	lacks := onValkey(t, addr, valkey.DurableProcess)
	lacks.wants(t, "valkey ACL", Failure, "HSET, LRANGE")
	if fix := lacks["valkey ACL"].Fix; !strings.Contains(fix, "+hset +lrange") {
		t.Errorf("fix %q", fix)
	}
	set("-bgrewriteaof")
	onValkey(t, addr, valkey.DurableProcess).wants(t, "valkey ACL", Warning, "BGREWRITEAOF")
	set("-config|get", "-command|info")
	hidden := onValkey(t, addr, valkey.DurableProcess)
	hidden.wants(t, "valkey ACL", Fine, "")
	hidden.wants(t, "valkey settings", Warning, "not told")
}

// Gateways report by which clock they go.
func TestDoctorClocks(t *testing.T) {
	f := valkey.Facts{Nodes: []string{"a", "b", "c"}, Clocks: map[string]time.Duration{"a": -time.Second, "b": 0,
		"c": 40 * time.Second}}
	if got := judgeClocks(f); got.Level != Failure || !strings.Contains(got.Detail, "41s") ||
		!strings.Contains(got.Detail, "(a is behind, c ahead)") {
		t.Errorf("%+v", got)
	}
	f.Clocks["c"] = 0
	if got := judgeClocks(f); got.Level != Warning {
		t.Errorf("%+v", got)
	}
	f.Clocks["a"] = 100 * time.Millisecond
	if got := judgeClocks(f); got.Level != Fine {
		t.Errorf("%+v", got)
	}
}

// TestDeployedValkey wants the settings that are measured to be those that are documented.
func TestDeployedValkey(t *testing.T) {
	compose, err := os.ReadFile("../../../compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../DEPLOYMENT.md")
	if err != nil {
		t.Fatal(err)
	}
	settings := valkeytest.Deployed()
	if command := strings.Join(settings, " "); !strings.Contains(strings.Join(strings.Fields(string(compose)), " "),
		"valkey-server "+command+" ") {
		t.Errorf("compose.yml does not start the server with %s", command)
	}
	for _, setting := range []string{"maxmemory-policy", "appendonly", "auto-aof-rewrite-min-size"} {
		at := slices.Index(settings, "--"+setting)
		if want := "`" + setting + " " + settings[at+1] + "`"; !bytes.Contains(guide, []byte(want)) {
			t.Errorf("DEPLOYMENT.md does not ask for %s", want)
		}
	}
}

func TestDoctorValkey(t *testing.T) {
	running := valkeytest.Start(t, valkeytest.Deployed()...)
	for check, f := range onValkey(t, running.Addr(), valkey.DurableProcess) {
		if f.Level != Fine && check != "valkey version" && check != "valkey latency" {
			t.Errorf("%s: %+v", check, f)
		}
	}
	for _, c := range []struct {
		setting, bad, good string
		check              string
		process, disk      Level
	}{
		{"maxmemory-policy", "allkeys-lru", "noeviction", "valkey maxmemory-policy", Failure, Failure},
		{"appendonly", "no", "yes", "valkey appendonly", Warning, Failure},
		{"appendfsync", "no", "always", "valkey appendfsync", Warning, Failure},
		{"appendfsync", "everysec", "always", "valkey appendfsync", Fine, Warning},
		{"auto-aof-rewrite-min-size", "64mb", "4gb", "valkey auto-aof-rewrite-min-size", Warning, Warning},
		{"maxmemory", "0", "2gb", "valkey memory", Warning, Warning},
		{"cluster-enabled", "", "", "valkey role", Fine, Fine}, // cannot be changed
	} {
		if c.bad != "" {
			running.Must("CONFIG", "SET", c.setting, c.bad)
		}
		onValkey(t, running.Addr(), valkey.DurableProcess).wants(t, c.check, c.process, "")
		onValkey(t, running.Addr(), valkey.DurableDisk).wants(t, c.check, c.disk, "")
		if c.bad != "" {
			running.Must("CONFIG", "SET", c.setting, c.good)
		}
		onValkey(t, running.Addr(), valkey.DurableDisk).wants(t, c.check, Fine, "")
	}
	running.Must("CONFIG", "SET", "maxmemory", "1")
	full := onValkey(t, running.Addr(), valkey.DurableProcess)
	full.wants(t, "valkey memory", Failure, "more memory")
	full.wants(t, "valkey latency", Failure, "OOM")
	running.Must("CONFIG", "SET", "maxmemory", "2gb")

	onValkey(t, running.Addr(), valkey.DurableProcess).wants(t, "gateways", Fine, "none")
	gateway, err := valkey.Open(t.Context(), valkey.Options{Addr: running.Addr(), Node: "gateway-1",
		Blobs: t.TempDir(), Spool: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	if _, err := gateway.Report(t.Context(), "gateway-1", nil, time.Minute); err != nil {
		t.Fatal(err)
	}
	onValkey(t, running.Addr(), valkey.DurableProcess).wants(t, "gateways", Fine, "gateway-1")

	proxy := valkeytest.NewProxy(t, running.Addr())
	proxy.Delay(latencyWarning + 5*time.Millisecond)
	if f := onValkey(t, proxy.Addr(), valkey.DurableProcess)["valkey latency"]; f.Level == Fine {
		t.Errorf("a server that is slow: %+v", f)
	}

	running.Must("ACL", "SETUSER", "gateway", "on", ">pass", "~*", "&*", "+@all", "-config")
	hidden := onValkey(t, "valkey://gateway:pass@"+running.Addr(), valkey.DurableDisk)
	hidden.wants(t, "valkey settings", Warning, "appendfsync")
	running.Kill()
	if f := onValkey(t, running.Addr(), valkey.DurableProcess)["valkey"]; f.Level != Failure {
		t.Errorf("a server that has ended: %+v", f)
	}
}

func TestDoctorReplicas(t *testing.T) {
	primary, replica := valkeytest.Start(t, "--repl-diskless-sync-delay", "0"), valkeytest.Start(t)
	alone := onValkey(t, primary.Addr(), valkey.DurableReplica)
	alone.wants(t, "valkey replicas", Failure, "REPLICAOF")
	alone.wants(t, "valkey min-replicas-to-write", Warning, "min-replicas-to-write 1")
	host, port, _ := strings.Cut(primary.Addr(), ":")
	replica.Must("REPLICAOF", host, port)
	for !strings.Contains(primary.Must("INFO", "replication"), "state=online") {
		time.Sleep(20 * time.Millisecond)
	}
	primary.Must("CONFIG", "SET", "min-replicas-to-write", "1")
	together := onValkey(t, primary.Addr(), valkey.DurableReplica)
	together.wants(t, "valkey min-replicas-to-write", Fine, "")
	together.wants(t, "valkey repl-backlog-size", Warning, "repl-backlog-size 216000000")
	primary.Must("CONFIG", "SET", "repl-backlog-size", "216000000")
	onValkey(t, primary.Addr(), valkey.DurableReplica).wants(t, "valkey repl-backlog-size", Fine, "")
	onValkey(t, replica.Addr(), valkey.DurableReplica).wants(t, "valkey role", Failure, "primary")
}

// TestDoctorJudgesValkey has what no server here shows.
func TestDoctorJudgesValkey(t *testing.T) {
	facts := valkey.Facts{Program: "valkey", Version: "8.1.0", Primary: true, Waits: true}
	for _, c := range []struct {
		change func(*valkey.Facts)
		judge  func(valkey.Facts) Finding
		want   Level
	}{
		{func(*valkey.Facts) {}, byVersion, Fine},
		{func(f *valkey.Facts) { f.Version = "7.2.5" }, byVersion, Warning},
		{func(f *valkey.Facts) { f.Program, f.Version = "redis", "7.4.1" }, byVersion, Fine},
		{func(f *valkey.Facts) { f.Program, f.Version = "redis", "6.2.14" }, byVersion, Failure},
		{func(f *valkey.Facts) { f.Program, f.Version = "dragonfly", "1.2" }, byVersion, Warning},
		{func(f *valkey.Facts) { f.Waits = false }, byVersion, Failure},
		{func(f *valkey.Facts) { f.Cluster = true }, judgeRole, Failure},
		{func(f *valkey.Facts) { f.Clock = -time.Second }, judgeClock, Warning},
		{func(f *valkey.Facts) { f.Clock = time.Hour }, judgeClock, Failure},
		{func(f *valkey.Facts) { f.Median, f.Slowest = time.Millisecond, 100*time.Millisecond }, judgeLatency, Fine},
		{func(f *valkey.Facts) { f.Median, f.Slowest = time.Millisecond, time.Second }, judgeLatency, Warning},
		{func(f *valkey.Facts) { f.Median = time.Second }, judgeLatency, Failure},
		{func(f *valkey.Facts) { f.Memory, f.MaxMemory = 95, 100 }, judgeMemory, Failure},
		{func(f *valkey.Facts) { f.MaxMemory, f.Machine = 100, 50 }, judgeMemory, Warning},
	} {
		one := facts
		c.change(&one)
		if f := c.judge(one); f.Level != c.want {
			t.Errorf("%+v: %+v, want %s", one, f, c.want)
		}
	}
}

func byVersion(f valkey.Facts) Finding { return judgeVersion(f, valkey.DurableDisk) }
