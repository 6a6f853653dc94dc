#!/bin/sh
# Packs a release into a folder: steno_VERSION_ARCHITECTURE.tar.gz, .deb, .cdx.json (the bill of materials) and .provenance.json
# (how it came to be), and SHA256SUMS. The same sources, version and tools give the same bytes, wherever they are built: every
# time in them is SOURCE_DATE_EPOCH.
# Usage: dist.sh VERSION FOLDER [PROGRAMS]
# PROGRAMS is a folder of programs and libraries that are packed as they are, and of a folder models; without it they are built,
# and the model for a first start is fetched.
set -eu
version=$1 out=$2
LC_ALL=C TZ=UTC
export LC_ALL TZ SOURCE_DATE_EPOCH
umask 022
here=cmd/dist
architecture=$(dpkg --print-architecture)
# Debian's versions begin with a digit.
version=${version#v}
case $version in [0-9]*) ;; *) echo "dist: a version begins with a digit: $version" >&2; exit 2 ;; esac
name=steno_${version}_$architecture
rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {
	CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w -X main.version=$version" -o "$program/" ./cmd/steno ./cmd/loadtest
	# Its build id would depend on where Go keeps modules, too.
	go build -trimpath -buildvcs=false -ldflags="-s -w -buildid= -r \$ORIGIN -extld=$here/link.sh" -o "$program/" ./cmd/steno-engine
	for library in libsherpa-onnx-c-api.so libonnxruntime.so; do
		install -m 644 "$(go list -m -f '{{.Dir}}' github.com/k2-fsa/sherpa-onnx-go-linux)/lib/$(uname -m)-unknown-linux-gnu/$library" "$program/"
	done
}

# Models beside the program: it takes them where no others are installed.
models=$work/models
fetch() { "$program/steno" models pull --no-test --models "$work/pulled" moonshine-tiny-en && keep "$work/pulled"; }
keep() { cp -r --no-preserve=mode "$1" "$models" && rm -f "$models"/.*.lock; }

# What runs, in one folder: the engine finds its libraries beside itself, the gateway the engine.
program=$work/program
mkdir "$program"
if [ $# -lt 3 ]; then build && fetch; else find "$3" -maxdepth 1 -type f -exec cp {} "$program/" \; && keep "$3/models"; fi
install -m 755 cmd/demo.sh "$program/steno-demo"

# What is read. Documents stand where they do in the sources, so that their links lead to each other.
papers=$work/papers
mkdir "$papers"
go run ./$here --version "$version" --time "$SOURCE_DATE_EPOCH" --console gateway/console/dist/console.js --models "$models" --out "$papers" \
	"$program"/*
cp --parents --no-preserve=mode LICENSE NOTICE SECURITY.md CONTRIBUTING.md README.md CHANGELOG.md COMPARISON.md compose.yml gateway/GUIDE.md gateway/dialect/DIALECTS.md gateway/metrics/dashboard.json \
	cmd/steno/DEPLOYMENT.md cmd/steno/OPERATIONS.md cmd/steno/CONFIGURATION.md cmd/steno/endtoend/testdata/sdk/ai.mjs $here/steno.service \
	session/DESIGN.md session/store/DESIGN.md "$papers/"
cp "$papers/sbom.cdx.json" "$out/$name.cdx.json"

# Sets all times in a folder.
settle() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# The archive for any Linux with the C library of Debian 12 or later.
mkdir "$work/$name"
cp -r "$program" "$work/$name/lib"
cp -r "$models" "$work/$name/lib/models"
cp -r "$papers/." "$work/$name/"
install -m 644 $here/steno.service $here/steno.yml "$work/$name/"
settle "$work/$name"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -cf "$work/$name.tar" "$name"
gzip -9n <"$work/$name.tar" >"$out/$name.tar.gz"

# The Debian package.
deb=$work/deb
install -d "$deb/usr/bin" "$deb/usr/lib/systemd/system" "$deb/usr/share/doc/steno" "$deb/etc/steno" "$deb/DEBIAN"
cp -r "$program" "$deb/usr/lib/steno"
cp -r "$models" "$deb/usr/lib/steno/models"
ln -s ../lib/steno/steno "$deb/usr/bin/steno"
cp -r "$papers/." "$deb/usr/share/doc/steno/"
install -m 644 $here/steno.service "$deb/usr/lib/systemd/system/"
install -m 644 $here/steno.yml "$deb/etc/steno/"
install -m 755 $here/debian/postinst $here/debian/prerm $here/debian/postrm "$deb/DEBIAN/"
install -m 644 $here/debian/conffiles "$deb/DEBIAN/"
# In KiB, as Debian's own tools count: what a folder takes differs between file systems.
size=$(find "$deb/usr" "$deb/etc" -printf '%y %s\n' | awk '{ size += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print size }')
sed -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/" \
	$here/debian/control >"$deb/DEBIAN/control"
(cd "$deb" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)
settle "$deb"
dpkg-deb --root-owner-group -Zxz -b "$deb" "$out/$name.deb" >/dev/null

# The commit of the sources, unless something was changed since.
commit=$(git rev-parse HEAD 2>/dev/null || true)
[ -z "$commit" ] || [ -z "$(git status --porcelain)" ] || commit=
go run ./$here provenance --version "$version" --time "$SOURCE_DATE_EPOCH" --commit "$commit" --sbom "$out/$name.cdx.json" \
	--locks go.sum,gateway/console/package-lock.json --out "$work/provenance.json" "$out"/*
mv "$work/provenance.json" "$out/$name.provenance.json"

(cd "$out" && sha256sum -- *) >"$work/SHA256SUMS"
mv "$work/SHA256SUMS" "$out/"
ls -l "$out"
