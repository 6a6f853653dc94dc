url=$(curl -H "x-service-key: $KEY" -d '{}' http://127.0.0.1:8080/v2/live | jq -r .url)
{
  ffmpeg -loglevel error -re -i talk.wav -f s16le -ar 16000 -ac 1 - | base64 -w 6400 |
    sed -u 's/.*/{"type":"audio_chunk","data":{"chunk":"&"}}/'
  echo '{"type":"stop_recording"}'
} | websocat -n "$url" | jq -r 'select(.type == "transcript") .data.utterance.text'
