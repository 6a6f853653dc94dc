// Package messages is what the service and its clients send to each other: requests, events,
// records, errors and close codes, with their exact JSON. It knows no other package of the program
// and does no work of its own.
//
// Times are seconds from the start of a session, positions are in bytes or samples where that is
// stated. Values of this package are plain data: nothing here is shared, locked or started, and
// every function may be called from any goroutine.
//
// Slices and maps are never null in JSON: [List] and [Object] write an empty one for nil.
package messages
