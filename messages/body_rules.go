package messages

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// maxExactInteger is the largest that a float64 holds exactly, with all below it.
const maxExactInteger = 1 << 53

// asNumber is false for what is no number or is beyond a float64.
func asNumber(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// bounds checks the range of a number.
func (d *bodyDecoder) bounds(path string, f float64, tag reflect.StructTag) {
	for _, rule := range []struct {
		name   string
		broken func(limit float64) bool
		text   string
	}{
		{"minimum", func(l float64) bool { return f < l }, "must not be less than "},
		{"maximum", func(l float64) bool { return f > l }, "must not be greater than "},
		{"exclusiveMinimum", func(l float64) bool { return f <= l }, "must be greater than "},
		{"exclusiveMaximum", func(l float64) bool { return f >= l }, "must be less than "},
	} {
		text := tag.Get(rule.name)
		if text == "" {
			continue
		}
		if limit, err := strconv.ParseFloat(text, 64); err == nil && rule.broken(limit) {
			d.fault(path, rule.text+text)
		}
	}
}

// count checks how many items or entries there are. Where it is false they are too many to be
// looked at.
func (d *bodyDecoder) count(path string, n int, suffix, noun string, tag reflect.StructTag) bool {
	if limit, ok := intTag(tag, "min"+suffix); ok && n < limit {
		d.fault(path, fmt.Sprintf("must have at least %d %s", limit, noun))
	}
	if limit, ok := intTag(tag, "max"+suffix); ok && n > limit {
		d.fault(path, fmt.Sprintf("must not have more than %d of them", limit))
		return false
	}
	return true
}

// A fault lists all values of an enumeration, or some where there are more than a reader looks
// through.
const (
	listedValues = 12
	shownValues  = 8
)

// oneOf checks a value against an enumeration.
func (d *bodyDecoder) oneOf(path, s string, tag reflect.StructTag) {
	list := tag.Get("enum")
	if list == "" {
		return
	}
	allowed := strings.Split(list, ",")
	if slices.Contains(allowed, s) {
		return
	}
	for from := range aliases(tag) {
		allowed = append(allowed, from)
	}
	if len(allowed) > listedValues {
		rest := len(allowed) - shownValues
		d.fault(path, fmt.Sprintf("must be one of %s and %d more", strings.Join(allowed[:shownValues], ", "), rest))
		return
	}
	d.fault(path, "must be one of "+strings.Join(allowed, ", "))
}

// normalise replaces other spellings by the one that counts.
func normalise(s string, tag reflect.StructTag) string {
	if tag.Get("code") == "true" {
		return LanguageCode(s)
	}
	if tag.Get("fold") == "true" {
		s = strings.ToLower(s)
	}
	for from, to := range aliases(tag) {
		if s == from {
			return to
		}
	}
	return s
}

// aliases are the other spellings of a tag's values, each with the value that it stands for.
func aliases(tag reflect.StructTag) iter.Seq2[string, string] {
	return func(yield func(from, to string) bool) {
		for pair := range strings.SplitSeq(tag.Get("alias"), ",") {
			if from, to, ok := strings.Cut(pair, "="); ok && !yield(from, to) {
				return
			}
		}
	}
}

func absoluteURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

func intTag(tag reflect.StructTag, name string) (int, bool) {
	n, err := strconv.Atoi(tag.Get(name))
	return n, err == nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func sortedKeys[T any](tree map[string]T) []string { return slices.Sorted(maps.Keys(tree)) }

// Excerpt returns a client's text, cut to maxExcerpt characters, for an answer.
func Excerpt(s string) string {
	runes := []rune(s[:min(len(s), maxExcerpt*4)])
	if len(runes) <= maxExcerpt && len(s) <= maxExcerpt*4 {
		return s
	}
	return string(runes[:min(len(runes), maxExcerpt)]) + "…"
}
