// Package doctor looks at a deployment: at the machine, the store, the engines and what else steno
// serve would use with a configuration, and finds what does not work, or not well, with what to
// change. Its checks change nothing that is there; engines are started for the time of a check, and
// what is written for a trial is removed.
package doctor

import (
	"context"
	"fmt"
	"io"
	"iter"

	"steno/cmd/steno/recognizers"
	"steno/cmd/steno/terminal"
)

// Level is how bad a finding is.
type Level string

// The levels.
const (
	Fine    Level = "ok"
	Warning Level = "warning" // it works, though not as well as it should
	Failure Level = "failure" // it does not work, or loses what it was given
)

// Finding is what a check has found.
type Finding struct {
	Check  string `json:"check"`
	Level  Level  `json:"level"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // a command or setting
}

// Print writes the finding as a line.
func (f Finding) Print(w io.Writer) error {
	fix := ""
	if f.Fix != "" {
		fix = "; fix: " + f.Fix
	}
	_, err := fmt.Fprintf(w, "%-8s %s: %s%s\n", f.Level, f.Check, f.Detail, fix)
	return err
}

// Misconfigured returns what is found instead where the configuration cannot be used, and why.
func Misconfigured(err error) Finding {
	return Finding{"configuration", Failure, terminal.OneLine(err), "steno config prints the file with every key"}
}

// Deployment is what is checked: the configuration with which steno serve would start here. With
// AskPublic the public URL is asked whether a gateway answers there.
type Deployment struct {
	recognizers.Setup
	AskPublic bool
}

// Findings yields what the checks find, while they run.
func (d Deployment) Findings(ctx context.Context) iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		if !yield(Finding{Check: "configuration", Level: Fine, Detail: "is valid"}) {
			return
		}
		for _, check := range checks {
			for _, f := range check(ctx, d) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// checks are in the order in which they are printed. Each returns its findings; none where there is
// nothing to check.
var checks = []func(context.Context, Deployment) []Finding{
	checkDataFolder, checkDescriptors, checkRecordings, checkValkey, checkBlobs, checkKeys, checkTLSFiles,
	checkPublicURL, checkLocalEngines,
}

// size is a number of bytes for people.
func size(bytes int64) string {
	const unit = 1 << 10
	value, names := float64(bytes), []string{"B", "KB", "MB", "GB", "TB"}
	i := 0
	for ; value >= unit && i < len(names)-1; i++ {
		value /= unit
	}
	return fmt.Sprintf("%.4g %s", value, names[i])
}
