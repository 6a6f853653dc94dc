package messages

import "net/url"

// DeleteQuery says how a job is to be deleted.
type DeleteQuery struct {
	Cancel bool // also if it is not finished
}

// ParseDeleteQuery reads the query of a deletion. The Problem names every fault at once. Parameters that are not known are
// ignored, empty ones are missing.
func ParseDeleteQuery(values url.Values) (DeleteQuery, *Problem) {
	p := queryParser{checker: newChecker(), values: values}
	if p.tooMany() {
		return DeleteQuery{}, p.problem()
	}
	q := DeleteQuery{Cancel: p.truth("cancel")}
	if problem := p.problem(); problem != nil {
		return DeleteQuery{}, problem
	}
	return q, nil
}

// truth is a parameter that is true or false; false where it is missing.
func (p *queryParser) truth(name string) bool {
	switch p.single(name) {
	case "", "false", "0":
		return false
	case "true", "1":
		return true
	}
	p.fault(name, "must be true or false")
	return false
}
