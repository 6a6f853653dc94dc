//go:build !linux || !(amd64 || arm64)

package confine

// Enter has nothing to do.
func Enter() {}

// Command gives the program as it is not to be run: there is no Landlock here.
func Command(_ []string, _ ...string) (path string, args []string) {
	return "/nonexistent/landlock", []string{"landlock"}
}
