package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/term"

	"steno/cmd/steno/config"
	"steno/session/asr/engines"
	"steno/session/asr/local"
	"steno/session/asr/openai"
	"steno/session/asr/riva/pool"
)

// logger writes one line an event. Durations are logged by Stringer, so that they have a unit.
func logger(c config.Log, node string, w io.Writer, environ []string) (zerolog.Logger, error) {
	level, err := zerolog.ParseLevel(c.Level)
	if err != nil || level == zerolog.NoLevel {
		return zerolog.Nop(), fmt.Errorf("log.level must be debug, info, warn or error, not %q", c.Level)
	}
	switch c.Format {
	case "json":
	case "console":
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly, NoColor: !colours(w, environ)}
	default:
		return zerolog.Nop(), fmt.Errorf("log.format must be json or console, not %q", c.Format)
	}
	return zerolog.New(w).Level(level).With().Timestamp().Str("node", node).Logger(), nil
}

// colours reports whether text may be coloured: on a terminal, unless NO_COLOR
// (https://no-color.org) is set or the terminal is a dumb one.
func colours(w io.Writer, environ []string) bool {
	if no, _ := config.Lookup(environ, "NO_COLOR"); no != "" {
		return false
	}
	if kind, _ := config.Lookup(environ, "TERM"); kind == "dumb" {
		return false
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// engineLog logs what happens to the engines.
func engineLog(log zerolog.Logger) engines.Observer {
	return engines.Observer{
		Process: func(engine string, e local.Event) {
			switch e.Kind {
			case local.Ready:
				log.Info().Str("engine", engine).Int("pid", e.PID).Stringer("took",
					e.Took.Round(time.Millisecond)).Msg("engine ready")
			case local.Failed:
				log.Error().Str("engine", engine).Err(e.Err).Msg("engine could not be started")
			default:
				log.Error().Str("engine", engine).Int("pid", e.PID).Err(e.Err).Stringer("restart_in", e.RestartIn).
					Str("output", lastLine(e.Output)).Msg("engine ended")
			}
		},
		Line: func(engine, text string) {
			if !strings.Contains(text, " ready on ") { // the process event is more informative
				log.Warn().Str("engine", engine).Str("says", text).Msg("engine says")
			}
		},
		Answers: func(engine string, a openai.Answers) {
			says := "server answers with the times of words"
			switch a.Times {
			case openai.TimesOfSegments:
				says = "server answers without the times of words: they are estimated within its segments"
			case openai.TimesEstimated:
				says = "server answers without times: those of words are estimated"
			}
			log.Info().Str("engine", engine).Str("response_format", a.Format).Msg(says)
		},
		Variant: func(engine, variant string) {
			log.Info().Str("engine", engine).Str("variant", variant).Msg("realtime server is there")
		},
		Server: func(engine string, c pool.Change) {
			if c.Up {
				log.Info().Str("engine", engine).Str("server", c.Address).Msg("recognition server is there")
				return
			}
			log.Warn().Str("engine", engine).Str("server", c.Address).Err(c.Err).Stringer("again_in", c.Wait).
				Msg("recognition server is away")
		},
	}
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
