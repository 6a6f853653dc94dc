// Package config is what can be configured of steno: the keys of the configuration file, their
// defaults, which values they take, and how the file and the environment are read.
//
// It reads and checks values. It opens and starts nothing: what works by them is set up elsewhere,
// in the other packages of cmd/steno. There are neither goroutines nor locks.
package config

import (
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"time"

	"golang.org/x/net/http/httpguts"

	"steno/gateway"
	"steno/gateway/admission"
	calls "steno/gateway/callbacks"
	"steno/gateway/limits"
)

// Defaults is the annotated configuration file: every key with its default. It is what `steno
// config` prints, so what is documented is what is in force.
//
//go:embed steno.yml
var Defaults []byte

// Config is everything that can be configured; steno.yml documents what each key means. The tags
// bounds and choices of a field specify which values it takes; see [bounds] and [choicesOf].
type Config struct {
	Listen         string                   `yaml:"listen"`
	Admin          string                   `yaml:"admin"`
	AdminToken     string                   `yaml:"admin_token"`
	Data           string                   `yaml:"data"`
	Node           string                   `yaml:"node"`
	Valkey         Valkey                   `yaml:"valkey"`
	Blob           string                   `yaml:"blob"`
	PublicURL      string                   `yaml:"public_url"`
	TLS            ServerTLS                `yaml:"tls"`
	Hosts          []string                 `yaml:"hosts"`
	TrustedProxies []string                 `yaml:"trusted_proxies"`
	CORSOrigin     string                   `yaml:"cors_origin"`
	KeyHeaders     []string                 `yaml:"key_headers"`
	Keys           map[string]ConfiguredKey `yaml:"keys"`
	Strict         bool                     `yaml:"strict"`
	AllowPrivate   bool                     `yaml:"allow_private"`
	Engine         string                   `yaml:"engine"`
	Engines        Engines                  `yaml:"engines"`
	Models         Models                   `yaml:"models"`
	Addons         Addons                   `yaml:"addons"`
	Operators      []string                 `yaml:"operators"`
	Admission      admission.Config         `yaml:"admission"`
	Limits         limits.Limits            `yaml:"limits"`
	Recordings     Recordings               `yaml:"recordings"`
	Retention      Retention                `yaml:"retention"`
	Accounts       Accounts                 `yaml:"accounts"`
	Encryption     Encryption               `yaml:"encryption"`
	Callbacks      gateway.Callbacks        `yaml:"callbacks"`
	Dialects       Dialects                 `yaml:"dialects"`
	Audit          Audit                    `yaml:"audit"`
	Log            Log                      `yaml:"log"`
}

// checkCallbacks refuses values that cannot work.
func checkCallbacks(c gateway.Callbacks, fault faults) {
	if c.Secret != "" && calls.CheckSecret(c.Secret) != nil {
		fault("callbacks.secret must be whsec_ followed by the Base64 of 24 to 64 bytes")
	}
	if c.LongestRetry < c.FirstRetry || c.GiveUp < c.LongestRetry {
		fault("callbacks.longest_retry must not be less than first_retry, nor give_up less than longest_retry")
	}
}

// checkMessages refuses limits of messages that do not go together.
func checkMessages(l limits.Limits, fault faults) {
	if l.TextMessage > l.TextFrame || l.TextMessage > l.SocketBytes {
		fault("limits.text_message_bytes must not exceed limits.text_frame_bytes, nor limits.socket_bytes")
	}
}

// Audit specifies where the audit log is.
type Audit struct {
	File string        `yaml:"file"`
	Keep time.Duration `yaml:"keep" bounds:"0 or 1h.."`
	Most int64         `yaml:"most" bounds:"1000.."`
}

// Log specifies what is logged and how.
type Log struct {
	Level  string `yaml:"level" choices:"debug,info,warn,error"`
	Format string `yaml:"format" choices:"json,console"`
}

// faults is called with each fault of a configuration.
type faults func(format string, args ...any)

// Check returns an error that lists all values that cannot work.
func (c Config) Check() error {
	var all []error
	fault := func(format string, args ...any) { all = append(all, fmt.Errorf(format, args...)) }
	checkFields(reflect.ValueOf(c), "", fault)
	c.checkServer(fault)
	c.checkStore(fault)
	c.checkEngines(fault)
	c.Accounts.check(fault)
	c.Encryption.check(fault)
	c.Addons.check(fault)
	checkOperators(c.Operators, fault)
	checkMessages(c.Limits, fault)
	checkCallbacks(c.Callbacks, fault)
	return errors.Join(all...)
}

// The least and the greatest length of the operators' token, in bytes.
const leastToken, mostToken = 16, 512

// checkServer refuses addresses and names that cannot work.
func (c Config) checkServer(fault faults) {
	checkAddress("listen", c.Listen, fault)
	if c.Admin != "" {
		checkAddress("admin", c.Admin, fault)
	}
	if n := len(c.AdminToken); n > 0 && (n < leastToken || n > mostToken) {
		fault("admin_token must have %d to %d characters", leastToken, mostToken)
	}
	if c.Data == "" {
		fault("data must not be empty")
	}
	if len(c.KeyHeaders) == 0 {
		fault("key_headers must not be empty")
	}
	for _, name := range c.KeyHeaders {
		if !httpguts.ValidHeaderFieldName(name) {
			fault("key_headers: %q is no name of a header", name)
		}
	}
	if _, err := c.Proxies(); err != nil {
		fault("%w", err)
	}
	checkHosts(c.Hosts, fault)
	c.TLS.check(fault)
	c.Dialects.Wyoming.check("dialects.wyoming", fault)
}
