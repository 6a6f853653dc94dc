package translate

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"steno/session/addon/remote"
)

// codes are what the server calls the languages. The error is that it does not know them both, or
// not in this direction, or that its list could not be had.
func (l *Libre) codes(ctx context.Context, from, to string) (source, target string, err error) {
	pairs, err := l.languages(ctx)
	if err != nil {
		return "", "", err
	}
	sources := called(from)
	if from == "" {
		sources = slices.Sorted(maps.Keys(pairs))
	}
	for _, source := range sources {
		target := among(to, pairs[source])
		switch {
		case target == "":
		case from == "":
			return "auto", target, nil
		default:
			return source, target, nil
		}
	}
	return "", "", unknown(from, to)
}

func among(code string, known []string) string {
	for _, name := range called(code) {
		if slices.Contains(known, name) {
			return name
		}
	}
	return ""
}

// called lists what servers call a language of the API.
func called(code string) []string {
	switch code {
	case "zh":
		return []string{"zh", "zh-Hans"}
	case "no":
		return []string{"no", "nb"}
	case "jw":
		return []string{"jv", "jw"}
	case "he":
		return []string{"he", "iw"}
	case "tl":
		return []string{"tl", "fil"}
	case "pt":
		return []string{"pt", "pt-PT", "pt-BR"}
	}
	return []string{code}
}

// languages asks for the list where it is not known. While one asks, the others wait for it, in
// their own time.
func (l *Libre) languages(ctx context.Context) (map[string][]string, error) {
	select {
	case l.asking <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-l.asking }()
	if time.Now().Before(l.until) {
		return l.pairs, l.failed
	}
	began := time.Now()
	within, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	pairs, err := l.list(within)
	switch {
	case err == nil:
		l.pairs, l.failed, l.until = pairs, nil, time.Now().Add(fresh)
	case ctx.Err() != nil && (ctx.Err() == context.Canceled || time.Since(began) < hangThreshold):
		return nil, err // no evidence of an outage of the server
	default:
		l.until = time.Now().Add(stale)
		if l.failed = err; l.pairs != nil {
			l.failed = nil // what was known before is still likely
		}
	}
	return l.pairs, l.failed
}

func (l *Libre) list(ctx context.Context) (pairs map[string][]string, err error) {
	err = l.caller.Call(remote.WithPriority(ctx, remote.Now), func(ctx context.Context) error {
		b, err := l.request(ctx, http.MethodGet, "/languages", nil)
		if err != nil {
			return err
		}
		if pairs, err = readLanguages(b); err != nil {
			return l.caller.Invalid(err.Error(), true)
		}
		return nil
	})
	return pairs, err
}

// readLanguages reads a list of languages. A language without targets can be translated to all
// others.
func readLanguages(b []byte) (map[string][]string, error) {
	var all []struct {
		Code    string
		Targets []string
	}
	if err := json.Unmarshal(b, &all); err != nil || len(all) == 0 || len(all) > 1000 {
		return nil, errors.New("it is no list of languages")
	}
	var codes []string
	for _, l := range all {
		codes = append(codes, l.Code)
	}
	pairs := make(map[string][]string, len(all))
	for _, l := range all {
		if l.Targets == nil {
			l.Targets = codes
		}
		pairs[l.Code] = l.Targets
	}
	return pairs, nil
}
