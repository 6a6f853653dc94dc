#!/bin/sh
# Starts the gateway, streams a recording through a live session at the speed it was spoken, and keeps serving.
# Usage: demo.sh [ADDRESS [DATA [ENGINE [RECORDING]]]]
# In the environment: MODEL is a model of "steno models list", or a language to fetch one for, or none; V=1 prints all
# figures; BIN is the folder of the programs, by default that of this one.
set -eu
listen=${1:-127.0.0.1:8080} data=${2:-data} engine=${3:-auto} file=${4:-} bin=${BIN:-$(dirname "$0")}

# Two sentences that follow each other, of Debian's package pocketsphinx-testdata.
sample=/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb

fail() {
	echo "$*" >&2
	exit 1
}

# Fetches the model that MODEL names. Without MODEL it is the one for a first start, unless there is a model, or it cannot be had.
fetch_model() {
	case ${MODEL:-} in
	none) return ;;
	??) set -- --language "$MODEL" ;;
	?*) set -- "$MODEL" ;;
	*) case $engine in auto | moonshine) set -- --first ;; *) return ;; esac ;;
	esac
	STENO_DATA=$data "$bin/steno" models pull "$@"
}

# Plays the recording, or the sample. Any format becomes WAV first. Words are recognized by their sentence, which therefore
# should not be cut at every breath.
play() {
	set -- --url "$url" --key "$key" --endpointing 0.3 --max-utterance 30 ${V:+--verbose}
	if [ -z "$file" ]; then
		echo "Jane Austen, Sense and Sensibility: \"Had he married a more amiable woman, he might have been made still"
		echo "more respectable than he was: he might even have been made amiable himself.\""
		echo
		"$bin/loadtest" "$@" --audio "$sample-0920.wav" --audio "$sample-0930.wav" --join
	else
		ffmpeg -v error -nostdin -i "$file" -map 0:a:0 -ac 1 -ar 16000 -c:a pcm_s16le "$work/recording.wav" ||
			fail "no recording that ffmpeg can read: $file"
		"$bin/loadtest" "$@" --audio "$work/recording.wav"
	fi
}

# The gateway is in a session of its own: of the terminal's signals it gets what end passes on, once. That something answers is
# not enough: it may be another gateway.
start() {
	: >"$log"
	setsid "$bin/steno" serve --listen "$listen" --data "$data" --engine "$engine" --log-format console >"$log" 2>&1 &
	server=$!
	tries=0
	until grep -q "^steno listening" "$log" && "$bin/loadtest" --url "$url" --key "$key" --check >/dev/null 2>&1; do
		tries=$((tries + 1))
		if ! kill -0 $server 2>/dev/null || [ $tries -ge 900 ]; then
			tail -n 5 "$log" >&2
			fail "the gateway does not answer at $url (another address: make demo LISTEN=127.0.0.1:8081)"
		fi
		sleep 0.2
	done
}

# Prints a word as the shell reads it.
quoted() {
	case $1 in *[!A-Za-z0-9@=/._-]*) printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")" ;; *) printf %s "$1" ;; esac
}

# Waits for the gateway, which sees its sessions through unless a second signal comes, and removes what was made.
end() {
	trap - EXIT
	trap 'kill $server 2>/dev/null || true' INT TERM HUP
	[ -z "$server" ] || kill $server 2>/dev/null || true
	while [ -n "$server" ] && kill -0 $server 2>/dev/null; do wait $server || true; done
	rm -rf "$work"
}

[ -f "${file:-$sample-0920.wav}" ] || fail "no such recording: ${file:-$sample-0920.wav (Debian package pocketsphinx-testdata)}"
if [ -z "${STENO_API_KEYS:-}" ]; then
	STENO_API_KEYS=demo-$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
	export STENO_API_KEYS
fi
key=${STENO_API_KEYS%%,*}
key=${key#*:} # without the account
case $listen in
:* | 0.0.0.0:* | \[::\]:*) url=http://127.0.0.1:${listen##*:} ;;
*) url=http://$listen ;;
esac
mkdir -p -m 700 "$data"
log=$data/demo.log server= work=$(mktemp -d)
trap end EXIT
trap 'exit 0' INT TERM HUP

fetch_model
echo "Starting the gateway; its log is $log"
start
echo
play || [ $? = 3 ] # with figures: this machine was busy
models=$(grep '^  models ' "$log" || true)
cat <<EOF

steno goes on serving; end it with Ctrl-C.
  console  $url/console
  key      $key${models:+
$models}
  try      curl -H 'x-service-key: $key' $url/v2/bots/transcribe -F $(quoted "audio=@${file:-$sample-0930.wav}")
  docs     $url/docs
EOF
wait $server
