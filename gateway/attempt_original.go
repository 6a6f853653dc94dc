package gateway

import (
	"context"

	"steno/session/store"
)

// What becomes of the recording as it came, where the job was to hide something in it: it is removed at the job's end, unless
// another job uses it. A job that is done has a silenced copy in its place, if there was anything to hide. One that has failed
// has none: nothing was hidden, so nothing may be heard.

// letGo makes the end of a job that has failed one without its recording, and says so, where something was to be hidden in it.
func (a *attempt) letGo(o *store.Outcome) {
	if a.request == nil || !a.request.PIIRedaction || a.silenced != "" || !a.kept && a.lease.Record.Upload == "" {
		return
	}
	o.NoUpload = true
	o.Message += "; its recording is not kept, since nothing was hidden in it"
}

// dropOriginal removes the recording that the job has let go of, or whose silenced copy has taken its place.
func (a *attempt) dropOriginal(ctx context.Context, o store.Outcome) {
	if o.Upload == "" && !o.NoUpload {
		return
	}
	a.remove(ctx, a.upload())
}
