package confine

// Rights are what a confined program may do besides what all of them may, see the package. The zero
// value is for a program of the system that reads standard input and writes standard output.
type Rights struct {
	Programs []string `json:"programs,omitempty"` // files that may be read and run; they must be there
	// Read are files that may be read, and folders whose files may be, at any depth. Those that are
	// not there when the program starts are ignored.
	Read []string `json:"read,omitempty"`
	// Write are folders in which, at any depth, files, folders and sockets may be made, changed and
	// removed. They must be there.
	Write []string `json:"write,omitempty"`
	// Serve is for programs that serve others: they may listen on Unix sockets, of which they
	// connect to none, and start programs of the same rights.
	Serve bool `json:"serve,omitempty"`
	// Environ leaves the program the environment that its process was started with; otherwise it
	// has none.
	Environ bool `json:"environ,omitempty"`
}
