package entities

import (
	"cmp"
	"slices"
	"strings"
)

// candidate is an entity that a detector found in the tokens [from,to).
type candidate struct {
	kind     string // the type of the entity
	from, to int
	weight   weight
	value    string // what it is compared by; empty: the normal form of the tokens
	doubt    int    // 1 if any other candidate goes before it, else 0
}

// weight is how sure a detector is. It decides between candidates of the same length.
type weight int

const (
	listed  weight = iota // it stands in a word list
	formed                // it has the form
	cued                  // the surrounding words announce it
	checked               // a checksum confirms it
)

// detector finds the entities of some types in a text. Detectors do not depend on each other.
type detector struct {
	types   string // what it finds, separated by spaces
	find    func(*text) []candidate
	english bool // it reads English alone
	wanted  bool // it runs only if one of its types is asked for by name
	hiding  bool // it runs only where what is found is to be hidden
}

// detectors lists all detectors by subject.
func detectors() []detector {
	return []detector{
		// Online.
		{types: "EMAIL_ADDRESS", find: mails},
		{types: "URL", find: urls},
		{types: "IP_ADDRESS", find: ipAddresses},
		{types: "FILENAME", find: filenames},
		{types: "USERNAME", find: handles},
		{types: "PASSWORD", find: secrets, english: true},
		{types: "PASSWORD", find: changedPins, english: true, hiding: true},
		{types: "PASSWORD", find: sentCodes, english: true, hiding: true},
		{types: "PHONE_NUMBER", find: phones},
		// Payment and money.
		{types: "CREDIT_CARD CREDIT_CARD_EXPIRATION CVV", find: cards},
		{types: "CVV", find: securityCodes, english: true, hiding: true},
		{types: "CREDIT_CARD_EXPIRATION", find: expiries},
		{types: "BANK_ACCOUNT", find: ibans},
		{types: "ROUTING_NUMBER", find: routings},
		{types: "MONEY", find: writtenMoney},
		{types: "MONEY", find: spokenMoney, english: true},
		// Numbers of papers, accounts and the like.
		{types: "SSN", find: socialSecurityNumbers},
		{types: "VEHICLE_ID", find: vehicles},
		{types: "ACCOUNT_NUMBER BANK_ACCOUNT CVV DRIVER_LICENSE HEALTHCARE_NUMBER LOCATION_ZIP MEDICAL_CODE " +
			"NUMERICAL_PII ORGANIZATION_ID PASSPORT_NUMBER PASSWORD ROUTING_NUMBER SSN VEHICLE_ID", find: codes},
		{types: "NUMERICAL_PII", find: unnamedNumbers, english: true},
		// Dates, times and quantities.
		{types: "DATE DATE_INTERVAL DOB", find: writtenDates},
		{types: "DATE DATE_INTERVAL DAY DOB MONTH YEAR", find: spokenDates, english: true},
		{types: "DAY MONTH YEAR", find: dateParts, wanted: true},
		{types: "TIME", find: writtenTimes},
		{types: "TIME", find: spokenTimes, english: true},
		{types: "DURATION", find: durations, english: true},
		{types: "AGE", find: ages, english: true},
		{types: "STATISTICS", find: percents},
		// Addresses and places.
		{types: "LOCATION_ADDRESS LOCATION_ADDRESS_STREET", find: streets, english: true},
		{types: "LOCATION_ZIP", find: zips, english: true},
		{types: "LOCATION_COORDINATE", find: coordinates, english: true},
		{types: "LOCATION_CITY LOCATION_COUNTRY LOCATION_STATE", find: places, english: true},
		// People and organizations.
		{types: "NAME NAME_FAMILY NAME_GIVEN NAME_MEDICAL_PROFESSIONAL", find: names, english: true},
		{types: "LOCATION_CITY NAME", find: namesInCapitals},
		{types: "CONDITION DRUG GENDER LANGUAGE MARITAL_STATUS MEDICAL_PROCESS OCCUPATION ORIGIN " +
			"POLITICAL_AFFILIATION RELIGION SEXUALITY ZODIAC_SIGN", find: traits, english: true},
		{types: "ORGANIZATION ORGANIZATION_MEDICAL_FACILITY", find: organizations, english: true},
		// Medical.
		{types: "INJURY", find: injuries, english: true},
		{types: "BLOOD_TYPE", find: bloods, english: true},
		{types: "DOSE", find: doses, english: true},
		{types: "MEDICAL_CODE", find: writtenCodes},
	}
}

// finds reports whether the detector finds one of the types. Nil types select all detectors but
// those that must be wanted by name.
func (d detector) finds(types map[string]bool) bool {
	asked := slices.ContainsFunc(strings.Fields(d.types), func(t string) bool { return types[t] })
	return asked || types == nil && !d.wanted
}

// detect lists the candidates of the types in a text; nil: of all types.
func detect(t *text, types map[string]bool) []candidate {
	var list []candidate
	for _, d := range detectors() {
		if d.english && !t.english || d.hiding && !t.hiding || !d.finds(types) {
			continue
		}
		for _, c := range d.find(t) {
			if (types == nil || types[c.kind]) && c.from < c.to {
				list = append(list, c)
			}
		}
	}
	return list
}

// resolve keeps candidates that do not overlap, in order: longer ones first, then weightier ones,
// then those of the kind with the smaller name.
func resolve(t *text, list []candidate) []candidate {
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(a.doubt-b.doubt, cmp.Compare(b.to-b.from, a.to-a.from), cmp.Compare(b.weight, a.weight),
			cmp.Compare(a.from, b.from), cmp.Compare(a.kind, b.kind), cmp.Compare(a.value, b.value))
	})
	taken := make([]bool, t.count)
	var kept []candidate
	for _, c := range list {
		from, to := t.words(c)
		if slices.Contains(taken[from:to], true) {
			continue
		}
		for i := from; i < to; i++ {
			taken[i] = true
		}
		kept = append(kept, c)
	}
	slices.SortFunc(kept, func(a, b candidate) int { return cmp.Compare(a.from, b.from) })
	return kept
}
