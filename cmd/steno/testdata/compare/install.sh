#!/bin/sh
# Installs the recognizers of requirements.txt in the user's cache, where all checkouts share them, and prints the folder. Does
# nothing else where they are installed.
set -eu
cd "$(dirname "$0")"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/steno
folder=$cache/compare-$(sha256sum requirements.txt | cut -c 1-12)
if [ ! -d "$folder" ]; then
	mkdir -p "$cache"
	new=$(mktemp -d "$cache/.compare-XXXXXX")
	trap 'rm -rf "$new"' EXIT
	python3 -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --only-binary=:all: \
		--target "$new/lib" -r requirements.txt >&2
	mv -T "$new" "$folder"
	trap - EXIT
fi
echo "$folder"
