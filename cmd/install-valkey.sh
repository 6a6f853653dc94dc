#!/bin/sh
# Installs a Valkey server for the tests, from Debian or from its backports, else a Redis server. The backports are looked up
# for this installation only: the machine's list of sources stays as it is. Does nothing where either server is installed.
set -eu
command -v valkey-server >/dev/null || command -v redis-server >/dev/null && exit 0
command -v apt-get >/dev/null || { echo "please install valkey-server or redis-server"; exit 1; }
[ "$(id -u)" = 0 ] && as= || as=sudo
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT

# backports prints the configured sources of this release with its backports in place of the release.
backports() {
	for file in /etc/apt/sources.list.d/*.sources; do
		[ -f "$file" ] && awk -v r="$release" 'BEGIN { RS = ""; ORS = "\n\n" }
			$0 ~ "\nSuites:[^\n]*[ \t]" r "([ \t\n]|$)" && !done {
				sub("\nSuites:[^\n]*", "\nSuites: " r "-backports"); print; done = 1 }' "$file" >"$sources/backports-$(basename "$file")"
	done
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -f "$file" ] && sed -n "s/^\(deb .* \)$release \(.*\)/\1$release-backports \2/p" "$file" >"$sources/backports-$(basename "$file" .list).list"
	done
}

install() {
	DEBIAN_FRONTEND=noninteractive $as apt-get "$@" install -y -qq --no-install-recommends "$server" >/dev/null 2>&1
}

$as apt-get update -qq >/dev/null
server=valkey-server
if ! install; then
	cp -r /etc/apt/sources.list.d/. "$sources"
	backports || true
	chmod -R a+rX "$sources"
	with=Dir::Etc::sourceparts=$sources
	$as apt-get -o "$with" update -qq >/dev/null 2>&1 || true
	install -o "$with" || { server=redis-server; install; }
fi
# The package starts a service. The tests start servers of their own.
$as service "$server" stop >/dev/null 2>&1 || true
echo "installed $server"
