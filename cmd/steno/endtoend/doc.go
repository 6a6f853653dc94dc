// Package endtoend has tests alone: they run the built programs, and speak to them as their users
// do, with real clients, servers and browsers.
//
// They run without the race detector, which would not see into the programs.
package endtoend
