package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"golang.org/x/net/http/httpguts"

	"steno/gateway"
	"steno/gateway/admission"
	calls "steno/gateway/callbacks"
	"steno/gateway/limits"
	"steno/session/asr/models"
)

// defaults is the annotated configuration file: every key with its default. It is what `steno
// config` prints, so what is documented is what is in force.
//
//go:embed steno.yml
var defaults []byte

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

// loadConfig puts the defaults, the file and the environment on top of each other. With an empty
// path the file is the one that STENO_CONFIG names, if it does.
func loadConfig(path string, environ []string) (Config, error) {
	var c Config
	if err := decodeStrict(defaults, &c); err != nil {
		return c, fmt.Errorf("built-in steno.yml: %w", err)
	}
	if path == "" {
		path, _ = lookup(environ, "STENO_CONFIG")
	}
	if path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return c, fmt.Errorf("read configuration: %w", err)
		}
		if err := decodeStrict(text, &c); err != nil {
			return c, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := c.fromEnvironment(environ); err != nil {
		return c, err
	}
	if c.Engines.Store == "" {
		c.Engines.Store = models.StoreFolder(environ)
	}
	return c, nil
}

// decodeStrict refuses unknown keys, and anything after the end of the document.
func decodeStrict(text []byte, c *Config) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err := d.Decode(c)
	if err == nil {
		if err = d.Decode(new(any)); err == nil {
			return errors.New("there is more than one document, the first ends at a line of three hyphens")
		}
	}
	if !errors.Is(err, io.EOF) {
		return readable(err)
	}
	return nil
}

// fieldAt is the field of a configuration that a key's path names, such as limits.idle.
func fieldAt(v reflect.Value, path string) reflect.Value {
	first, rest, deeper := strings.Cut(path, ".")
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("yaml") != first {
			continue
		}
		if deeper {
			return fieldAt(v.Field(i), rest)
		}
		return v.Field(i)
	}
	panic("configuration: there is no key " + path)
}

// variable is a key as it stands in the name of an environment variable.
func variable(key string) string { return strings.ToUpper(strings.ReplaceAll(key, "-", "_")) }

// setField reads a value as the configuration file would; lists may be comma-separated.
func setField(field reflect.Value, text string) error {
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
		return nil
	case reflect.Slice:
		field.Set(reflect.ValueOf(splitList(text)))
		return nil
	default:
		return yaml.Unmarshal([]byte(text), field.Addr().Interface())
	}
}

// splitList takes "a, b" apart; empty parts are left out.
func splitList(text string) []string {
	list := []string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// lookup finds a variable in "NAME=value" strings; the last one wins.
func lookup(environ []string, name string) (value string, ok bool) {
	for _, e := range environ {
		if v, found := strings.CutPrefix(e, name+"="); found {
			value, ok = v, true
		}
	}
	return value, ok
}

// faults is called with each fault of a configuration.
type faults func(format string, args ...any)

// check returns an error that lists all values that cannot work.
func (c Config) check() error {
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
	if _, err := prefixes(c.TrustedProxies); err != nil {
		fault("%w", err)
	}
	checkHosts(c.Hosts, fault)
	c.TLS.check(fault)
	c.Dialects.Wyoming.check("dialects.wyoming", fault)
}
