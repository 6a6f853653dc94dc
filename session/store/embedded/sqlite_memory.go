package embedded

import (
	"sync"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"
)

const (
	// largestKept is the size of the largest objects, in bytes, that SQLite's allocator puts
	// several of into one piece of memory.
	largestKept = 16 << 10

	// cachedPage is the size of a page in a cache, in bytes: a page of the database and what SQLite
	// notes about it.
	cachedPage = 4096 + 512
	// cachedPages is the number of pages that all connections cache together in memory of their
	// own.
	cachedPages = 1000
)

// keepMemory makes SQLite keep memory that it has used. Its allocator has objects of one power of
// two in the same piece of memory, which it requests from the system with the first and returns
// with the last: that happens several times in each statement, and takes longer than the statement.
// So an object of each size stays for good, which is less than a megabyte in all.
var keepMemory = sync.OnceFunc(func() {
	thread := libc.NewTLS()
	defer thread.Close()
	keepPages(thread)
	for size := sqlite.Tsqlite3_uint64(16); size <= largestKept; size *= 2 {
		sqlite.Xsqlite3_malloc64(thread, size)
	}
})

// keepPages reserves memory for the pages that SQLite's connections cache, of which the system
// provides what is used. From the allocator each would take twice its size. Pages beyond that
// number come from there.
func keepPages(thread *libc.TLS) {
	memory := libc.Xmalloc(thread, cachedPage*cachedPages)
	if memory == 0 {
		return
	}
	arguments := libc.NewVaList(memory, int32(cachedPage), int32(cachedPages))
	defer libc.Xfree(thread, arguments)
	if sqlite.Xsqlite3_config(thread, sqlite.SQLITE_CONFIG_PAGECACHE, arguments) != sqlite.SQLITE_OK {
		libc.Xfree(thread, memory)
	}
}
