package translate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"steno/session/addon/remote"
	"steno/session/semaphore"
)

// ApertiumConfig specifies how to run apertium. Zero values take the defaults.
type ApertiumConfig struct {
	// Program and Prlimit are paths or names of apertium and util-linux' prlimit.
	Program, Prlimit string
	Timeout          time.Duration // of one run; default 30 s
	Concurrency      int           // runs at a time; default 2
}

const (
	// maxRunInput bounds the characters of one run, as far as texts can be separated. A run takes
	// 0.2 s to start and translates some 50,000 characters in a second.
	maxRunInput = 50_000
	// maxText bounds those of one text, since texts cannot be cut here.
	maxText = 200_000
	// maxList bounds the list of modes, in bytes.
	maxList = 64 << 10
)

// Apertium translates by the apertium command and the pairs of languages installed beside it. It
// knows words and grammar, no context.
type Apertium struct {
	program, prlimit string
	timeout          time.Duration
	modes            []string // pairs such as eng-spa
	slots            *semaphore.Semaphore

	lifetime context.Context // ends with Close
	stop     context.CancelFunc
	mu       sync.Mutex
	closed   bool
	runs     sync.WaitGroup // begun under mu while not closed
}

var pair = regexp.MustCompile(`^[a-z]{2,3}-[a-z]{2,3}$`)

// NewApertium finds the programs and asks once which pairs are installed. Errors name what is
// missing.
func NewApertium(ctx context.Context, c ApertiumConfig) (*Apertium, error) {
	a := &Apertium{timeout: c.Timeout, program: c.Program, prlimit: c.Prlimit}
	for _, p := range []struct {
		path           *string
		name, package_ string
	}{{&a.program, "apertium", "apertium"}, {&a.prlimit, "prlimit", "util-linux"}} {
		if *p.path == "" {
			*p.path = p.name
		}
		path, err := exec.LookPath(*p.path)
		if err == nil {
			*p.path, err = filepath.Abs(path)
		}
		if err != nil {
			return nil, fmt.Errorf("apertium: %s is missing, install the package %q: %w", p.name, p.package_, err)
		}
	}
	if a.timeout <= 0 {
		a.timeout = 30 * time.Second
	}
	if c.Concurrency <= 0 {
		c.Concurrency = 2
	}
	a.slots = semaphore.New(int64(c.Concurrency), 0, math.MaxInt)
	a.lifetime, a.stop = context.WithCancel(context.Background())
	listed, err := a.run(ctx, "", maxList, "-l")
	if err != nil {
		a.stop()
		return nil, fmt.Errorf("apertium: list pairs: %w", err)
	}
	for _, mode := range strings.Fields(listed) {
		if pair.MatchString(mode) {
			a.modes = append(a.modes, mode)
		}
	}
	return a, nil
}

// Close ends all runs and returns when their processes are gone.
func (a *Apertium) Close() error {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.stop()
	a.runs.Wait()
	return nil
}

// Name is that of the program.
func (a *Apertium) Name() string { return "apertium" }

// Can reports whether the pair is installed.
func (a *Apertium) Can(_ context.Context, from, to string) error {
	if a.mode(from, to) == "" {
		return unknown(from, to)
	}
	return nil
}

func (a *Apertium) mode(from, to string) string {
	for _, source := range apertiumCodes(from) {
		for _, target := range apertiumCodes(to) {
			if mode := source + "-" + target; slices.Contains(a.modes, mode) {
				return mode
			}
		}
	}
	return ""
}

// Translate runs apertium as often as it takes, one run after another. The options are more than it
// understands.
func (a *Apertium) Translate(ctx context.Context, texts []string, from, to string, _ Options) ([]string, error) {
	mode := a.mode(from, to)
	if mode == "" {
		return nil, unknown(from, to)
	}
	var long error
	lines := make([]string, len(texts))
	for i, s := range texts {
		if lines[i] = line(strings.ToValidUTF8(s, "")); utf8.RuneCountInString(lines[i]) > maxText {
			lines[i], long = "", remote.NewError(http.StatusRequestEntityTooLarge, "TranslationTooLong",
				"A text is too long to be translated", nil)
		}
	}
	asked, names := make([]string, len(lines)), make([][]string, len(lines))
	for i, s := range lines {
		asked[i], names[i] = withoutNames(s, from)
	}
	out, err := a.all(ctx, mode, asked)
	again, lost := make([]string, len(lines)), false // texts that have lost a name
	for i, s := range out {
		var whole bool
		if out[i], whole = withNames(s, names[i]); !whole && s != "" {
			again[i], lost = lines[i], true
		}
	}
	if !lost {
		return out, cmp.Or(err, long)
	}
	said, failed := a.all(ctx, mode, again)
	for i, s := range said {
		out[i] += s
	}
	return out, cmp.Or(err, failed, long)
}

// all translates lines, as many at a time as a run takes.
func (a *Apertium) all(ctx context.Context, mode string, lines []string) ([]string, error) {
	out := make([]string, len(lines))
	err := bisect(batches(lines, len(lines), maxRunInput), func(at []int) (answered bool, err error) {
		translated, err := a.lines(ctx, mode, pick(lines, at))
		for i, s := range translated {
			out[at[i]] = s
			answered = answered || s != ""
		}
		return answered, err
	})
	return out, err
}

// lines translates lines, as readLines has it. Apertium's format "line" translates each for itself
// and keeps their number; it takes away a stop at the end of each, which is put back.
func (a *Apertium) lines(ctx context.Context, mode string, lines []string) ([]string, error) {
	asked := strings.Join(lines, "\n") + "\n"
	said, err := a.run(ctx, asked, maxGrowth*len(asked)+1<<10, "-u", "-f", "line", mode)
	if err != nil {
		return nil, a.failure(ctx, err)
	}
	return readLines(said, lines)
}

// mostUntold is how many words apertium may leave without any translation, in a row of lines that
// has some: verbs such as "will", and the pronouns beside them. Nothing comes of those where they
// stand alone.
const mostUntold = 3

// readLines reads what apertium wrote for the lines: empty where it is no translation, beside the
// first error. A line of few words that nothing was written for stays as it is, if there is a
// translation of another. nil: nothing was translated. Errors quote nothing of it.
func readLines(said string, lines []string) (out []string, first error) {
	out = strings.Split(strings.TrimSuffix(said, "\n"), "\n")
	if len(out) != len(lines) || !strings.HasSuffix(said, "\n") || !utf8.ValidString(said) {
		return nil, invalid("apertium wrote another number of lines")
	}
	told, untold := 0, 0
	for i, s := range out {
		stops := lines[i][len(strings.TrimRight(lines[i], ".")):]
		s = strings.TrimRight(line(likewise(unmarked(s, lines[i]), lines[i])), ". ")
		var err error
		switch words := spokenWords(lines[i]); {
		case words == 0 && s == "":
			s, stops = lines[i], ""
		case words == 0:
		case s != "":
			told++
		case words > mostUntold:
			err = invalid("apertium wrote nothing for a line")
		default:
			s, stops = lines[i], ""
			untold++
		}
		if out[i] = s + stops; err == nil && plausible(out[i], lines[i]) != nil {
			err = invalid("the length of a line is not that of a translation")
		}
		if err != nil {
			out[i], first = "", cmp.Or(first, err)
		}
	}
	if told == 0 && untold > 0 {
		return nil, invalid("apertium wrote nothing")
	}
	return out, first
}

// spokenWords counts the words of a line that have a letter or a digit.
func spokenWords(s string) (n int) {
	for word := range strings.FieldsSeq(s) {
		if hasText(word) {
			n++
		}
	}
	return n
}

// marks are what apertium puts before words that it does not know, where its pair of languages does
// not heed that it should not: one each for analysis, generation and transfer.
const marks = "*#@"

// unmarked is a translation without marks, but for those the original has.
func unmarked(s, original string) string {
	if !strings.ContainsAny(s, marks) {
		return s
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		if w != "" && strings.Contains(marks, w[:1]) && !strings.Contains(original, w[:1]) {
			words[i] = w[1:]
		}
	}
	return strings.Join(words, " ")
}

// likewise is a translation that begins with a small letter where the original does: apertium takes
// the beginning of a line for that of a sentence.
func likewise(s, original string) string {
	was, _ := utf8.DecodeRuneInString(original)
	first, size := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[size:])
	if !unicode.IsLower(was) || !unicode.IsUpper(first) || unicode.IsUpper(second) {
		return s
	}
	return string(unicode.ToLower(first)) + s[size:]
}

// failure is the error for clients of a run that failed.
func (a *Apertium) failure(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Cause(ctx)
	case ctx.Err() != nil, errors.Is(err, errSlow):
		return remote.NewError(http.StatusGatewayTimeout, "TranslationTimeout", "The translation took too long", err)
	case errors.Is(err, errClosed):
		return remote.NewError(http.StatusServiceUnavailable, "TranslationClosed",
			"The translator is being shut down", err)
	}
	return remote.NewError(http.StatusBadGateway, "TranslationFailed", "The translator failed", err)
}
