curl -N -H "x-service-key: $KEY" "http://127.0.0.1:8080/v2/live/$ID/events?receive_partial_transcripts=true"
