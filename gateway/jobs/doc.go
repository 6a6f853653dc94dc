// Package jobs transcribes recorded files: it queues requests in the store, works on them under
// leases, and stores their results.
//
// # The path of a job
//
// A request becomes a record in the queue ([Service.Create]). If its audio is at an address, the
// job is leased once to fetch the audio, and returned to the queue; a limited number of files is
// fetched at a time. A worker leases the job and transcribes its file (package transcribe). That is
// bound by the processor, so there are few workers. Add-ons that wait for servers run in a second
// stage ([postProcessing]), while the worker continues with the next job. In each stage accounts
// alternate, and each has a limit of running jobs.
//
// One heartbeat extends the lease through both stages, and one time limit covers them. When the
// server stops, running jobs are returned to the queue, and the attempt does not count. A job whose
// worker dies is leased again when its lease expires, twice at most.
//
// # Goroutines
//
// Start starts the workers and one goroutine that leases jobs whose audio must be fetched. Each
// fetch, each job in the second stage and each heartbeat has a goroutine. Wait waits for all of
// them.
package jobs
