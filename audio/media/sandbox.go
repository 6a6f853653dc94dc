package media

import (
	"os"
	"path/filepath"
	"strconv"
	"time"

	"steno/audio/process/confine"
)

// sandboxedInput is the recording's name inside the sandbox.
const sandboxedInput = "/recording"

// command returns the path and the arguments, the name first, that run program on file within the
// limits. Where args hold inputName, the program finds the file. A nil file is for programs that
// need none.
func (d *programs) command(file *os.File, program string, args ...string) (path string, argv []string, err error) {
	seconds := int((d.limits.CPU + time.Second - 1) / time.Second)
	argv = []string{d.prlimit,
		"--as=" + strconv.FormatInt(d.limits.MemoryBytes, 10),
		// the soft limit alone ends ffmpeg as if all were well
		"--cpu=" + strconv.Itoa(seconds) + ":" + strconv.Itoa(seconds),
		"--fsize=0", "--core=0", "--nofile=64", "--memlock=0", "--msgqueue=0", "--",
	}
	if d.sandbox == Bubblewrap {
		inside, err := d.wrap(file)
		if err != nil {
			return "", nil, err
		}
		argv = append(argv, inside...)
	}
	argv = append(append(argv, program), args...)
	if d.sandbox == Landlock {
		path, argv = confine.Command(confine.Rights{Programs: []string{d.prlimit, program}}, argv...)
		return path, argv, nil
	}
	return argv[0], argv, nil
}

// wrap returns bubblewrap's arguments. They make a root of system libraries, an empty /tmp in
// memory, and the recording. Debian's ffmpeg needs /etc/alternatives for its numerics libraries.
// The program is the sandbox's first process, so that bubblewrap reaps it; an init of bubblewrap's
// would outlive bubblewrap for a moment and be left to the system's init. The session in which it
// runs has no terminal that it could write to: bubblewrap leads it.
func (d *programs) wrap(file *os.File) ([]string, error) {
	argv := []string{d.bwrap, "--unshare-all", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL",
		"--hostname", "decoder", "--ro-bind", "/usr", "/usr"}
	for _, dir := range []string{"/bin", "/lib", "/lib32", "/lib64"} {
		if target, err := os.Readlink(dir); err == nil {
			argv = append(argv, "--symlink", target, dir)
		} else {
			argv = append(argv, "--ro-bind-try", dir, dir)
		}
	}
	argv = append(argv, "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
		"--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
		"--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/")
	if file != nil {
		path, err := filepath.Abs(file.Name())
		if err != nil {
			return nil, err
		}
		argv = append(argv, "--ro-bind", path, sandboxedInput)
	}
	return append(argv, "--remount-ro", "/", "--"), nil
}

// formats are ffmpeg's demultiplexers of recordings. None of them opens other files than the one it
// is given, and none takes bare samples, pictures, subtitles or playlists for a recording. Frames
// of AMR without a beginning are not among them: telephone calls in G.711 are taken for some.
const formats = "wav,w64,mp3,flac,ogg,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,aac,caf,aiff,au,amr," +
	"avi,asf,flv,live_flv,kux,mpegts,mpeg,vob,ac3,eac3,dts,dtshd,truehd,mlp,ape,wv,tta,tak,mpc,mpc8,shn,dsf,iff,oma,aa,aax,ace,act,adx," +
	"gsm,g729,ilbc,qcp,sln,codec2,loas,latm,rm,ivr,mxf,gxf,nut,nuv,nsv,dv,r3d,dxa,voc,ircam,sds,nistsphere,avr,pvf,sox,paf,mmf," +
	"xwma,wtv,wve,sbc,aptx,osq,hca,rsd,smjpeg,roq,cine,dhav,imc,swf,vivo,bink,mv,film_cpk,ea,xmv,thp"

// input returns the arguments that name the file to ffmpeg and ffprobe. Without bubblewrap it is
// their standard input, opened again, so that it can be sought in and its name plays no part. A
// bare format is named to them, and no other is tried.
func (d *programs) input(bare string) []string {
	name := "/proc/self/fd/0"
	if d.sandbox == Bubblewrap {
		name = sandboxedInput
	}
	args := []string{"-protocol_whitelist", "file,pipe"}
	if of := bareFormats[bare]; of != nil {
		args = append(append(args, "-format_whitelist", of[0], "-f"), of...)
	} else {
		args = append(args, "-format_whitelist", formats)
	}
	return append(args, "-i", "file:"+name)
}
