//go:build !linux || !(amd64 || arm64)

package confine

// Enter has nothing to do.
func Enter() {}

// Command returns nothing that could be run: there is no Landlock on this system.
func Command(_ []string, _ ...string) (path string, args []string) {
	return "/nonexistent/landlock", []string{"landlock"}
}
