package embedded

import (
	"sync"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"
)

// largestKept is the size of the largest objects, in bytes, that SQLite's allocator puts several of into one piece of memory.
const largestKept = 16 << 10

// keepMemory makes SQLite keep memory that it has used. Its allocator has objects of one power of two in the same piece of memory,
// which it asks the system for with the first and gives back with the last: that happens several times in each statement, and
// takes longer than the statement. So an object of each size stays for good, which is less than a megabyte in all.
var keepMemory = sync.OnceFunc(func() {
	thread := libc.NewTLS()
	defer thread.Close()
	for size := sqlite.Tsqlite3_uint64(16); size <= largestKept; size *= 2 {
		sqlite.Xsqlite3_malloc64(thread, size)
	}
})
