//go:build linux && cgo && (amd64 || arm64 || arm)

package sherpa

/*
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// What the library printed of an exception on this thread, the newest; empty: nothing.
static __thread char caught[512];

// pass notes what looks like an exception, and writes everything to the standard error.
static ssize_t pass(void *cookie, const char *text, size_t n) {
	const char *at = memmem(text, n, "xception", 8);
	if (at != NULL) {
		size_t rest = text + n - at;
		size_t length = rest < sizeof caught - 1 ? rest : sizeof caught - 1;
		memcpy(caught, at, length);
		caught[length] = 0;
	}
	for (size_t done = 0; done < n;) {
		ssize_t written = write(STDERR_FILENO, text + done, n - done);
		if (written <= 0) break;
		done += written;
	}
	return n;
}

// watch makes the C library's stderr call pass on the thread that prints. The file descriptor stays
// what it is.
static int watch(void) {
	cookie_io_functions_t functions = {.write = pass};
	FILE *watched = fopencookie(NULL, "w", functions);
	if (watched == NULL || setvbuf(watched, NULL, _IONBF, 0) != 0) return 0;
	stderr = watched;
	return 1;
}

static void forget(void) { caught[0] = 0; }
static const char *noted(void) { return caught; }
*/
import "C"

import (
	"errors"
	"runtime"
	"strings"
	"sync"
)

// watchErrors has the library's messages watched, once in a process.
var watchErrors = sync.OnceFunc(func() { C.watch() })

// catch calls f, which calls the library, and returns what the library printed of an exception. It
// catches those of some models, prints them to the C library's stderr, on the thread that decodes,
// and returns an empty result as if nothing had been said.
func catch(f func()) error {
	watchErrors()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.forget()
	f()
	if text := C.GoString(C.noted()); text != "" {
		return errors.New("e" + strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " "))
	}
	return nil
}
