package live

import (
	"time"

	"steno/gateway/recovery"
)

// background runs a task for the entry on a goroutine of its own. While another one runs it does
// nothing.
func (e *entry) background(task func()) {
	if !e.task.Swap(true) {
		e.site.tasks.Go(func() { e.run(task) })
	}
}

// run runs the task that the entry's flag was set for.
func (e *entry) run(task func()) {
	defer e.task.Store(false)
	if !e.site.cfg.Recoverer.Run(recovery.Task, e.id, task) {
		e.putOff()
	}
}

// putOff restarts the phase's time, so that the task is tried again later.
func (e *entry) putOff() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.since = time.Now()
}
