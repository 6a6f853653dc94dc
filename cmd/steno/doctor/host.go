package doctor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"steno/audio/media"
	"steno/cmd/steno/decoding"
	"steno/cmd/steno/descriptors"
	"steno/cmd/steno/terminal"
	"steno/gateway/limits"
	"steno/session/filelock"
	"steno/session/store/embedded"
)

// checkDataFolder looks whether the data folder can be written, has room, and is free.
func checkDataFolder(ctx context.Context, d Deployment) []Finding {
	const name = "data folder"
	dir, err := filepath.Abs(d.Data)
	if err != nil {
		return []Finding{{name, Failure, terminal.OneLine(err), "data, or --data"}}
	}
	// A folder that is not there is made by steno serve, in the first one above it that is.
	there := dir
	for _, err := os.Stat(there); errors.Is(err, os.ErrNotExist) && there != filepath.Dir(there); _,
		err = os.Stat(there) {
		there = filepath.Dir(there)
	}
	if err := tryFile(there); err != nil {
		return []Finding{{name, Failure, "cannot be written: " + terminal.OneLine(err),
			"chown it to the user that steno runs as: chown -R steno " + dir}}
	}
	found := []Finding{{Check: name, Level: Fine, Detail: dir + " can be written"}}
	if there == dir {
		found = append(found, checkLock(dir)...)
		found = append(found, checkDamage(ctx, dir)...)
	}
	return append(found, d.checkRoom(there)...)
}

// tryFile makes a file in a folder and removes it.
func tryFile(dir string) error {
	f, err := os.CreateTemp(dir, ".steno-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("steno doctor\n")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// checkLock looks whether a process has the data folder.
func checkLock(dir string) []Finding {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []Finding{{"lock", Failure, terminal.OneLine(err), "chown -R steno " + dir}}
	}
	defer filelock.Close(f)
	if filelock.Try(f) != nil {
		return []Finding{{"lock", Warning, "another process uses the data folder",
			"none, if that is the gateway in question; else stop it, or set data"}}
	}
	return []Finding{{Check: "lock", Level: Fine, Detail: "no other process uses the data folder"}}
}

// checkDamage looks whether what is stored is as it was written. It changes nothing.
func checkDamage(ctx context.Context, dir string) []Finding {
	const name = "stored data"
	damages, err := embedded.Look(ctx, dir)
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, embedded.ErrInUse):
		return nil // there is nothing, or the gateway looks itself
	case err != nil:
		return []Finding{{name, Warning, terminal.OneLine(err), "steno check " + terminal.ShellWord(dir)}}
	case len(damages) > 0:
		first := damages[0]
		detail := fmt.Sprintf("%d things are damaged, such as: %s", len(damages),
			strings.TrimPrefix(first.Session+": "+first.What, ": "))
		return []Finding{{name, Failure, detail, "steno check --repair " + terminal.ShellWord(dir)}}
	}
	return []Finding{{Check: name, Level: Fine, Detail: "no damage is seen; steno check looks through all of it"}}
}

// checkRoom compares the room on the disk with the bound below which nothing new is taken.
func (d Deployment) checkRoom(dir string) []Finding {
	const name = "disk"
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return []Finding{{name, Warning, terminal.OneLine(err), "look with df " + dir}}
	}
	free, bound := int64(min(fs.Bavail, math.MaxInt64/uint64(fs.Bsize))*uint64(fs.Bsize)), d.Limits.FreeDisk
	detail := size(free) + " are free"
	switch {
	case free < bound:
		return []Finding{{name, Failure, detail + ", less than limits.free_disk_bytes: sessions and jobs are refused",
			"make room, or set retention.finished"}}
	case free < 4*bound:
		return []Finding{{name, Warning, detail + ", near limits.free_disk_bytes (" + size(bound) + ")",
			"make room, or set retention.finished"}}
	}
	return []Finding{{Check: name, Level: Fine, Detail: detail}}
}

// checkDescriptors compares the limit of open files with what the configured sessions and
// connections need.
func checkDescriptors(_ context.Context, d Deployment) []Finding {
	n, err := descriptors.Count()
	if err != nil {
		return []Finding{{"open files", Warning, terminal.OneLine(err), "ulimit -n"}}
	}
	return []Finding{judgeDescriptors(n, d.Limits)}
}

func judgeDescriptors(n int, l limits.Limits) Finding {
	fit := descriptors.Within(l, n)
	if fit.Connections < l.Connections || fit.Sessions < l.Sessions {
		detail := fmt.Sprintf("%d are allowed: enough for %d of %d sessions", n, fit.Sessions, l.Sessions)
		return Finding{"open files", Warning, detail, "LimitNOFILE=65536 of the service, or ulimit -n 65536"}
	}
	return Finding{Check: "open files", Level: Fine,
		Detail: fmt.Sprintf("%d are allowed, for %d sessions and %d connections", n, fit.Sessions, fit.Connections)}
}

// checkRecordings looks whether recorded files can be decoded, and in which sandbox.
func checkRecordings(ctx context.Context, d Deployment) []Finding {
	const name = "recorded files"
	decoder, err := decoding.Decoder(ctx, d.Recordings)
	switch {
	case errors.Is(err, media.ErrNoSandbox):
		how := Warning // they are refused, live sessions work
		if d.Recordings.Sandbox != media.AnySandbox {
			how = Failure // steno serve does not start
		}
		return []Finding{{name, how, terminal.OneLine(err),
			"a kernel from 5.13 (Landlock), or the package bubblewrap with user namespaces"}}
	case err != nil:
		return []Finding{{name, Warning, "are refused: " + terminal.OneLine(err), "apt install ffmpeg util-linux"}}
	case decoder.Sandbox() == media.NoSandbox:
		return []Finding{{name, Warning, "are decoded without a sandbox", "recordings.sandbox: auto"}}
	}
	return []Finding{{Check: name, Level: Fine, Detail: "are decoded by ffmpeg in a sandbox (" +
		string(decoder.Sandbox()) + ")"}}
}
