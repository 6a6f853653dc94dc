package messages

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	maxOffset      = 1 << 31
	maxQueryValues = 200
)

// queryParser reads parameters one by one and collects the faults.
type queryParser struct {
	faults
	values url.Values
}

// tooMany finds fault with more values than any list needs, before looking at them.
func (p *queryParser) tooMany() bool {
	n := 0
	for _, given := range p.values {
		n += len(given)
	}
	if n > maxQueryValues {
		p.fault("the query", fmt.Sprintf("must not hold more than %d values", maxQueryValues))
	}
	return n > maxQueryValues
}

// single is the one value of a parameter; empty where it is missing.
func (p *queryParser) single(name string) string {
	given := p.values[name]
	if len(given) == 0 {
		return ""
	}
	if len(given) > 1 {
		p.fault(name, "must be given once")
	}
	return given[0]
}

func (p *queryParser) number(name string, missing, low, high int) int {
	text := p.single(name)
	if text == "" {
		return missing
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		p.fault(name, "must be an integer")
	case n < low:
		p.fault(name, fmt.Sprintf("must not be less than %d", low))
	case n > high:
		p.fault(name, fmt.Sprintf("must not be greater than %d", high))
	}
	return n
}

func (p *queryParser) day(name string) time.Time {
	text := p.single(name)
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(dayLayout, text)
	if err != nil {
		p.fault(name, "must be a date as YYYY-MM-DD")
	}
	return t
}

// momentLayouts are the forms of ISO 8601 that clients send; what has no zone is UTC.
var momentLayouts = [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00",
	"2006-01-02T15:04", dayLayout}

func (p *queryParser) moment(name string) time.Time {
	text := p.single(name)
	if text == "" {
		return time.Time{}
	}
	for _, layout := range momentLayouts {
		if t, err := time.Parse(layout, text); err == nil && t.UTC().Year() > 0 && t.UTC().Year() < 10000 {
			return t.UTC()
		}
	}
	p.fault(name, "must be an ISO 8601 date and time")
	return time.Time{}
}

// several are the distinct values of a parameter that may be repeated, or hold several with commas
// between, each one of those allowed.
func (p *queryParser) several(name string, allowed ...string) []string {
	var out []string
	// the brackets are how many clients write lists
	for _, list := range slices.Concat(p.values[name], p.values[name+"[]"]) {
		for v := range strings.SplitSeq(list, ",") {
			switch v = strings.TrimSpace(v); {
			case v == "" || slices.Contains(out, v):
			case slices.Contains(allowed, v):
				out = append(out, v)
			default:
				p.fault(name, fmt.Sprintf("must be one of %s, not %q", strings.Join(allowed, ", "), Excerpt(v)))
			}
		}
	}
	return out
}

// metadata merges both forms of custom_metadata: one JSON object, and key by key in brackets.
func (p *queryParser) metadata() Object {
	const name = "custom_metadata"
	merged := Object{}
	if text := p.single(name); text != "" {
		tree, problem := parseObject([]byte(text))
		if problem != nil {
			p.fault(name, "must be a JSON object")
		}
		for k, v := range tree {
			merged[k] = v
		}
	}
	names := make([]string, 0, len(p.values))
	for param := range p.values {
		if strings.HasPrefix(param, name+"[") {
			names = append(names, param)
		}
	}
	slices.Sort(names)
	for _, param := range names {
		keys, ok := bracketKeys(validUTF8(param[len(name):]))
		if !ok || !setDeep(merged, keys, validUTF8(p.single(param))) {
			p.fault(Excerpt(param), "must have the form custom_metadata[key], and no other value for the same key")
		}
	}
	if metadataChars(merged) > MaxMetadataChars {
		p.fault(name, "must not be longer than 2000 characters as JSON")
	} else if filterValues(merged) > MaxFilterValues {
		p.fault(name, fmt.Sprintf("must not hold more than %d values", MaxFilterValues))
	}
	if len(merged) == 0 {
		return nil
	}
	return merged
}

// filterValues counts the values of a filter as stores do: an array is one, and an object is one
// beside what it holds.
func filterValues(filter map[string]any) int {
	n := len(filter)
	for _, v := range filter {
		if object, ok := v.(map[string]any); ok {
			n += filterValues(object)
		}
	}
	return n
}

// validUTF8 makes of raw query bytes what JSON can hold.
func validUTF8(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// bracketKeys splits [a][b] into a and b.
func bracketKeys(s string) ([]string, bool) {
	var keys []string
	for s != "" {
		end := strings.IndexByte(s, ']')
		if s[0] != '[' || end <= 1 || len(keys) >= maxDepth-1 {
			return nil, false
		}
		keys = append(keys, s[1:end])
		s = s[end+1:]
	}
	return keys, true
}

// setDeep puts a value below the keys, making the objects between; false where something else is in
// the way.
func setDeep(into map[string]any, keys []string, value string) bool {
	for _, key := range keys[:len(keys)-1] {
		next, there := into[key]
		if !there {
			next = map[string]any{}
			into[key] = next
		}
		object, ok := next.(map[string]any)
		if !ok {
			return false
		}
		into = object
	}
	last := keys[len(keys)-1]
	if _, there := into[last]; there {
		return false
	}
	into[last] = value
	return true
}
