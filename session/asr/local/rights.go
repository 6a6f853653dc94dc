package local

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"steno/audio/process/confine"
)

// machine is what a program reads of the system to know how many processors, of what kind, and how
// much memory it has, and what time it is.
var machine = []string{
	"/proc/cpuinfo", "/proc/meminfo", "/proc/self/cgroup", "/proc/self/mountinfo", "/sys/devices/system",
	"/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage", "/etc/localtime",
}

// Confine has a command that runs an engine's program, and was not started, start with rights; see
// [Config.Rights]. The folder is private to it, also for temporary files.
func Confine(cmd *exec.Cmd, r confine.Rights, folder string) {
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, "TMPDIR="+folder)
	argv := slices.Concat([]string{cmd.Path}, cmd.Args[1:])
	cmd.Path, cmd.Args = confine.Command(rightsOf(r, cmd.Path, folder), argv...)
}

// rightsOf completes the rights of a program at a path, whose private folder is given.
func rightsOf(r confine.Rights, binary, folder string) confine.Rights {
	if path, err := filepath.EvalSymlinks(binary); err == nil {
		binary = path
	}
	r.Programs = slices.Concat(r.Programs, []string{binary})
	r.Read = slices.Concat(r.Read, machine, libraries(binary), filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")))
	r.Write = slices.Concat(r.Write, []string{folder})
	r.Serve, r.Environ = true, true
	return r
}

// libraries returns the libraries beside a program, and the folders where its header has others
// looked for. A program without such a header needs none of them.
func libraries(binary string) (paths []string) {
	paths, _ = filepath.Glob(filepath.Join(filepath.Dir(binary), "*.so*")) // fails for no such pattern
	f, err := elf.Open(binary)
	if err != nil {
		return paths
	}
	defer f.Close()
	for _, tag := range []elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH} {
		lists, _ := f.DynString(tag)
		for _, list := range lists {
			paths = append(paths, slices.DeleteFunc(filepath.SplitList(list), isRelative)...)
		}
	}
	return paths
}

// isRelative reports whether a folder is relative to the program, whose libraries are listed.
func isRelative(folder string) bool { return !filepath.IsAbs(folder) }
