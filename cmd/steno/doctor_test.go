package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"database/sql"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/cmd/cmdtest"
	"steno/cmd/steno/config"
	"steno/cmd/steno/recognizers"
	"steno/cmd/steno/recognizers/recognizerstest"
	"steno/cmd/steno/terminal"
	"steno/gateway/limits"
	"steno/session/store/embedded"
	"steno/session/store/valkey"
	"steno/session/store/valkeytest"
)

// examined is what steno doctor finds, by check.
type examined map[string]finding

// examine runs steno doctor with flags and variables. The command fails where a finding is a
// failure, and only there.
func examine(t *testing.T, args []string, environ ...string) examined {
	t.Helper()
	var out bytes.Buffer
	p := process{stdout: &out, stderr: io.Discard, environ: environ}
	err := run(t.Context(), append([]string{"doctor", "--json"}, args...), p)
	var list []finding
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	all, failures := examined{}, false
	for _, f := range list {
		if _, twice := all[f.Check]; twice {
			t.Errorf("%s is found twice", f.Check)
		}
		if (f.Fix == "") != (f.Level == fine) {
			t.Errorf("%s is %s, with the fix %q", f.Check, f.Level, f.Fix)
		}
		all[f.Check] = f
		failures = failures || f.Level == failure
	}
	if (err != nil) != failures {
		t.Errorf("failures: %v, but the command's error is %v", failures, err)
	}
	return all
}

// wants fails unless the check has found what has that level.
func (e examined) wants(t *testing.T, check string, want level, text string) {
	t.Helper()
	f, ok := e[check]
	if !ok || f.Level != want || !strings.Contains(f.Detail+f.Fix, text) {
		t.Errorf("%s is %+v, want %s with %q", check, f, want, text)
	}
}

// quick are flags with which no engine starts.
func quick(t *testing.T) []string {
	return []string{"--data", t.TempDir(), "--engine", "scripted"}
}

// emptyFolder is a data folder in which there is nothing yet.
func emptyFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	s, err := embedded.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// spoil damages a page in the middle of a data folder's database, and returns the file and what it
// holds then.
func spoil(t *testing.T, dir string) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(dir, "steno.db")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(content[len(content)/8192*4096:], bytes.Repeat([]byte{0xEE}, 4096))
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, content
}

// The doctor of a new version leaves the database of an old one what it is: it is migrated at the
// start, and not backwards.
func TestDoctorMigratesNothing(t *testing.T) {
	dir := emptyFolder(t)
	db, err := sql.Open("sqlite", filepath.Join(dir, "steno.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	version := func() (n int) {
		if err := db.QueryRowContext(t.Context(), `SELECT max(version_id) FROM goose_db_version`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := db.ExecContext(t.Context(),
		`DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`); err != nil {
		t.Fatal(err)
	}
	old := version()
	examine(t, []string{"--data", dir, "--engine", "scripted"}).wants(t, "API keys", warning, "there are none")
	if now := version(); now != old {
		t.Errorf("the database of version %d has become one of version %d", old, now)
	}
}

func TestDoctorHost(t *testing.T) {
	dir := t.TempDir()
	good := examine(t, []string{"--data", dir, "--engine", "scripted"}, "STENO_API_KEYS=sixteen-letters1",
		"STENO_LIMITS_FREE_DISK_BYTES=1")
	for _, check := range []string{"configuration", "data folder", "disk", "open files", "API keys", "public URL"} {
		good.wants(t, check, fine, "")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the data folder has %v, %v", entries, err)
	}

	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	examine(t, []string{"--data", file}).wants(t, "data folder", failure, "chown")
	examine(t, []string{"--data", filepath.Join(dir, "new", "folder")}).wants(t, "data folder", fine, "new/folder")
	bad := examine(t, quick(t), "STENO_API_KEYS=short", "STENO_LIMITS_FREE_DISK_BYTES=9000000000000000000",
		"STENO_RECORDINGS_SANDBOX=off")
	bad.wants(t, "API keys", failure, "STENO_API_KEYS")
	bad.wants(t, "disk", failure, "retention")
	if _, err := exec.LookPath("ffmpeg"); err == nil {
		bad.wants(t, "recorded files", warning, "recordings.sandbox")
	}
	if f := judgeDescriptors(300, limits.Limits{Sessions: 1000}); f.Level != warning {
		t.Errorf("300 descriptors for 1000 sessions: %+v", f)
	}
	examine(t, quick(t), "STENO_LIMITS_IDLE=0s").wants(t, "configuration", failure, "limits.idle")
	t.Setenv("PATH", t.TempDir())
	examine(t, quick(t)).wants(t, "recorded files", warning, "apt install ffmpeg")
}

func TestDoctorKeysAndLock(t *testing.T) {
	dir := t.TempDir()
	s, err := embedded.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--data", dir, "--engine", "scripted"}
	used := examine(t, args)
	used.wants(t, "lock", warning, "another process")
	used.wants(t, "API keys", warning, "steno keys add")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"keys", "add", "--data", dir}, process{stdout: io.Discard,
		stderr: io.Discard}); err != nil {
		t.Fatal(err)
	}
	free := examine(t, args)
	free.wants(t, "lock", fine, "")
	free.wants(t, "API keys", fine, "store")
}

func TestDoctorPublicURL(t *testing.T) {
	healthy := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/base/healthz" || !healthy {
			http.Error(w, "away", http.StatusBadGateway)
		}
	}))
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	args, variable := append(quick(t), "--public-url"), "STENO_PUBLIC_URL="+server.URL+"/base"
	examine(t, args, variable).wants(t, "public URL", fine, "answers")
	healthy = false
	examine(t, args, variable).wants(t, "public URL", failure, "502")
	examine(t, quick(t), variable).wants(t, "public URL", fine, "127.0.0.1")
	examine(t, quick(t), "STENO_PUBLIC_URL=https://steno.invalid").wants(t, "public URL", failure, "steno.invalid")
	examine(t, quick(t), "STENO_PUBLIC_URL=steno.example.org").wants(t, "public URL", failure, "scheme")
}

func TestDoctorBlob(t *testing.T) {
	dir := t.TempDir()
	check := func(address string) examined {
		return examine(t, append(quick(t), "--valkey", "127.0.0.1:1", "--blob", address))
	}
	found := check("file://" + dir)
	found.wants(t, "blob", fine, "deleted")
	found.wants(t, "API keys", failure, "valkey.address")
	check("file://"+filepath.Join(dir, "new", "folder")).wants(t, "blob", failure, "is not there")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	check("ftp://host").wants(t, "configuration", failure, "ftp")
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check("file://"+file).wants(t, "blob", failure, "")
	examine(t, append(quick(t), "--blob", "file://"+dir)).wants(t, "configuration", failure, "together")
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
	manual, err := os.ReadFile("OPERATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	rules := strings.Fields(strings.Replace(valkey.DefaultRules(), "on ", "on >PASSWORD ", 1))
	if text := strings.Join(strings.Fields(strings.ReplaceAll(string(manual), "\\\n", " ")),
		" "); !strings.Contains(text, strings.Join(rules, " ")) {
		t.Errorf("the manual lacks the rules %s", strings.Join(rules, " "))
	}
	set()
	onValkey(t, addr, valkey.DurableDisk).wants(t, "valkey ACL", fine, "all commands")
	for _, command := range []string{"zadd", "hgetall", "publish", "subscribe", "xadd", "evalsha", "eval", "info",
		"time"} {
		set("-" + command)
		onValkey(t, addr, valkey.DurableProcess).wants(t, "valkey ACL", failure, strings.ToUpper(command))
	}
	set("-hset", "-lrange")
	lacks := onValkey(t, addr, valkey.DurableProcess)
	lacks.wants(t, "valkey ACL", failure, "HSET, LRANGE")
	if fix := lacks["valkey ACL"].Fix; !strings.Contains(fix, "+hset +lrange") {
		t.Errorf("fix %q", fix)
	}
	set("-bgrewriteaof")
	onValkey(t, addr, valkey.DurableProcess).wants(t, "valkey ACL", warning, "BGREWRITEAOF")
	set("-config|get", "-command|info")
	hidden := onValkey(t, addr, valkey.DurableProcess)
	hidden.wants(t, "valkey ACL", fine, "")
	hidden.wants(t, "valkey settings", warning, "not told")
}

// Gateways report by which clock they go.
func TestDoctorClocks(t *testing.T) {
	f := valkey.Facts{Nodes: []string{"a", "b", "c"}, Clocks: map[string]time.Duration{"a": -time.Second, "b": 0,
		"c": 40 * time.Second}}
	if got := judgeClocks(f); got.Level != failure || !strings.Contains(got.Detail, "41s") ||
		!strings.Contains(got.Detail, "(a is behind, c ahead)") {
		t.Errorf("%+v", got)
	}
	f.Clocks["c"] = 0
	if got := judgeClocks(f); got.Level != warning {
		t.Errorf("%+v", got)
	}
	f.Clocks["a"] = 100 * time.Millisecond
	if got := judgeClocks(f); got.Level != fine {
		t.Errorf("%+v", got)
	}
}

// A machine on which recognition takes longer than speech is reported.
func TestDoctorSpeed(t *testing.T) {
	for took, want := range map[time.Duration]level{time.Second: fine, 5 * time.Second: warning,
		7 * time.Second: failure} {
		if got := judgeSpeed("speed", "fix", took); got.Level != want {
			t.Errorf("%v: %+v", took, got)
		}
	}
}

// Damage of a data folder is found before a gateway starts, and nothing is changed by that.
func TestDoctorDamage(t *testing.T) {
	dir := emptyFolder(t)
	check := func() examined { return examine(t, []string{"--data", dir, "--engine", "scripted"}) }
	check().wants(t, "stored data", fine, "no damage")
	path, content := spoil(t, dir)
	check().wants(t, "stored data", failure, "database is damaged")
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
		t.Errorf("the database was changed, %v", err)
	}
}

func TestDoctorTLSFiles(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	authority := filepath.Join(dir, "ca.pem")
	config := filepath.Join(dir, "steno.yml")
	text := "engines: {more: {gpu: {riva: {addresses: ['127.0.0.1:1'], tls: {enabled: true, ca: '" + authority +
		"'}}}}}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append(quick(t), "--config", config)
	examine(t, args).wants(t, "TLS of engine gpu", failure, "riva.tls")
	for _, c := range []struct {
		valid time.Duration
		want  level
	}{{2 * expiresSoon, fine}, {expiresSoon / 2, warning}, {-time.Hour, failure}} {
		writeCertificate(t, authority, now.Add(c.valid))
		examine(t, args).wants(t, "TLS of engine gpu", c.want, now.Add(c.valid).UTC().Format(time.DateOnly))
	}
}

// writeCertificate writes a certificate that has signed itself and ends at a time.
func writeCertificate(t *testing.T, path string, end time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: end.Add(-365 * 24 * time.Hour), NotAfter: end,
		IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDoctorEngines(t *testing.T) {
	missing := examine(t, append(quick(t), "--config", engineConfig(t, "/nowhere/steno-engine")),
		"STENO_ENGINES_SANDBOX=off")
	missing.wants(t, "engine program", failure, "engines.binary")
	missing.wants(t, "engine sandbox", warning, "may do what steno may")
	if testing.Short() {
		t.Skip("builds steno-engine")
	}
	binary := cmdtest.Build(t, "steno-engine")
	config := engineConfig(t, binary)
	good := examine(t, append(quick(t), "--config", config))
	good.wants(t, "engine program", fine, binary)
	good.wants(t, "engine sandbox", fine, "Landlock")
	good.wants(t, "engines of stt-1", fine, "ready")
	good.wants(t, "speed of stt-1", fine, "real-time factor")
	bad := examine(t, []string{"--config", config, "--data", t.TempDir(), "--engine", "sphinx"},
		"STENO_ENGINES_SPHINX_MODEL=/nowhere")
	bad.wants(t, "engines of stt-1", failure, "models.stt-1")
	bad.wants(t, "engines of stt-3", warning, "models.stt-3")
	examine(t, []string{"--config", config, "--data", t.TempDir(), "--engine", "sherpa"}).wants(t, "models", warning,
		"steno models pull")
}

// TestDoctorModelsFolder checks a folder of models that cannot be read.
func TestDoctorModelsFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model.tar.bz2")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	var d deployment
	d.Engines.Models = file
	if got := d.checkModels(); got.Level != failure || !strings.Contains(got.Detail, file) ||
		!strings.Contains(got.Detail, "not a directory") {
		t.Errorf("%+v", got)
	}
}

// engineConfig writes a configuration with that engine program.
func engineConfig(t *testing.T, binary string) string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "steno.yml")
	if err := os.WriteFile(config, []byte("engines: {binary: '"+binary+"'}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return config
}

// onValkey asks a server and judges it.
func onValkey(t *testing.T, addr string, tier valkey.Durability) examined {
	t.Helper()
	all := examined{}
	c := config.Config{Node: "node", Valkey: config.Valkey{Address: addr, Durability: tier},
		Limits: limits.Limits{Sessions: 100}}
	for _, f := range checkValkey(t.Context(), deployment{Setup: recognizers.Setup{Config: c}}) {
		all[f.Check] = f
	}
	return all
}

// TestDeployedValkey wants the settings that are measured to be those that are documented.
func TestDeployedValkey(t *testing.T) {
	compose, err := os.ReadFile("../../compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("DEPLOYMENT.md")
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
		if f.Level != fine && check != "valkey version" && check != "valkey latency" {
			t.Errorf("%s: %+v", check, f)
		}
	}
	for _, c := range []struct {
		setting, bad, good string
		check              string
		process, disk      level
	}{
		{"maxmemory-policy", "allkeys-lru", "noeviction", "valkey maxmemory-policy", failure, failure},
		{"appendonly", "no", "yes", "valkey appendonly", warning, failure},
		{"appendfsync", "no", "always", "valkey appendfsync", warning, failure},
		{"appendfsync", "everysec", "always", "valkey appendfsync", fine, warning},
		{"auto-aof-rewrite-min-size", "64mb", "4gb", "valkey auto-aof-rewrite-min-size", warning, warning},
		{"maxmemory", "0", "2gb", "valkey memory", warning, warning},
		{"cluster-enabled", "", "", "valkey role", fine, fine}, // cannot be changed
	} {
		if c.bad != "" {
			running.Must("CONFIG", "SET", c.setting, c.bad)
		}
		onValkey(t, running.Addr(), valkey.DurableProcess).wants(t, c.check, c.process, "")
		onValkey(t, running.Addr(), valkey.DurableDisk).wants(t, c.check, c.disk, "")
		if c.bad != "" {
			running.Must("CONFIG", "SET", c.setting, c.good)
		}
		onValkey(t, running.Addr(), valkey.DurableDisk).wants(t, c.check, fine, "")
	}
	running.Must("CONFIG", "SET", "maxmemory", "1")
	full := onValkey(t, running.Addr(), valkey.DurableProcess)
	full.wants(t, "valkey memory", failure, "more memory")
	full.wants(t, "valkey latency", failure, "OOM")
	running.Must("CONFIG", "SET", "maxmemory", "2gb")

	onValkey(t, running.Addr(), valkey.DurableProcess).wants(t, "gateways", fine, "none")
	_, err := openGateway(t, running.Addr()).Report(t.Context(), "gateway-1", nil, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	onValkey(t, running.Addr(), valkey.DurableProcess).wants(t, "gateways", fine, "gateway-1")

	proxy := valkeytest.NewProxy(t, running.Addr())
	proxy.Delay(latencyWarning + 5*time.Millisecond)
	if f := onValkey(t, proxy.Addr(), valkey.DurableProcess)["valkey latency"]; f.Level == fine {
		t.Errorf("a server that is slow: %+v", f)
	}

	running.Must("ACL", "SETUSER", "gateway", "on", ">pass", "~*", "&*", "+@all", "-config")
	hidden := onValkey(t, "valkey://gateway:pass@"+running.Addr(), valkey.DurableDisk)
	hidden.wants(t, "valkey settings", warning, "appendfsync")
	running.Kill()
	if f := onValkey(t, running.Addr(), valkey.DurableProcess)["valkey"]; f.Level != failure {
		t.Errorf("a server that has ended: %+v", f)
	}
}

// openGateway opens a store as a gateway does.
func openGateway(t *testing.T, addr string) *valkey.Store {
	t.Helper()
	s, err := valkey.Open(t.Context(), valkey.Options{Addr: addr, Node: "gateway-1", Blobs: t.TempDir(),
		Spool: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestDoctorReplicas(t *testing.T) {
	primary, replica := valkeytest.Start(t, "--repl-diskless-sync-delay", "0"), valkeytest.Start(t)
	alone := onValkey(t, primary.Addr(), valkey.DurableReplica)
	alone.wants(t, "valkey replicas", failure, "REPLICAOF")
	alone.wants(t, "valkey min-replicas-to-write", warning, "min-replicas-to-write 1")
	host, port, _ := strings.Cut(primary.Addr(), ":")
	replica.Must("REPLICAOF", host, port)
	for !strings.Contains(primary.Must("INFO", "replication"), "state=online") {
		time.Sleep(20 * time.Millisecond)
	}
	primary.Must("CONFIG", "SET", "min-replicas-to-write", "1")
	together := onValkey(t, primary.Addr(), valkey.DurableReplica)
	together.wants(t, "valkey min-replicas-to-write", fine, "")
	together.wants(t, "valkey repl-backlog-size", warning, "repl-backlog-size 216000000")
	primary.Must("CONFIG", "SET", "repl-backlog-size", "216000000")
	onValkey(t, primary.Addr(), valkey.DurableReplica).wants(t, "valkey repl-backlog-size", fine, "")
	onValkey(t, replica.Addr(), valkey.DurableReplica).wants(t, "valkey role", failure, "primary")
}

// TestDoctorJudgesValkey has what no server here shows.
func TestDoctorJudgesValkey(t *testing.T) {
	facts := valkey.Facts{Program: "valkey", Version: "8.1.0", Primary: true, Waits: true}
	for _, c := range []struct {
		change func(*valkey.Facts)
		judge  func(valkey.Facts) finding
		want   level
	}{
		{func(*valkey.Facts) {}, byVersion, fine},
		{func(f *valkey.Facts) { f.Version = "7.2.5" }, byVersion, warning},
		{func(f *valkey.Facts) { f.Program, f.Version = "redis", "7.4.1" }, byVersion, fine},
		{func(f *valkey.Facts) { f.Program, f.Version = "redis", "6.2.14" }, byVersion, failure},
		{func(f *valkey.Facts) { f.Program, f.Version = "dragonfly", "1.2" }, byVersion, warning},
		{func(f *valkey.Facts) { f.Waits = false }, byVersion, failure},
		{func(f *valkey.Facts) { f.Cluster = true }, judgeRole, failure},
		{func(f *valkey.Facts) { f.Clock = -time.Second }, judgeClock, warning},
		{func(f *valkey.Facts) { f.Clock = time.Hour }, judgeClock, failure},
		{func(f *valkey.Facts) { f.Median, f.Slowest = time.Millisecond, 100*time.Millisecond }, judgeLatency, fine},
		{func(f *valkey.Facts) { f.Median, f.Slowest = time.Millisecond, time.Second }, judgeLatency, warning},
		{func(f *valkey.Facts) { f.Median = time.Second }, judgeLatency, failure},
		{func(f *valkey.Facts) { f.Memory, f.MaxMemory = 95, 100 }, judgeMemory, failure},
		{func(f *valkey.Facts) { f.MaxMemory, f.Machine = 100, 50 }, judgeMemory, warning},
	} {
		one := facts
		c.change(&one)
		if f := c.judge(one); f.Level != c.want {
			t.Errorf("%+v: %+v, want %s", one, f, c.want)
		}
	}
}

func byVersion(f valkey.Facts) finding { return judgeVersion(f, valkey.DurableDisk) }

// What serves without a model, and the command that changes it, are in the findings.
func TestDoctorWithoutAModel(t *testing.T) {
	cfg, err := config.Load("", []string{"STENO_DATA=" + t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	c := recognizers.Setup{Config: cfg}
	found := deployment{Setup: c}.checkModels()
	if found.Level != warning || !strings.Contains(found.Detail, "PocketSphinx serves") ||
		found.Fix != "steno models pull moonshine-tiny-en --models "+terminal.ShellWord(c.ModelsFolder()) {
		t.Errorf("%+v", found)
	}
	recognizerstest.InstallMoonshine(t, c.ModelsFolder())
	if found := (deployment{Setup: c}).checkModels(); found.Level != fine ||
		found.Detail != "tiny (licence: MIT)" {
		t.Errorf("%+v", found)
	}
}
