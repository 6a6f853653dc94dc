package config

import (
	"crypto/tls"
	"maps"
	"slices"
	"strings"
	"time"

	"steno/messages"
	"steno/session/asr/realtime"
	"steno/session/asr/riva"
)

// Engines configures the engines.
type Engines struct {
	Binary         string                 `yaml:"binary"`
	Sandbox        string                 `yaml:"sandbox" choices:"required,off"`
	Models         string                 `yaml:"models"`
	Store          string                 `yaml:"store"`
	Patience       time.Duration          `yaml:"patience" bounds:"1ms.."`
	ReplayPatience time.Duration          `yaml:"replay_patience" bounds:"1ms.."`
	Sphinx         Sphinx                 `yaml:"sphinx"`
	Sherpa         Sherpa                 `yaml:"sherpa"`
	Moonshine      Moonshine              `yaml:"moonshine"`
	More           map[string]NamedEngine `yaml:"more"`
}

// Confined reports whether the programs of engines may do only what they need to.
func (e Engines) Confined() bool { return e.Sandbox != "off" }

// Sphinx configures PocketSphinx.
type Sphinx struct {
	Model         string        `yaml:"model"`
	LM            string        `yaml:"lm"`
	Dictionary    string        `yaml:"dictionary"`
	Language      string        `yaml:"language"`
	Slots         int           `yaml:"slots" bounds:"0..32"`
	Decoders      int           `yaml:"decoders" bounds:"0..64"`
	FinalDecoders int           `yaml:"final_decoders" bounds:"0..64"`
	Vocabularies  int           `yaml:"vocabularies" bounds:"0..32"`
	Accurate      bool          `yaml:"accurate"`
	PartialEvery  time.Duration `yaml:"partial_every" bounds:"0 or 100ms..5s"`
}

// Sherpa configures sherpa-onnx with the installed models.
type Sherpa struct {
	Use       []string      `yaml:"use"`
	Slots     int           `yaml:"slots" bounds:"0..64"`
	Threads   int           `yaml:"threads" bounds:"0..64"`
	Batch     int           `yaml:"batch" bounds:"0..64"`
	BatchWait time.Duration `yaml:"batch_wait" bounds:"0s..1s"`
	Greedy    bool          `yaml:"greedy"`
}

// Moonshine configures steno's own decoding of the installed models of Moonshine.
type Moonshine struct {
	Use     []string `yaml:"use"`
	Slots   int      `yaml:"slots" bounds:"0..64"`
	Decodes int      `yaml:"decodes" bounds:"0..5"`
}

// Scripted configures the engine that makes up words, for tests.
type Scripted struct {
	Delay  time.Duration `yaml:"delay" bounds:"0s.."`
	Factor float64       `yaml:"factor" bounds:"0.."`
	Slots  int           `yaml:"slots" bounds:"0.."`
}

// Riva configures servers with the Riva interface, steno-engine on other machines included.
type Riva struct {
	Addresses    []string          `yaml:"addresses"`
	TLS          TLS               `yaml:"tls"`
	Header       map[string]string `yaml:"header"`
	Model        string            `yaml:"model"`
	Language     string            `yaml:"language"`
	Auto         string            `yaml:"auto"`
	Tags         map[string]string `yaml:"tags"`
	Punctuation  bool              `yaml:"punctuation"`
	OpenTimeout  time.Duration     `yaml:"open_timeout" bounds:"0s.."`
	FinalTimeout time.Duration     `yaml:"final_timeout" bounds:"0s.."`
}

// TLS names the files that secure a connection.
type TLS struct {
	Enabled    bool   `yaml:"enabled"`
	CA         string `yaml:"ca"`
	Cert       string `yaml:"cert"`
	Key        string `yaml:"key"`
	ServerName string `yaml:"server_name"`
}

// Config reads the files; nil if TLS is not enabled.
func (t TLS) Config() (*tls.Config, error) {
	if !t.Enabled {
		return nil, nil
	}
	return riva.TLSFiles{CA: t.CA, Certificate: t.Cert, Key: t.Key, ServerName: t.ServerName}.Config()
}

// OpenAI configures a server with OpenAI's interface for transcriptions.
type OpenAI struct {
	URL          string        `yaml:"url"`
	Key          string        `yaml:"key"`
	KeyEnv       string        `yaml:"key_env"`
	Model        string        `yaml:"model"`
	Prompt       bool          `yaml:"prompt"`
	Concurrency  int           `yaml:"concurrency" bounds:"0.."`
	Timeout      time.Duration `yaml:"timeout" bounds:"0s.."`
	Speculate    bool          `yaml:"speculate"`
	Partials     bool          `yaml:"partials"`
	PartialEvery time.Duration `yaml:"partial_every" bounds:"0s.."`
}

// Realtime configures a server with OpenAI's realtime interface for transcriptions, or one like it.
type Realtime struct {
	URL            string        `yaml:"url"`
	Key            string        `yaml:"key"`
	KeyEnv         string        `yaml:"key_env"`
	Model          string        `yaml:"model"`
	Variant        string        `yaml:"variant"`
	Detects        bool          `yaml:"detects"`
	Prompt         bool          `yaml:"prompt"`
	Keywords       bool          `yaml:"keywords"`
	Concurrency    int           `yaml:"concurrency" bounds:"0.."`
	ConnectTimeout time.Duration `yaml:"connect_timeout" bounds:"0s.."`
	Timeout        time.Duration `yaml:"timeout" bounds:"0s.."`
	Idle           time.Duration `yaml:"idle" bounds:"0s.."`
	Renew          time.Duration `yaml:"renew" bounds:"0s.."`
}

// check reports what cannot work.
func (r *Realtime) check(at string, fault faults) {
	if r.URL == "" {
		fault("%s.url must not be empty", at)
	}
	if r.Variant != "" && !slices.Contains(realtime.Variants(), r.Variant) {
		fault("%s.variant must be one of %s, not %q", at, strings.Join(realtime.Variants(), ", "), r.Variant)
	}
}

// NamedEngine is an engine with a name of the operator's. Exactly one of the pointers is set: its
// kind.
type NamedEngine struct {
	Sphinx    *Sphinx    `yaml:"sphinx"`
	Sherpa    *Sherpa    `yaml:"sherpa"`
	Moonshine *Moonshine `yaml:"moonshine"`
	Scripted  *Scripted  `yaml:"scripted"`
	Riva      *Riva      `yaml:"riva"`
	OpenAI    *OpenAI    `yaml:"openai"`
	Realtime  *Realtime  `yaml:"realtime"`

	Languages []string `yaml:"languages"`
	Partials  string   `yaml:"partials"`
	Weight    float64  `yaml:"weight" bounds:"0.."`
}

// kinds returns how many kinds are set.
func (e NamedEngine) kinds() (n int) {
	for _, set := range []bool{e.Sphinx != nil, e.Sherpa != nil, e.Moonshine != nil, e.Scripted != nil, e.Riva != nil,
		e.OpenAI != nil, e.Realtime != nil} {
		if set {
			n++
		}
	}
	return n
}

// Models specifies which engines serve the API's models.
type Models struct {
	STT1      Plan   `yaml:"stt-1"`
	STT3      Plan   `yaml:"stt-3"`
	STTFusion Fusion `yaml:"stt-fusion"`
}

// Plan is the engines of a model, the preferred first.
type Plan struct {
	Engines         []string            `yaml:"engines"`
	ByLanguage      map[string][]string `yaml:"by_language"`
	DefaultLanguage string              `yaml:"default_language"`
}

// Fusion is the engines that vote. Without any, the model has the engines of stt-1, the first
// preferred, the others fallbacks.
type Fusion struct {
	Engines []string `yaml:"engines"`
}

// builtIn are the engines that need no configuration.
var builtIn = []string{"sphinx", "sherpa", "moonshine", "scripted"}

// autoEngines are the engines of `engine: auto`. The last one stands in for the others, see
// [Config.StandsIn].
var autoEngines = []string{"sherpa", "moonshine", "sphinx"}

// preferred returns the engines of a model that names none.
func (c Config) preferred() []string {
	if c.Engine == "auto" {
		return autoEngines
	}
	return []string{c.Engine}
}

// Plan completes a model's plan.
func (c Config) Plan(p Plan) Plan {
	if len(p.Engines) == 0 {
		p.Engines = c.preferred()
	}
	return p
}

// EngineNames lists all engines that a model or another engine uses; sorted.
func (c Config) EngineNames() []string {
	return slices.Sorted(maps.Keys(c.enginesOf(c.Plan(c.Models.STT1), c.Plan(c.Models.STT3))))
}

// StandsIn reports whether an engine is there only in case the others of `engine: auto` have no
// models: it is the last of them, and nothing else names it.
func (c Config) StandsIn(name string) bool {
	last := autoEngines[len(autoEngines)-1]
	return c.Engine == "auto" && name == last && !c.enginesOf(c.Models.STT1, c.Models.STT3)[name]
}

// enginesOf returns the engines that plans and the fusion name, with the engines of their partials.
func (c Config) enginesOf(plans ...Plan) map[string]bool {
	used := map[string]bool{}
	var use func(names ...string)
	use = func(names ...string) {
		for _, name := range names {
			if name == "" || used[name] {
				continue
			}
			used[name] = true
			use(c.Engines.More[name].Partials)
		}
	}
	for _, p := range plans {
		use(p.Engines...)
		for _, names := range p.ByLanguage {
			use(names...)
		}
	}
	use(c.Models.STTFusion.Engines...)
	return used
}

// checkEngines reports engines and models that cannot work.
func (c Config) checkEngines(fault faults) {
	if c.Engine != "auto" && !c.hasEngine(c.Engine) {
		fault("engine must be auto, sphinx, sherpa, moonshine, scripted or the name of one of engines.more, not %q",
			c.Engine)
	}
	c.Engines.Sphinx.check("engines.sphinx", fault)
	for _, name := range slices.Sorted(maps.Keys(c.Engines.More)) {
		c.checkNamed(name, fault)
	}
	c.checkPlan("models.stt-1", c.Models.STT1, fault)
	c.checkPlan("models.stt-3", c.Models.STT3, fault)
	c.checkNames("models.stt-fusion.engines", c.Models.STTFusion.Engines, fault)
}

func (c Config) hasEngine(name string) bool {
	_, more := c.Engines.More[name]
	return more || slices.Contains(builtIn, name)
}

func (c Config) checkNamed(name string, fault faults) {
	e, at := c.Engines.More[name], "engines.more."+name
	if name == "auto" || slices.Contains(builtIn, name) {
		fault("%s: the name is taken", at)
	}
	if e.kinds() != 1 {
		fault("%s must have exactly one of sphinx, sherpa, moonshine, scripted, riva, openai and realtime", at)
		return
	}
	switch {
	case e.Sphinx != nil:
		e.Sphinx.check(at+".sphinx", fault)
	case e.Riva != nil && len(e.Riva.Addresses) == 0:
		fault("%s.riva.addresses must not be empty", at)
	case e.Realtime != nil:
		e.Realtime.check(at+".realtime", fault)
	case e.OpenAI != nil && e.OpenAI.URL == "":
		fault("%s.openai.url must not be empty", at)
	case e.OpenAI != nil && e.OpenAI.Partials && e.Partials != "":
		fault("%s.partials names another engine for the partials, so %s.openai.partials must not be true", at, at)
	}
	checkLanguages(at+".languages", e.Languages, fault)
	if e.Partials != "" && (e.Partials == name || !c.hasEngine(e.Partials) || c.Engines.More[e.Partials].Partials !=
		"") {
		fault("%s.partials must name another engine, one without partials of its own", at)
	}
}

func (c Config) checkPlan(at string, p Plan, fault faults) {
	c.checkNames(at+".engines", p.Engines, fault)
	for _, code := range slices.Sorted(maps.Keys(p.ByLanguage)) {
		checkLanguages(at+".by_language", []string{code}, fault)
		c.checkNames(at+".by_language."+code, p.ByLanguage[code], fault)
	}
	if p.DefaultLanguage != "" {
		checkLanguages(at+".default_language", []string{p.DefaultLanguage}, fault)
	}
}

func (c Config) checkNames(at string, names []string, fault faults) {
	for i, name := range names {
		if !c.hasEngine(name) {
			fault("%s: there is no engine %q", at, name)
		}
		if slices.Contains(names[:i], name) {
			fault("%s: engine %q is named twice", at, name)
		}
	}
}

func checkLanguages(at string, codes []string, fault faults) {
	for _, code := range codes {
		if !slices.Contains(messages.Languages(), code) {
			fault("%s: %q is not a language code of the API", at, code)
		}
	}
}

func (s Sphinx) check(at string, fault faults) {
	if s.Decoders > 0 && s.FinalDecoders > s.Decoders {
		fault("%s.final_decoders must not exceed %s.decoders", at, at)
	}
	if s.Language != "" {
		checkLanguages(at+".language", []string{s.Language}, fault)
	}
}
