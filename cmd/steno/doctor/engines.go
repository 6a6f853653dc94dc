package doctor

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"steno/audio/process/confine"
	"steno/cmd/steno/recognizers"
	"steno/cmd/steno/terminal"
	"steno/session/asr/local"
	"steno/session/asr/models"
	"steno/session/asr/router"
)

// engineStart bounds the wait for the engines to start.
const engineStart = 2 * time.Minute

// checkLocalEngines looks for the engines' program and models, starts the engines, and wants each
// model of the API served.
func checkLocalEngines(ctx context.Context, d Deployment) (all []Finding) {
	ctx, cancel := context.WithTimeout(ctx, engineStart)
	defer cancel()
	names := d.EngineNames()
	if slices.ContainsFunc(names, d.isLocal) {
		all = append(all, d.checkConfinement())
		program, err := local.FindBinary(d.Engines.Binary)
		if err != nil {
			return append(all, Finding{"engine program", Failure, terminal.OneLine(err),
				"put steno-engine beside steno, or set engines.binary"})
		}
		all = append(all, Finding{Check: "engine program", Level: Fine, Detail: program})
	}
	if slices.ContainsFunc(names, d.UsesModels) {
		all = append(all, d.checkModels())
	}
	return append(all, d.startedEngines(ctx)...)
}

// checkConfinement reports whether engines are confined; starting them shows whether they work so.
func (d Deployment) checkConfinement() Finding {
	const name = "engine sandbox"
	switch err := confine.Supported(); {
	case !d.Engines.Confined():
		return Finding{name, Warning, "engines may do what steno may", "engines.sandbox: required"}
	case err != nil:
		return Finding{name, Failure, terminal.OneLine(err),
			"a kernel from 5.13 with Landlock, or engines.sandbox: off"}
	}
	return Finding{Check: name, Level: Fine, Detail: "engines are confined by Landlock and a filter of system calls"}
}

// isLocal tells whether an engine is a process of this machine.
func (d Deployment) isLocal(name string) bool {
	e := d.Engines.More[name]
	return e.Riva == nil && e.OpenAI == nil && e.Realtime == nil
}

// checkModels reports which models recognize speech here, or what does instead.
func (d Deployment) checkModels() Finding {
	const name = "models"
	dir := d.ModelsFolder()
	if _, err := models.List(dir); err != nil {
		return Finding{name, Failure, terminal.OneLine(err), "engines.models, or chown -R steno " + dir}
	}
	if served := d.Served(); len(served) > 0 {
		return Finding{Check: name, Level: Fine, Detail: strings.Join(served, ", ")}
	}
	_, command, _ := strings.Cut(d.NoModel(""), "\n")
	detail := "none that recognizes speech is installed in " + dir
	if slices.Contains(d.EngineNames(), "sphinx") {
		detail += "; PocketSphinx serves, which knows English and makes many mistakes"
	}
	return Finding{name, Warning, detail, strings.TrimSpace(command)}
}

// failedStarts collects the errors of engines that could not be started, by name.
type failedStarts struct {
	mu     sync.Mutex
	errors map[string]error
}

// note is called with each event of a local engine.
func (f *failedStarts) note(engine string, e local.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e.Kind == local.Failed {
		f.errors[engine] = e.Err
	}
}

// findings reports which engines could not be started, while others serve.
func (f *failedStarts) findings() (all []Finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, engine := range slices.Sorted(maps.Keys(f.errors)) {
		text, fix := terminal.OneLine(f.errors[engine]), "steno serve --log-format console says what its program writes"
		if strings.Contains(text, "onnxruntime") {
			fix = "put libonnxruntime.so beside steno-engine, as make build does"
		}
		all = append(all, Finding{"engine " + engine, Warning, text, fix})
	}
	return all
}

// startedEngines starts the engines and reports which of them serve the models of the API, and in
// which languages.
func (d Deployment) startedEngines(ctx context.Context) (all []Finding) {
	failed, observer := &failedStarts{errors: map[string]error{}}, recognizers.SilentObserver()
	observer.Process = failed.note
	set, err := d.Start(ctx, observer)
	if err != nil {
		return []Finding{{"engines", Failure, terminal.OneLine(err), "engine, engines"}}
	}
	defer func() {
		if err := set.Close(); err != nil {
			all = append(all, Finding{"engines", Warning, "did not end well: " + terminal.OneLine(err),
				"steno-engine's output: steno serve --log-format console"})
		}
	}()
	waited := set.Wait(ctx, "stt-1")
	all = failed.findings()
	for _, model := range []string{"stt-1", "stt-3", "stt-fusion"} {
		name := "engines of " + model
		if err := errors.Join(waited, set.Ready(model)); err != nil {
			how := Warning // it is refused, the others work
			if model == "stt-1" {
				how = Failure
			}
			all = append(all, Finding{name, how, terminal.OneLine(err), "models." + model +
				".engines, and what steno serve --log-format console says"})
			continue
		}
		all = append(all, Finding{Check: name, Level: Fine, Detail: "are ready: " +
			servingNow(set.Router().Describe(ctx, model))})
		if model == "stt-1" {
			all = append(all, measureSpeed(ctx, d.APIModels(set).For(model)))
		}
	}
	return all
}

// servingNow names the engines that serve a model of the API, with their languages.
func servingNow(states []router.EngineState) string {
	var parts []string
	for _, e := range states {
		if e.Available && len(e.Languages) > 0 {
			parts = append(parts, e.Name+" ("+terminal.Briefly(e.Languages)+")")
		}
	}
	return strings.Join(parts, ", ")
}
