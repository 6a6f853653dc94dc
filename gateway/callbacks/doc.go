// Package callbacks carries the events of sessions and the results of jobs to the servers of
// clients. A [Sink] enqueues the events of a live session in the store's outbox. A [Dispatcher]
// claims deliveries there, makes the requests, and settles each claim by the outcome.
//
// # What a receiver can rely on
//
// At least once, and strictly in order per job: a delivery is handed out only when the one before
// it has arrived or is dead. Each request has the headers of Standard Webhooks
// (www.standardwebhooks.com): webhook-id, the same for every attempt, webhook-timestamp, the time
// of the attempt, and webhook-signature, one for each secret. Any 2xx is a success.
//
// # What becomes of an attempt
//
//	2xx                                  delivered
//	410, an address that is refused      dead immediately: a retry cannot help
//	anything else, redirects included    tried again, or dead when GiveUp has passed since the
//	                                     first attempt
//	the host is busy or its breaker open postponed, which is no attempt
//	the gateway is shutting down         postponed
//
// Pauses double from FirstRetry to LongestRetry; each is shortened by up to a half by a fraction
// that depends on delivery and attempt only. A longer Retry-After wins, up to an hour. Nothing is
// put off beyond GiveUp, so the last attempt is made then. A delivery without further attempts
// stays in the outbox as dead, and the next of its job is made.
//
// # Hosts
//
// One host has PerHost requests under way at most; what finds no room is postponed by what the host
// takes for a request. Eight failures in a row that show trouble of the host itself (no answer,
// 429, 502, 503, 504) open its breaker: then one request after each pause probes it, and the rest
// waits. So a dead host holds neither workers nor attempts of many jobs.
//
// # Accounts
//
// A request that lasts half a second makes room for another. For a minute after that its account
// has half of Concurrency under way at most, such requests included, whatever its hosts are called:
// those of other accounts find room.
//
// # Goroutines
//
// A dispatcher has one that claims, one that counts and prunes, and one for each request under way,
// at most five times Concurrency. [Dispatcher.Stop] waits for all. A sink has one, for which
// [Sink.Close] waits.
package callbacks
