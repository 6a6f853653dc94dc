// Package descriptors fits the limits of a gateway to the file descriptors that its process may
// have.
package descriptors

import (
	"fmt"
	"math"
	"syscall"

	"github.com/rs/zerolog"

	"steno/gateway/limits"
)

const (
	// reservedDescriptors are those kept for the database, engines, listeners, logs, decoders, and
	// requests of steno's own. Where there are few, half of them.
	reservedDescriptors = 256
	// perSession are the descriptors of a live session: its connection and the two files of its
	// journal.
	perSession = 3
	// mostConnections is how many connections are taken where descriptors leave room for more.
	mostConnections = 10_000
)

// Count is how many files and connections this process may have open. The Go runtime has raised the
// soft limit to the hard one at the start.
func Count() (int, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("ask for the limit of file descriptors: %w", err)
	}
	return int(min(limit.Cur, math.MaxInt32)), nil
}

// Within fits the numbers of connections and sessions to the file descriptors there are, so that
// clients, however many, leave the store and the engines theirs. Connections that are not
// configured become a third of what is not reserved, since a live session holds two files beside
// its connection, and those of one address half of them all.
func Within(l limits.Limits, descriptors int) limits.Limits {
	free := descriptors - min(reservedDescriptors, descriptors/2)
	third := max(1, free/perSession)
	if l.Connections == 0 {
		l.Connections = min(third, mostConnections)
	}
	sessions := l.Sessions
	if sessions == 0 {
		sessions = third
	}
	l.Connections = min(l.Connections, max(third, free-(perSession-1)*sessions))
	if l.PerAddress == 0 {
		l.PerAddress = (l.Connections + 1) / 2
	}
	most := max(1, (free-l.Connections)/(perSession-1))
	if l.Sessions == 0 || l.Sessions > most {
		l.Sessions = most
	}
	return l
}

// Fit is Within for this process, and logs what came of it.
func Fit(l limits.Limits, log zerolog.Logger) (limits.Limits, error) {
	n, err := Count()
	if err != nil {
		return l, err
	}
	fit := Within(l, n)
	event, text := log.Info(), "connections are bounded"
	if fit.Connections < l.Connections || fit.Sessions < l.Sessions {
		event, text = log.Warn(),
			"there are too few file descriptors for the limits configured: raise them (ulimit -n, LimitNOFILE)"
	}
	event.Int("descriptors", n).Int("connections", fit.Connections).Int("connections_per_address", fit.PerAddress).
		Int("sessions", fit.Sessions).Msg(text)
	return fit, nil
}
