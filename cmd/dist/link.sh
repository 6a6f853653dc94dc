#!/bin/sh
# Links as Go's C compiler does, but for the folders of this machine where a program would look for shared libraries: the module
# of sherpa-onnx names the one that it lies in.
for word; do
	shift
	case $word in -Wl,-rpath,/*) ;; *) set -- "$@" "$word" ;; esac
done
exec $(go env CC) "$@"
