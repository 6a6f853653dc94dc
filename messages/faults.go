package messages

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// faults collects the validation errors of a request, at most maxFaults and one that counts the
// others.
type faults struct {
	list []string
	more int // beyond those in list
}

// fault adds that the value at path breaks a rule, stated as "must …".
func (f *faults) fault(path, rule string) {
	if len(f.list) >= maxFaults {
		f.more++
		return
	}
	f.list = append(f.list, path+" "+rule)
}

// problem is the Problem that names the faults, nil without any.
func (f *faults) problem() *Problem {
	if len(f.list) == 0 {
		return nil
	}
	list := f.list
	if f.more > 0 {
		list = append(list, fmt.Sprintf("and %d more", f.more))
	}
	return &Problem{Status: http.StatusBadRequest, Message: "Validation failed", ValidationErrors: list}
}

// Invalid is the Problem of one value that breaks a rule, stated as "must …".
func Invalid(path, rule string) *Problem {
	var f faults
	f.fault(path, rule)
	return f.problem()
}

// has reports whether the value at path itself has a fault.
func (f *faults) has(path string) bool {
	return slices.ContainsFunc(f.list, func(fault string) bool { return strings.HasPrefix(fault, path+" ") })
}

// forgive removes the faults of the values at paths.
func (f *faults) forgive(paths ...string) {
	f.list = slices.DeleteFunc(f.list, func(fault string) bool {
		path, _, _ := strings.Cut(fault, " ")
		return slices.Contains(paths, path)
	})
}

// hasWithin reports whether the value at path or anything in it has a fault.
func (f *faults) hasWithin(path string) bool {
	return f.has(path) || slices.ContainsFunc(f.list, func(fault string) bool {
		return strings.HasPrefix(fault,
			path+".")
	})
}
