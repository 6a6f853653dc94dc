audio=$(curl -H "x-service-key: $KEY" -F audio=@talk.wav http://127.0.0.1:8080/v2/upload | jq -r .audio_url)
job=$(curl -H "x-service-key: $KEY" -d "{\"audio_url\": \"$audio\"}" http://127.0.0.1:8080/v2/pre-recorded | jq -r .result_url)
while sleep 1; do
  curl -H "x-service-key: $KEY" "$job" > job.json
  case $(jq -r .status job.json) in done) break ;; error) cat job.json; exit 1 ;; esac
done
jq -r .result.transcription.full_transcript job.json
