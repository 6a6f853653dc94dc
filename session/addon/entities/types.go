package entities

import (
	"maps"
	"slices"
	"strings"
)

// modelTypes are types that only a language model can find, and LOCATION, which is found only by
// its parts.
const modelTypes = "CORPORATE_ACTION EFFECT EVENT FINANCIAL_METRIC LOCATION PHYSICAL_ATTRIBUTE PRODUCT PROJECT TREND"

// Implemented returns the types that [Find] can return, sorted: those of the detectors.
func Implemented() []string {
	var all []string
	for _, d := range detectors() {
		all = append(all, strings.Fields(d.types)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// NeedsModel lists the types that are never found here, sorted: landmarks and other places than
// those in parts of LOCATION, events, products and the like need a language model.
func NeedsModel() []string { return strings.Fields(modelTypes) }

// everywhere are the types that are found in every language: their values look the same, written
// with digits and signs.
const everywhere = "BANK_ACCOUNT CREDIT_CARD EMAIL_ADDRESS FILENAME IP_ADDRESS PHONE_NUMBER URL"

// Lacking lists those of the types that are not found in a language, sorted. A wide type is found
// if one of its parts is, and of a group those count that are found in English at least: what only
// a language model finds must be named itself.
func Lacking(types []string, language string) []string {
	found := Implemented()
	finds := func(kind string) bool {
		return slices.Contains(found, kind) && (english(language) || oneOf(kind, everywhere))
	}
	var list []string
	for _, name := range types {
		members, group := Group(name)
		if !group {
			members = []string{name}
		}
		for _, m := range members {
			part := slices.ContainsFunc(strings.Fields(parts()[m]), finds)
			if !finds(m) && !part && (!group || slices.Contains(found, m)) {
				list = append(list, m)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// parts are types that are found where a wider one is wanted.
func parts() map[string]string {
	return map[string]string{
		"NAME": "NAME_GIVEN NAME_FAMILY NAME_MEDICAL_PROFESSIONAL",
		"LOCATION": "LOCATION_ADDRESS LOCATION_ADDRESS_STREET LOCATION_CITY LOCATION_COORDINATE " +
			"LOCATION_COUNTRY LOCATION_STATE LOCATION_ZIP",
		"LOCATION_ADDRESS": "LOCATION_ADDRESS_STREET",
		"DATE":             "DOB DATE_INTERVAL",
		"ORGANIZATION":     "ORGANIZATION_MEDICAL_FACILITY",
		"NUMERICAL_PII":    "",
	}
}

// Expand returns the types to find for a list of types and groups. Groups are replaced by their
// members, and wide types include their parts, as NAME does NAME_GIVEN. Unknown names are kept, and
// are never found.
func Expand(names []string) map[string]bool {
	set, inside := map[string]bool{}, parts()
	var add func(string)
	add = func(name string) {
		if members, ok := Group(name); ok {
			for _, m := range members {
				add(m)
			}
			return
		}
		if set[name] {
			return
		}
		set[name] = true
		for _, p := range strings.Fields(inside[name]) {
			add(p)
		}
	}
	for _, n := range names {
		add(n)
	}
	return set
}

// Groups lists the names of the groups, sorted.
func Groups() []string { return slices.Sorted(maps.Keys(groups())) }

// Group lists the types of a group, sorted; false where there is none of that name. See groups for
// what they follow.
func Group(name string) ([]string, bool) {
	list, ok := groups()[name]
	if !ok {
		return nil, false
	}
	types := strings.Fields(list)
	slices.Sort(types)
	return slices.Compact(types), true
}
