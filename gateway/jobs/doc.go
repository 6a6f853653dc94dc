// Package jobs transcribes recorded files: it takes requests into the store's queue, works them off
// under leases, and keeps their results.
//
// # The path of a job
//
// A request becomes a record in the queue ([Service.Create]). If its audio is at an address, the
// job is leased once to fetch the audio, and goes back into the queue; a limited number of files is
// fetched at a time. A worker leases the job and takes it from its file to its transcript (package
// transcribe). That takes the processor, so there are few workers. Add-ons that wait for servers
// run in a second stage ([postProcessing]), while the worker goes on with the next job. In each
// stage accounts take turns, and none has more jobs under way than it may.
//
// One heartbeat extends the lease through both stages, and one time limit covers them. When the
// server stops, jobs under way are given back, and the attempt does not count. A job whose worker
// dies is leased again when its lease has run out, twice at most.
//
// # Goroutines
//
// Start begins the workers and one goroutine that takes jobs whose audio is to be fetched. Each
// fetch, each job in the second stage and each heartbeat has a goroutine. Wait returns when all of
// them have ended.
package jobs
