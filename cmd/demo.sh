#!/bin/sh
# Starts the gateway, streams a recording through a live session at the speed it was spoken, and keeps serving.
# Usage: demo.sh ADDRESS DATA ENGINE RECORDING.wav
set -eu
listen=$1 data=$2 engine=$3 file=$4
[ -f "$file" ] || { echo "no such recording: $file" >&2; exit 1; }
if [ -z "${STENO_API_KEYS:-}" ]; then
	STENO_API_KEYS=demo-$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
	export STENO_API_KEYS
fi
key=${STENO_API_KEYS%%,*}
key=${key#*:} # without the account
./bin/steno serve --listen "$listen" --data "$data" --engine "$engine" --log-format console &
server=$!
trap 'kill $server 2>/dev/null; wait $server' INT TERM EXIT
url=http://$listen
tries=0
until ./bin/loadtest --url "$url" --key "$key" --check >/dev/null 2>&1; do
	kill -0 $server 2>/dev/null || { echo "the gateway did not start" >&2; exit 1; }
	tries=$((tries + 1))
	[ $tries -lt 100 ] || { echo "the gateway does not answer at $url" >&2; exit 1; }
	sleep 0.2
done
echo
echo "Streaming $file"
echo
./bin/loadtest --url "$url" --key "$key" --audio "$file" --sessions 1 --partials
cat <<EOF

steno goes on serving; end it with Ctrl-C.
  address  $url
  key      $key   (header x-service-key)
  read     $url/docs
  try      curl -H 'x-service-key: $key' $url/v2/live
EOF
wait $server
